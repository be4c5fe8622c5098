/* Risks: how each member of a request is checked, and the list of findings. */
#include "mail/security/risk.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/confusables.h"
#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/protocol/tool.h"
#include "mail/security/risk_private.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

/* Risks: paths that lead out of the working directory, and parts of words. */

/* Harmless devices, and prefixes of the standard streams of a program. */
static const char harmless[] = "/dev/null /dev/zero /dev/tty /dev/full /dev/random /dev/urandom";
static const char streams[] = "/dev/std /dev/fd/";

/* Removes the next component from a path; returns false at its end. */
static bool take_component(struct span *path, struct span *component)
{
    while (path->len && path->at[0] == '/')
        *path = (struct span){path->at + 1, path->len - 1};
    *component = (struct span){path->at, 0};
    while (component->len < path->len && path->at[component->len] != '/')
        component->len++;
    if (component->len)
        *path = (struct span){path->at + component->len, path->len - component->len};
    return component->len;
}

/* Appends an absolute path without dots and doubled slashes; "" is the root. */
static void add_normal(struct str *out, struct span path)
{
    struct span component;

    while (take_component(&path, &component)) {
        if (span_is(component, "."))
            continue;
        if (!span_is(component, "..")) {
            str_putc(out, '/');
            str_add_span(out, component);
            continue;
        }
        while (out->len && out->at[out->len - 1] != '/')
            out->len--;
        out->len -= out->len > 0;
    }
}

static bool climbs_out(struct span path)
{
    struct span component;
    size_t depth = 0;

    while (take_component(&path, &component)) {
        if (span_is(component, "..") && !depth)
            return true;
        if (span_is(component, ".."))
            depth--;
        else if (!span_is(component, "."))
            depth++;
    }
    return false;
}

static bool is_beneath(struct span path, struct span cwd)
{
    CLEANUP(str_free) struct str here = {0}, there = {0};
    const char *starts = streams;
    bool beneath = false;

    add_normal(&here, cwd);
    add_normal(&there, path);
    if (span_starts(cwd, span_of("/"))) /* otherwise the location is unknown */
        beneath = span_starts(str_span(&there), str_span(&here)) &&
                  (there.len == here.len || there.at[here.len] == '/');
    beneath |= risk_is_listed(str_span(&there), harmless);
    for (struct span start; !beneath && (start = risk_take(&starts)).len;)
        beneath = span_starts(str_span(&there), start);
    return beneath;
}

/* Checks a path that starts with a variable: of the working directory itself, of home, or of an
 * unknown place. */
static bool leaves_by_variable(struct span path)
{
    size_t i = 1, start = 1;

    if (path.len > 1 && path.at[1] == '{')
        i = start = 2;
    while (i < path.len && risk_is_name(path.at[i]))
        i++;
    struct span name = {path.at + start, i - start};
    i += start == 2 && i < path.len && path.at[i] == '}';
    struct span rest = {path.at + i, path.len - i};
    if (span_is(name, "PWD"))
        return climbs_out(rest);
    return span_is(name, "HOME") || span_is(name, "OLDPWD") || span_starts(rest, span_of("/"));
}

/* True for an absolute path of Windows. */
static bool is_drive(struct span path)
{
    if (span_starts(path, span_of("\\\\")))
        return true;
    return path.len > 2 && path.at[1] == ':' && (path.at[2] == '\\' || path.at[2] == '/') &&
           ((path.at[0] >= 'A' && path.at[0] <= 'Z') || (path.at[0] >= 'a' && path.at[0] <= 'z'));
}

static bool is_outside(struct span path, struct span cwd)
{
    if (!path.len)
        return false;
    switch (path.at[0]) {
    case '/':
        return !is_beneath(path, cwd);
    case '~':
        return true;
    case '$':
        return leaves_by_variable(path);
    default:
        return climbs_out(path);
    }
}

/* Directories without projects, and directories that contain people's projects. */
static const char system_roots[] = "etc usr var boot proc sys dev lib bin sbin tmp run Library";
static const char home_roots[] = "home root Users srv opt mnt";

/* True for a path into such a directory. Without a working directory only hidden files of a home
 * count as outside. */
static bool leads_to_root(struct span path, struct span cwd)
{
    struct span rest = path, component;

    if (!take_component(&rest, &component) || risk_program(path).at)
        return false;
    if (risk_is_listed(component, system_roots))
        return rest.len > 1 && !is_beneath(path, cwd);
    if (!risk_is_listed(component, home_roots))
        return false;
    if (span_starts(cwd, span_of("/")))
        return rest.len > 1 && !is_beneath(path, cwd);
    return memmem(path.at, path.len, "/.", 2);
}

