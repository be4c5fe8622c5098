/* Columns and excerpts: measuring, cutting, and the line around a match. */
#include "mail/render/columns.h"

#include "base/text/sanitize.h"

/* Measuring and cutting columns. */

enum { LINE_LEAST = 20 }; /* columns of a line that no tail may take */

size_t columns_for_name(size_t screen)
{
    return screen && screen < COLUMNS_NARROW ? COLUMNS_NAME_NARROW : COLUMNS_NAME;
}

struct span columns_name(struct span name, size_t screen)
{
    struct span swarm, bare;
    bool narrow = screen && screen < COLUMNS_NARROW;

    return narrow && span_split_last(name, '/', &swarm, &bare) ? bare : name;
}

void columns_add_short(struct str *out, struct span name, size_t columns, unsigned clean)
{
    CLEANUP(str_free) struct str text = {0};
    struct span swarm, bare;
    size_t wide = sanitize_add(&text, name, clean);

    if (wide > columns && span_split_last(name, '/', &swarm, &bare)) {
        str_clear(&text);
        str_putc(&text, '~');
        wide = 1 + sanitize_add(&text, bare, clean);
        if (wide > columns) { /* mark the cut in the middle too */
            str_clear(&text);
            wide = sanitize_add(&text, bare, clean);
        }
    }
    if (wide > columns && columns > 2 &&
        wide == text.len) { /* one byte per column: can be cut anywhere */
        size_t end = columns / 2;
        str_add(out, text.at, columns - end - 1);
        str_putc(out, '~');
        str_add(out, text.at + text.len - end, end);
    } else {
        sanitize_cut(out, str_span(&text), clean, columns);
    }
}

void columns_add_age(struct str *out, int64_t since_us, int64_t now_us)
{
    if (since_us == TIME_NONE)
        str_putc(out, '-');
    else
        time_add_age(out, now_us - since_us);
}

void columns_widen(size_t *width, size_t most, struct span text, struct str *scratch,
                   unsigned clean)
{
    str_clear(scratch);
    size_t columns = sanitize_add(scratch, text, clean);
    if (columns > *width)
        *width = columns < most ? columns : most;
}

void columns_add_whole(struct str *out, struct span text, size_t width, unsigned clean)
{
    size_t columns = sanitize_add(out, text, clean);

    if (columns < width)
        str_pad(out, ' ', width - columns);
}

void columns_add_tail(struct str *tail, const struct message *message, unsigned clean)
{
    if (priority_is_given(message->priority))
        str_addf(tail, "  %s", priority_name(message->priority));
    str_puts(tail, "  ");
    sanitize_add(tail, message->id, clean);
}

void columns_put_line(struct str *out, struct span line, struct span tail, unsigned clean,
                      size_t screen)
{
    CLEANUP(str_free) struct str scratch = {0};
    size_t behind = sanitize_add(&scratch, tail, clean);

    if (!screen) {
        str_add_span(out, line);
        str_add_span(out, tail);
    } else if (screen < behind + LINE_LEAST) {
        str_set(&scratch, line);
        str_add_span(&scratch, tail);
        sanitize_cut(out, str_span(&scratch), clean, screen);
    } else {
        sanitize_cut(out, line, clean, screen - behind);
        str_add_span(out, tail);
    }
    str_putc(out, '\n');
}

enum { BEFORE_BYTES = 40, LINE_BYTES = 400 };

static bool is_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Returns `end`, moved back to the start of a character. */
static size_t whole(struct span text, size_t end)
{
    while (end && end < text.len && ((unsigned char)text.at[end] & 0xc0) == 0x80)
        end--;
    return end;
}

static struct excerpt first_line(struct span text)
{
    text = span_first_line(span_trim(text));
    if (text.len > LINE_BYTES)
        text.len = whole(text, LINE_BYTES);
    return (struct excerpt){.before = span_trim_end(text)};
}

/* Returns the start of the excerpt: the start of the line, or a blank not far before the match. */
static size_t start_of(struct span text, size_t at, bool *cut)
{
    size_t start = at, least = at > BEFORE_BYTES ? at - BEFORE_BYTES : 0;

    while (start > least && !is_end(text.at[start - 1]))
        start--;
    *cut = start > 0 && !is_end(text.at[start - 1]);
    size_t blank = start;
    while (*cut && blank < at && text.at[blank] != ' ')
        blank++;
    start = blank < at ? blank : whole(text, start);
    while (start < at && (text.at[start] == ' ' || text.at[start] == '\t'))
        start++;
    return start;
}

struct excerpt excerpt_of(const struct query *query, const struct message *message)
{
    struct excerpt excerpt = {0};
    enum query_part part;
    struct span found;

    if (!query_find_words(query, message, &part, &found))
        return first_line(query_part(message, QUERY_PART_BODY));
    struct span text = query_part(message, part);
    size_t at = (size_t)(found.at - text.at), end = at + found.len;
    size_t start = start_of(text, at, &excerpt.cut), stop = end;
    while (stop < text.len && stop - start < LINE_BYTES && !is_end(text.at[stop]))
        stop++;
    stop = whole(text, stop);
    excerpt.before = (struct span){text.at + start, at - start};
    excerpt.found = found;
    excerpt.after = span_trim_end((struct span){text.at + end, stop - end});
    return excerpt;
}

void excerpt_add_part(struct str *out, struct span part, unsigned clean)
{
    CLEANUP(str_free) struct str line = {0};

    str_add_span(&line, part);
    for (size_t i = 0; i < line.len; i++)
        if (is_end(line.at[i]) || line.at[i] == '\t')
            line.at[i] = ' ';
    sanitize_add(out, str_span(&line), clean | SANITIZE_LINE);
}

void excerpt_add(struct str *out, const struct excerpt *excerpt, unsigned clean)
{
    if (excerpt->cut)
        str_puts(out, "... ");
    excerpt_add_part(out, excerpt->before, clean);
    excerpt_add_part(out, excerpt->found, clean);
    excerpt_add_part(out, excerpt->after, clean);
}
