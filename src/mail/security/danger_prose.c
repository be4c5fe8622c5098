/* Dangers: what a text that a person reads, such as a plan, may keep from the eye. */
#include "mail/security/danger_private.h"

#include "base/text/lookalike.h"
#include "base/text/utf8.h"

#include <string.h>
#include <strings.h>
#include <utf8proc.h>

enum {
    LINE_LONGEST = 1000, /* characters; the paragraphs of ordinary plans are shorter */
    BLANK_LINES = 8,     /* in a row: no document needs as many */
    BLANKS = 80,         /* in a row, within a line */
    QUOTED = 40,         /* bytes of a place that are told */
};

/* --- lines --- */

/* Notes the first bytes of what stands there, whole characters of one line. */
static void note_start(struct danger_search *search, enum danger_kind kind, size_t at)
{
    struct span line = span_first_line((struct span){search->text.at + at, search->text.len - at});
    size_t end = line.len < QUOTED ? line.len : QUOTED;

    while (end < line.len && end > 1 && ((unsigned char)line.at[end] & 0xc0) == 0x80)
        end--;
    if (end)
        danger_note(search, kind, at, at + end);
}

static bool is_blank(int32_t code)
{
    return code == ' ' || (code >= '\t' && code <= '\r') ||
           (code >= 0x80 && utf8proc_category(code) == UTF8PROC_CATEGORY_ZS);
}

/* Looks through one line that starts at that byte; true when it is blank. */
static bool look_at_line(struct danger_search *search, struct span line, size_t start)
{
    struct span rest = line;
    size_t characters = 0, blanks = 0;
    bool empty = true, noted = false;

    while (rest.len) {
        size_t at = line.len - rest.len;
        if (is_blank(utf8_next(&rest))) {
            blanks++;
        } else {
            if (blanks >= BLANKS && !noted)
                note_start(search, DANGER_FAR, start + at);
            noted |= blanks >= BLANKS;
            empty = false;
            blanks = 0;
        }
        if (++characters == LINE_LONGEST + 1)
            note_start(search, DANGER_LONG, start);
    }
    return empty;
}

void danger_in_lines(struct danger_search *search)
{
    struct span rest = search->text;
    size_t blank = 0;

    while (rest.len) {
        struct span line = span_first_line(rest);
        size_t start = search->text.len - rest.len, taken = line.len + (line.len < rest.len);
        if (look_at_line(search, line, start)) {
            blank++;
        } else {
            if (blank >= BLANK_LINES)
                note_start(search, DANGER_FAR, start);
            blank = 0;
        }
        rest = (struct span){rest.at + taken, rest.len - taken};
    }
}

/* --- words --- */

/* A short word with one Greek letter that is a unit or a sign, as for microseconds, is no disguise.
 */
static bool is_sign(struct span word)
{
    static const int32_t signs[] = {0x394, 0x3a3, 0x3a9, 0x3b8, 0x3bb, 0x3bc, 0x3c0, 0x3c6};
    size_t count = 0, found = 0, ascii = 0;

    for (; word.len; count++) {
        int32_t code = utf8_next(&word);
        ascii += code < 0x80;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            found += code == signs[i];
    }
    return count <= 3 && found == 1 && ascii == count - 1;
}

static void look_for_mixed_words(struct danger_search *search)
{
    struct span rest = search->text;
    size_t start = 0, at = 0;
    bool plain = true; /* nothing but ASCII mixes nothing */

    for (;;) {
        bool ended = !rest.len;
        int32_t code = ended ? UTF8_INVALID : utf8_next(&rest);
        size_t next = search->text.len - rest.len;
        if (ended || !danger_is_of_word(code)) {
            struct span word = {search->text.at + start, at - start};
            if (!plain && lookalike_mixes(word) && !is_sign(word))
                danger_note(search, DANGER_ALIKE, start, at);
            start = next;
            plain = true;
        } else {
            plain &= code < 0x80;
        }
        if (ended)
            return;
        at = next;
    }
}