/* Reports whether a text for people names this path as one outside of the project: one of the
 * system, or of a home if the working directory is not known. A word that only may be a path does
 * not count. */
static bool risk_leads_outside(struct span word, struct span cwd)
{
    if (!word.len)
        return false;
    switch (word.at[0]) {
    case '/':
        return leads_to_root(word, cwd);
    case '~':
        return word.len > 2 && word.at[1] == '/';
    case '$':
        return (span_starts(word, span_of("$HOME/")) || span_starts(word, span_of("${HOME}/")));
    default:
        return is_drive(word) || (memmem(word.at, word.len, "../", 3) && climbs_out(word));
    }
}

static void risk_in_parts(struct risk_search *search);
static void risk_alike(struct risk_search *search);

/* risk_path.c: checks a text that is one path. */
static void risk_in_path(struct risk_search *search)
{
    risk_in_parts(search);
    risk_alike(search);
    if (is_outside(search->text, search->cwd) || is_drive(search->text))
        risk_note(search, RISK_OUTSIDE, 0, search->text.len);
}

/* A word may contain several paths: after an option, an equal sign, a colon. */
void risk_in_word_paths(struct risk_search *search, struct span word, size_t at, size_t end)
{
    bool option = span_starts(word, span_of("-")), variable = false;
    size_t start = 0;

    for (size_t i = 0; i <= word.len; i++) {
        char c = i < word.len ? word.at[i] : '\0';
        variable = (variable || (c == '{' && i && word.at[i - 1] == '$')) && i < word.len;
        if (option && (c == '/' || c == '~')) { /* -I/usr/include */
            option = false;
            start = i;
        }
        bool apart = i == word.len || (!variable && c && strchr("=:,@{}()<>[]\"'", c));
        variable = variable && c != '}';
        if (!apart)
            continue;
        struct span path = {word.at + start, i - start};
        if (is_outside(path, search->cwd))
            risk_note(search, RISK_OUTSIDE, at, end);
        struct span behind = {word.at + i, word.len - i};
        if (span_starts(behind, span_of("://")) && !span_is(path, "file"))
            i += 2; /* a host follows */
        start = i + 1;
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* Finds the part in lower case text, from `at` on; returns false if there is none. */
static bool find_part(struct span text, struct span part, size_t *at)
{
    bool ends = part.at[part.len - 1] != '*';
    size_t len = part.len - !ends;
    const char *end = text.at + text.len;

    while (*at < text.len) {
        const char *found = memmem(text.at + *at, text.len - *at, part.at, len);
        if (!found)
            return false;
        *at = (size_t)(found - text.at);
        const char *behind = found + len;
        bool local = part.at[0] == ':' && *at >= 4 && memcmp(found - 4, "file", 4) == 0;
        behind += ends && behind < end && *behind == 's';
        if (!local && (!ends || behind == end || !is_letter(*behind)))
            return true;
        ++*at;
    }
    return false;
}

/* Appends the text with ASCII letters in lower case, byte for byte. */
static void add_lower(struct str *out, struct span text)
{
    str_add_span(out, text);
    for (size_t i = 0; i < out->len; i++)
        if (out->at[i] >= 'A' && out->at[i] <= 'Z')
            out->at[i] = (char)(out->at[i] + 32);
}

/* Finds parts that are a risk anywhere: each in the whole text or, if `end` is not 0, in a word of
 * it from `at` up to `end`, which is a finding as a whole. */
static void find_parts(struct risk_search *search, struct span text, size_t at, size_t end)
{
    CLEANUP(str_free) struct str lower = {0};

    add_lower(&lower, text);
    for (size_t i = 0; i < risk_parts_count; i++) {
        const char *texts = risk_parts[i].texts;
        for (struct span part; (part = risk_take(&texts)).len;) {
            size_t len = part.len - (part.at[part.len - 1] == '*');
            for (size_t found = 0; find_part(str_span(&lower), part, &found); found += len) {
                risk_note(search, risk_parts[i].kind, end ? at : found, end ? end : found + len);
                if (end)
                    break;
            }
        }
    }
}

static void risk_in_parts(struct risk_search *search)
{
    find_parts(search, search->text, 0, 0);
}

void risk_in_word_parts(struct risk_search *search, struct span word, size_t at, size_t end)
{
    find_parts(search, word, at, end);
}

/* True for a sign or a blank beyond ASCII that looks like one of ASCII. */
static bool is_disguised(int32_t code, struct span character)
{
    CLEANUP(str_free) struct str skeleton = {0};
    utf8proc_category_t category = utf8proc_category(code);
    bool ascii = true;

    if (code < 0x80 || (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO) ||
        category >= UTF8PROC_CATEGORY_CC)
        return false;
    if (category == UTF8PROC_CATEGORY_ZS)
        return true;
    confusable_skeleton(&skeleton, character);
    for (size_t i = 0; i < skeleton.len; i++)
        ascii = ascii && (unsigned char)skeleton.at[i] < 0x80;
    ascii = ascii && skeleton.len;
    return ascii;
}

bool risk_is_of_word(int32_t code)
{
    utf8proc_category_t category = code < 0 ? UTF8PROC_CATEGORY_CN : utf8proc_category(code);

    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

/* Finds characters that look like others. */
static void risk_alike(struct risk_search *search)
{
    struct span rest = search->text;
    size_t start = 0, at = 0;

    if (!rest.at)
        return;
    for (;;) {
        bool ended = !rest.len;
        int32_t code = ended ? UTF8_INVALID : utf8_next(&rest);
        size_t next = search->text.len - rest.len;
        if (ended || !risk_is_of_word(code)) {
            struct span run = {search->text.at + start, at - start};
            if (confusable_mixes(run))
                risk_note(search, RISK_ALIKE, start, at);
            start = next;
        }
        if (ended)
            return;
        if (is_disguised(code, (struct span){search->text.at + at, next - at}))
            risk_note(search, RISK_ALIKE, at, next);
        at = next;
    }
}

/* Texts for people, such as plans: anything in them that is easily overlooked. */

enum {
    LINE_LONGEST = 1000, /* characters; the paragraphs of ordinary plans are shorter */
    BLANK_LINES = 8,     /* in a row: no document needs more */
    BLANKS = 80,         /* in a row, within a line */
    QUOTED = 40,         /* bytes of the text that a finding shows */
};

/* Lines. */

/* Notes the first bytes at that position, whole characters of one line. */
static void note_start(struct risk_search *search, enum risk_kind kind, size_t at)
{
    struct span line = span_first_line((struct span){search->text.at + at, search->text.len - at});
    size_t end = line.len < QUOTED ? line.len : QUOTED;

    while (end < line.len && end > 1 && ((unsigned char)line.at[end] & 0xc0) == 0x80)
        end--;
    if (end)
        risk_note(search, kind, at, at + end);
}

static bool is_blank(int32_t code)
{
    return code == ' ' || (code >= '\t' && code <= '\r') ||
           (code >= 0x80 && utf8proc_category(code) == UTF8PROC_CATEGORY_ZS);
}

/* Checks one line that starts at that byte; returns true if it is blank. */
static bool check_line(struct risk_search *search, struct span line, size_t start)
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
                note_start(search, RISK_FAR, start + at);
            noted |= blanks >= BLANKS;
            empty = false;
            blanks = 0;
        }
        if (++characters == LINE_LONGEST + 1)
            note_start(search, RISK_LONG, start);
    }
    return empty;
}

