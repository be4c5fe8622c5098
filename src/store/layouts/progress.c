/* progress.md: finding a section in Markdown, and the place for a line there. */
#include "store/layouts/progress.h"

#include "base/text/utf8.h"

/* What the Memory Bank starts with. */
static const char blank_log[] =
    "# Progress Log\n\n## Completed Tasks\n\n- \n\n## Next Steps\n\n- \n\n"
    "## Blockers\n\n- ";

struct line {
    struct span text; /* without its end */
    struct span end;  /* "\n", "\r\n", or nothing */
};

static struct line line_at(struct span text, size_t at)
{
    struct span rest = {text.at + at, text.len - at};
    struct span line = span_first_line(rest);
    size_t end = line.len < rest.len;

    if (end && line.len && line.at[line.len - 1] == '\r') {
        line.len--;
        end++;
    }
    return (struct line){line, {line.at + line.len, end}};
}

static bool is_fence(struct span line)
{
    struct span text = span_trim(line);

    return span_starts(text, span_of("```")) || span_starts(text, span_of("~~~"));
}

/* Of the first or second level: those end a section. */
static bool is_heading(struct span line)
{
    return span_starts(line, span_of("# ")) || span_starts(line, span_of("## "));
}

static bool is_titled(struct span line, const char *title)
{
    if (!span_starts(line, span_of("## ")))
        return false;
    return span_is(span_trim((struct span){line.at + 3, line.len - 3}), title);
}

/* A line across the page, such as --- or * * *. */
static bool is_rule(struct span line)
{
    size_t marks = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] == ' ' || line.at[i] == '\t')
            continue;
        if (!line.at[i] || !strchr("-*_", line.at[i]))
            return false;
        marks++;
    }
    return marks >= 3;
}

/* The character of a list item, or 0. */
static char bullet_of(struct span line)
{
    struct span text = span_trim(line);

    if (!text.len || !text.at[0] || !strchr("-*+", text.at[0]))
        return 0;
    return text.len == 1 || text.at[1] == ' ' || text.at[1] == '\t' ? text.at[0] : 0;
}

struct section {
    bool found;
    struct line last;   /* that says something: at least its heading */
    struct line bullet; /* the first list item */
    size_t bullets;
};

static void note_line(struct section *section, struct line line, bool fenced)
{
    if (!span_trim(line.text).len || (!fenced && is_rule(line.text)))
        return;
    section->last = line;
    if (!fenced && bullet_of(line.text) && section->bullets++ == 0)
        section->bullet = line;
}

static struct section find_section(struct span log, const char *title)
{
    struct section section = {0};
    bool fenced = false;

    for (size_t at = 0; at < log.len;) {
        struct line line = line_at(log, at);
        at += line.text.len + line.end.len;
        bool fence = is_fence(line.text);
        if (!fenced && !fence && is_heading(line.text)) {
            if (section.found)
                break;
            section.found = is_titled(line.text, title);
            section.last = line;
        } else if (section.found) {
            note_line(&section, line, fenced || fence);
        }
        fenced ^= fence;
    }
    return section;
}

static struct span line_end_of(struct span log)
{
    struct span end = log.len ? line_at(log, 0).end : (struct span){0};

    return end.len ? end : span_of("\n");
}

static void add_section(struct str *out, struct span log, const char *title, struct span entry)
{
    struct span end = line_end_of(log);

    str_add_span(out, log);
    str_add_span(out, end);
    str_add_span(out, end);
    str_addf(out, "## %s", title);
    str_add_span(out, end);
    str_puts(out, "- ");
    str_add_span(out, entry);
    str_add_span(out, end);
}

void progress_add(struct str *out, struct span log, const char *section, struct span entry)
{
    if (!log.len)
        log = span_of(blank_log);
    struct section found = find_section(log, section);
    if (!found.found) {
        add_section(out, log, section, entry);
        return;
    }
    bool replace = found.bullets == 1 && span_trim(found.bullet.text).len == 1;
    struct line anchor = replace ? found.bullet : found.last;
    char bullet = found.bullets ? bullet_of(found.bullet.text) : '-';
    const char *start = span_trim(anchor.text).at, *end = anchor.text.at + anchor.text.len;

    str_add(out, log.at, (size_t)((replace ? start : end) - log.at));
    if (!replace)
        str_add_span(out, anchor.end.len ? anchor.end : line_end_of(log));
    str_putc(out, bullet);
    str_putc(out, ' ');
    str_add_span(out, entry);
    str_add(out, end, (size_t)(log.at + log.len - end));
}

static int32_t harmless(int32_t code)
{
    if (code == '\n' || code == '\r' || code == '\t' || code == 0x85 || code == 0x2028 ||
        code == 0x2029)
        return ' ';
    if (code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code <= 0xdfff) ||
        (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069))
        return 0xfffd;
    return code;
}

void progress_add_text(struct str *out, struct span text, size_t most)
{
    struct span rest = span_trim(text);

    for (; rest.len && most; most--)
        utf8_add(out, harmless(utf8_next(&rest)));
    if (rest.len)
        str_puts(out, "...");
}