/* --- other requests --- */

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Whether the name at that byte is the value of a member "type", however it is quoted, or a tag. */
static bool is_declared(struct span text, size_t at)
{
    bool assigned = false;

    if (at && text.at[at - 1] == '<')
        return true;
    while (at && is_one_of(text.at[at - 1], " \t\r\n\\\"'`:=")) {
        at--;
        assigned |= text.at[at] == ':' || text.at[at] == '=';
    }
    return assigned && at >= 4 && strncasecmp(text.at + at - 4, "type", 4) == 0;
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void look_for_protocol(struct danger_search *search, enum protocol_kind kind)
{
    struct span text = search->text, name = span_of(protocol_kind_name(kind));

    for (size_t at = 0; name.len && at + name.len <= text.len; at += name.len) {
        const char *found = memmem(text.at + at, text.len - at, name.at, name.len);
        if (!found)
            return;
        at = (size_t)(found - text.at);
        bool ends = at + name.len == text.len || !is_name_character(text.at[at + name.len]);
        if (ends && is_declared(text, at))
            danger_note(search, DANGER_REQUEST, at, at + name.len);
    }
}

/* Members that only messages of programs have: a plan has no use for them. */
static const char *const protocol_keys[] = {"permission_suggestions",
                                            "permission_updates",
                                            "permissionMode",
                                            "planContent",
                                            "hostPattern",
                                            "x_protocol"};

static void look_for_key(struct danger_search *search, struct span key)
{
    struct span text = search->text;

    for (size_t at = 0; at + key.len <= text.len; at += key.len) {
        const char *found = memmem(text.at + at, text.len - at, key.at, key.len);
        if (!found)
            return;
        at = (size_t)(found - text.at);
        size_t end = at + key.len;
        bool quoted = at && text.at[at - 1] == '"';
        while (end < text.len && is_one_of(text.at[end], "\\\" \t"))
            end++;
        if (quoted && end < text.len && text.at[end] == ':')
            danger_note(search, DANGER_REQUEST, at, at + key.len);
    }
}

/* Skips the marks that a heading, an item of a list or a quotation starts with. */
static size_t skip_marks(struct span line)
{
    size_t at = 0;

    while (at < line.len && is_one_of(line.at[at], " \t#*>-|_`["))
        at++;
    return at;
}

/* How many bytes of the line are the name in words, "permission request", with a colon or nothing
 * behind it; 0 when they are not. */
static size_t is_spelled(struct span line, struct span name)
{
    size_t i = 0, end;

    if (!name.len || line.len < name.len)
        return 0;
    for (; i < name.len; i++) {
        bool gap = name.at[i] == '_';
        if (gap ? !is_one_of(line.at[i], " -_") : strncasecmp(&line.at[i], &name.at[i], 1) != 0)
            return 0;
    }
    for (end = i; end < line.len && is_one_of(line.at[end], " *_`]"); end++)
        ;
    return end == line.len || line.at[end] == ':' ? i : 0;
}

/* What ends a request on our own pages. */
static const char *const ends_of_pages[] = {"-- end of the request", "-- end of the message", NULL};

static void look_for_headings(struct danger_search *search)
{
    struct span rest = search->text;

    while (rest.len) {
        struct span line = span_first_line(rest);
        size_t start = search->text.len - rest.len, taken = line.len + (line.len < rest.len);
        size_t skipped = skip_marks(line), len = 0;
        struct span words = {line.at + skipped, line.len - skipped};
        for (unsigned kind = PROTOCOL_UNKNOWN + 1; !len && kind < PROTOCOL_KIND_COUNT; kind++)
            len = is_spelled(words, span_of(protocol_kind_name(kind)));
        if (len)
            danger_note(search, DANGER_REQUEST, start + skipped, start + skipped + len);
        for (size_t i = 0; ends_of_pages[i]; i++)
            if (span_starts(span_trim(line), span_of(ends_of_pages[i])))
                note_start(search, DANGER_REQUEST, start);
        rest = (struct span){rest.at + taken, rest.len - taken};
    }
}

void danger_in_requests(struct danger_search *search)
{
    for (unsigned kind = PROTOCOL_UNKNOWN + 1; kind < PROTOCOL_KIND_COUNT; kind++)
        look_for_protocol(search, kind);
    for (size_t i = 0; i < sizeof protocol_keys / sizeof *protocol_keys; i++)
        look_for_key(search, span_of(protocol_keys[i]));
    look_for_headings(search);
}

/* --- paths --- */

static void look_for_paths(struct danger_search *search)
{
    static const char apart[] = " \t\r\n\"'`()[]{}<>,;|";
    struct span text = search->text;
    size_t start = 0;

    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && !is_one_of(text.at[i], apart))
            continue;
        size_t end = i;
        while (end > start && is_one_of(text.at[end - 1], ".:!?*_"))
            end--;
        struct span word = {text.at + start, end - start};
        if (danger_leads_outside(word, search->cwd))
            danger_note(search, DANGER_OUTSIDE, start, end);
        start = i + 1;
    }
}

void danger_in_prose(struct danger_search *search)
{
    if (!search->text.len)
        return;
    danger_in_lines(search);
    danger_in_requests(search);
    look_for_mixed_words(search);
    danger_in_hosts(search);
    look_for_paths(search);
}