/* Checks all lines for text that may be overlooked. */
static void risk_in_lines(struct risk_search *search)
{
    struct span rest = search->text;
    size_t blank = 0;

    while (rest.len) {
        size_t start = search->text.len - rest.len;
        if (check_line(search, span_take_line(&rest), start)) {
            blank++;
        } else {
            if (blank >= BLANK_LINES)
                note_start(search, RISK_FAR, start);
            blank = 0;
        }
    }
}

/* Words. */

/* True for a short word with one Greek letter that is a unit or a sign, as in microseconds: it is
 * not a disguise. */
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

bool risk_next_run(struct span text, size_t *at, bool (*takes)(int32_t code), struct span *run)
{
    struct span rest = {text.at + *at, text.len - *at};

    *run = (struct span){rest.at, 0};
    while (rest.len) {
        struct span before = rest;
        if (takes(utf8_next(&rest)))
            run->len = (size_t)(rest.at - run->at);
        else if (run->len)
            rest = (struct span){before.at, 0};
        else
            run->at = rest.at;
    }
    *at = (size_t)(rest.at - text.at);
    return run->len;
}

static void check_mixed_words(struct risk_search *search)
{
    struct span word;

    for (size_t at = 0; risk_next_run(search->text, &at, risk_is_of_word, &word);) {
        size_t start = (size_t)(word.at - search->text.at);
        if (!utf8_is_ascii(word) && confusable_mixes(word) && !is_sign(word))
            risk_note(search, RISK_ALIKE, start, start + word.len);
    }
}

/* Other requests. */

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* True if the name at that byte is the value of a member "type", however it is quoted, or a tag. */
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

static void check_protocol(struct risk_search *search, enum protocol_kind kind)
{
    struct span text = search->text, name = span_of(protocol_kind_name(kind));

    for (size_t at = 0; name.len && at + name.len <= text.len; at += name.len) {
        const char *found = memmem(text.at + at, text.len - at, name.at, name.len);
        if (!found)
            return;
        at = (size_t)(found - text.at);
        bool ends = at + name.len == text.len || !risk_is_name(text.at[at + name.len]);
        if (ends && is_declared(text, at))
            risk_note(search, RISK_REQUEST, at, at + name.len);
    }
}

/* Members that only messages of programs have: a plan does not need them. */
static const char protocol_keys[] = "permission_suggestions permission_updates permissionMode "
                                    "planContent hostPattern x_protocol";

static void check_key(struct risk_search *search, struct span key)
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
            risk_note(search, RISK_REQUEST, at, at + key.len);
    }
}

/* Skips the marks at the start of a heading, an item of a list or a quotation. */
static size_t skip_marks(struct span line)
{
    size_t at = 0;

    while (at < line.len && is_one_of(line.at[at], " \t#*>-|_`["))
        at++;
    return at;
}

/* Returns the bytes at the start of the line that spell the name in words, "permission request",
 * and are followed by a colon or nothing; 0 if none do. */
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

/* The last line of a request or message on our own pages. */
static const char *const ends_of_pages[] = {"-- end of the request", "-- end of the message"};

static void check_headings(struct risk_search *search)
{
    struct span rest = search->text;

    while (rest.len) {
        size_t start = search->text.len - rest.len;
        struct span line = span_take_line(&rest);
        size_t skipped = skip_marks(line), len = 0;
        struct span words = {line.at + skipped, line.len - skipped};
        for (unsigned kind = PROTOCOL_UNKNOWN + 1; !len && kind < PROTOCOL_KIND_COUNT; kind++)
            len = is_spelled(words, span_of(protocol_kind_name(kind)));
        if (len)
            risk_note(search, RISK_REQUEST, start + skipped, start + skipped + len);
        for (size_t i = 0; i < sizeof ends_of_pages / sizeof *ends_of_pages; i++)
            if (span_starts(span_trim(line), span_of(ends_of_pages[i])))
                note_start(search, RISK_REQUEST, start);
    }
}

static void risk_in_requests(struct risk_search *search)
{
    const char *keys = protocol_keys;

    for (unsigned kind = PROTOCOL_UNKNOWN + 1; kind < PROTOCOL_KIND_COUNT; kind++)
        check_protocol(search, kind);
    for (struct span key; (key = risk_take(&keys)).len;)
        check_key(search, key);
    check_headings(search);
}

/* Paths. */

static void check_paths(struct risk_search *search)
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
        if (risk_leads_outside(word, search->cwd))
            risk_note(search, RISK_OUTSIDE, start, end);
        start = i + 1;
    }
}

/* Checks a text for people. */
static void risk_in_prose(struct risk_search *search)
{
    if (!search->text.len)
        return;
    risk_in_lines(search);
    risk_in_requests(search);
    check_mixed_words(search);
    risk_in_hosts(search);
    check_paths(search);
}

/* The most findings in a list, and words in a phrase: more are hardly read. */
enum { FOUND_MAX = 200, WORDS_MOST = 12 };

static const char *const phrases_of[] = {
    [RISK_DELETES] = "deletes files",
    [RISK_NETWORK] = "uses the network",
    [RISK_ROOT] = "takes root rights",
    [RISK_OUTSIDE] = "reaches outside the working directory",
    [RISK_CODE] = "runs code made from text",
    [RISK_ENDS] = "ends programs",
    [RISK_LASTS] = "keeps running or starts again",
    [RISK_SECRETS] = "touches secrets",
    [RISK_RIGHTS] = "changes what agents may do",
    [RISK_ALIKE] = "holds characters that look like others",
    [RISK_IGNORED] = "holds what the tool does not look at",
    [RISK_WIDE] = "allows more than one host",
    [RISK_NEAR] = "reaches this machine or its own network",
    [RISK_ADDRESS] = "names a host by its number",
    [RISK_HOST] = "names a host that resembles a known one",
    [RISK_REQUEST] = "holds another request",
    [RISK_LONG] = "has a very long line",
    [RISK_FAR] = "has text far from the rest",
};

enum how {
    HOW_SHELL, /* may be a command */
    HOW_PATH,
    HOW_TEXT,  /* is read or written, not run */
    HOW_PROSE, /* instructs a person or an agent */
};

/* The use of members of known tools; without a tool, of those members of any tool. Any other member
 * may be a command. */
static const struct {
    const char *tool, *keys; /* a list */
    enum how how;
} members[] = {
    {NULL, "file_path notebook_path path cwd", HOW_PATH},
    {"Bash", "description", HOW_TEXT},
    {"Edit", "old_string new_string", HOW_TEXT},
    {"MultiEdit", "edits", HOW_TEXT},
    {"Write", "content", HOW_TEXT},
    {"NotebookEdit", "new_source", HOW_TEXT},
    {"NotebookRead", "cell_id", HOW_TEXT},
    {"Read", "pages", HOW_TEXT},
    {"LS", "ignore", HOW_TEXT},
    {"Glob", "pattern", HOW_PATH},
    {"Grep", "pattern", HOW_TEXT},
    {"Grep", "glob", HOW_PATH},
    {"WebFetch", "url prompt", HOW_TEXT},
    {"WebSearch", "query", HOW_TEXT},
    {"Task", "prompt", HOW_PROSE},
    {"Task", "description", HOW_TEXT},
    {"TodoWrite", "todos", HOW_TEXT},
    {"ExitPlanMode", "plan", HOW_PROSE},
};

enum { MEMBERS = sizeof members / sizeof *members };

/* Members that are a risk if they are set. */
static const struct {
    const char *key;
    enum risk_kind kind;
} switches[] = {
    {"run_in_background", RISK_LASTS},
    {"dangerouslyDisableSandbox", RISK_RIGHTS},
};

/* Parts of tool names that show a risk. */
static const struct risk_parts tool_parts[] = {
    {"web fetch http browser search download upload send push", RISK_NETWORK},
    {"delete remove drop", RISK_DELETES},
    {"exec eval", RISK_CODE},
    {"sudo", RISK_ROOT},
    {"kill", RISK_ENDS},
    {"secret credential", RISK_SECRETS},
    {"permission", RISK_RIGHTS},
};

const char *risk_phrase(enum risk_kind kind)
{
    return phrases_of[kind];
}

void risk_add_phrases(struct span_list *phrases, const struct risk_list *found, unsigned kinds,
                      struct arena *arena)
{
    CLEANUP(str_free) struct str text = {0};

    for (unsigned kind = 0; kind < RISK_COUNT; kind++) {
        size_t words = 0;
        if (!(kinds >> kind & 1))
            continue;
        str_set(&text, span_of(phrases_of[kind]));
        for (size_t i = 0; i < found->count; i++) {
            const struct risk *one = &found->items[i];
            if (one->kind != kind || !one->text.len || ++words > WORDS_MOST)
                continue;
            str_puts(&text, words > 1 ? ", \"" : ": \"");
            sanitize_add(&text, one->text, 0);
            str_putc(&text, '"');
        }
        if (words > WORDS_MOST)
            str_addf(&text, " and %zu more", words - WORDS_MOST);
        span_list_add(phrases, arena_copy(arena, str_span(&text)));
    }
}

void risk_list_free(struct risk_list *list)
{
    free(list->items);
    arena_free(&list->arena);
    *list = (struct risk_list){0};
}

static bool has_risk(const struct risk_list *list, const struct risk *risk)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == risk->kind && span_eq(list->items[i].text, risk->text))
            return true;
    return false;
}

/* Adds a risk, except for a word that is already in the list: it adds nothing, and would take the
 * place of others. */
static void add_risk(struct risk_search *search, struct risk risk)
{
    struct risk_list *list = search->found;
    bool fresh = !(search->kinds & 1U << risk.kind);

    if ((list->count >= FOUND_MAX && !fresh) || has_risk(list, &risk))
        return;
    search->kinds |= 1U << risk.kind;
    risk.key = search->key;
    risk.nested = search->nested;
    risk.string = search->string;
    risk.text = arena_copy(&list->arena, risk.text);
    *mem_push(list->items, list->count, list->cap) = risk;
}

void risk_note(struct risk_search *search, enum risk_kind kind, size_t at, size_t end)
{
    const struct risk_list *list = search->found;

    for (size_t i = 0; i < list->count; i++) {
        const struct risk *before = &list->items[i];
        if (before->kind == kind && before->key.at == search->key.at &&
            before->string == search->string && before->at <= at && end <= before->at + before->len)
            return;
    }
    add_risk(search, (struct risk){.kind = kind,
                                   .at = at,
                                   .len = end - at,
                                   .text = {search->text.at + at, end - at}});
}

static enum how how_used(struct span tool, struct span key)
{
    for (size_t i = 0; i < MEMBERS; i++)
        if (risk_is_listed(key, members[i].keys) &&
            (!members[i].tool || span_is(tool, members[i].tool)))
            return members[i].how;
    return HOW_SHELL;
}

static void check_text(struct risk_search *search, struct span text, enum how how)
{
    search->text = text;
    if (how == HOW_PROSE)
        risk_in_prose(search);
    else
        risk_in_hosts(search);
    if (how == HOW_PATH)
        risk_in_path(search);
    if (how != HOW_SHELL)
        return;
    risk_in_lines(search);
    risk_in_requests(search);
    risk_alike(search);
    risk_in_parts(search);
    risk_in_shell(search);
}

static void check_member(struct risk_search *search, struct json value, enum how how)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct json string;
    bool is_key;

    search->nested = value.kind != JSON_STRING;
    search->string = 0;
    while (json_next_string(&walk, &string, &is_key)) {
        if (is_key)
            continue;
        check_text(search, json_text(&search->found->arena, string), how);
        search->string++;
    }
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        bool off = value.kind == JSON_FALSE || value.kind == JSON_NULL;
        CLEANUP(str_free) struct str text = {0};
        str_addf(&text, "%s: ", switches[i].key);
        str_add_span(&text, value.raw);
        if (span_is(search->key, switches[i].key) && !off)
            add_risk(search, (struct risk){.kind = switches[i].kind, .text = str_span(&text)});
    }
}

static void check_tool(struct risk_search *search, struct span tool)
{
    CLEANUP(str_free) struct str folded = {0};
    bool alike = false;

    search->key = span_of("tool_name");
    search->text = tool;
    fold_add(&folded, tool);
    for (size_t i = 0; i < sizeof tool_parts / sizeof *tool_parts; i++) {
        const char *texts = tool_parts[i].texts;
        for (struct span part; (part = risk_take(&texts)).len;)
            if (memmem(str_c(&folded), folded.len, part.at, part.len))
                risk_note(search, tool_parts[i].kind, 0, tool.len);
    }
    for (size_t i = 0; i < MEMBERS; i++) {
        struct span name = span_of(members[i].tool);
        alike |= name.len && confusable_same(name, tool); /* false for the name itself */
    }
    if (alike)
        risk_note(search, RISK_ALIKE, 0, tool.len);
    risk_alike(search);
}

static void check_input(struct risk_search *search, struct span tool, struct span input)
{
    struct json_walk walk;
    struct json key, value;

    if (!input.len || !json_open(&walk, input, JSON_STRICT, NULL))
        return;
    while (json_next(&walk, &key, &value)) {
        search->key = arena_copy(&search->found->arena, json_text(&search->found->arena, key));
        if (tool_ignores(tool, search->key))
            add_risk(search, (struct risk){.kind = RISK_IGNORED, .text = search->key});
        check_member(search, value, how_used(tool, search->key));
    }
}

unsigned risk_find(const struct protocol *p, struct span cwd, struct risk_list *found)
{
    struct risk_search search = {.found = found, .cwd = cwd};

    if (p->kind == PROTOCOL_PERMISSION_REQUEST) {
        check_tool(&search, p->tool_name);
        check_input(&search, p->tool_name, p->input);
    } else if (p->kind == PROTOCOL_SANDBOX_PERMISSION_REQUEST && p->host.at) {
        search.key = span_of("host");
        search.text = p->host;
        risk_in_host(&search);
    } else if (p->kind == PROTOCOL_PLAN_APPROVAL_REQUEST) {
        search.key = span_of("plan");
        search.text = p->plan;
        risk_in_prose(&search);
    }
    return search.kinds;
}

unsigned risk_find_text(struct span text, struct span cwd, struct risk_list *found)
{
    struct risk_search search = {.found = found, .cwd = cwd, .key = span_of("text"), .text = text};

    risk_in_prose(&search);
    return search.kinds;
}
