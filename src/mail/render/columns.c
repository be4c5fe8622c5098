/* Columns: measuring and cutting. */
#include "mail/render/columns.h"

#include "base/text/clean.h"

enum { LINE_LEAST = 20 }; /* columns of a line that no tail takes away */

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
    struct str text = {0};
    struct span swarm, bare;
    size_t wide = clean_add(&text, name, clean);

    if (wide > columns && span_split_last(name, '/', &swarm, &bare)) {
        str_clear(&text);
        str_putc(&text, '~');
        wide = 1 + clean_add(&text, bare, clean);
        if (wide > columns) { /* the middle will be marked too */
            str_clear(&text);
            wide = clean_add(&text, bare, clean);
        }
    }
    if (wide > columns && columns > 2 && wide == text.len) { /* a byte a column: cut anywhere */
        size_t end = columns / 2;
        str_add(out, text.at, columns - end - 1);
        str_putc(out, '~');
        str_add(out, text.at + text.len - end, end);
    } else {
        clean_cut(out, str_span(&text), clean, columns);
    }
    str_free(&text);
}

void columns_widen(size_t *width, size_t most, struct span text, struct str *scratch,
                   unsigned clean)
{
    str_clear(scratch);
    size_t columns = clean_add(scratch, text, clean);
    if (columns > *width)
        *width = columns < most ? columns : most;
}

void columns_add_tail(struct str *tail, const struct message *message, unsigned clean)
{
    if (priority_is_told(message->priority))
        str_addf(tail, "  %s", priority_name(message->priority));
    str_puts(tail, "  ");
    clean_add(tail, message->id, clean);
}

void columns_put_line(struct str *out, struct span line, struct span tail, unsigned clean,
                      size_t screen)
{
    struct str scratch = {0};
    size_t behind = clean_add(&scratch, tail, clean);

    if (!screen) {
        str_add_span(out, line);
        str_add_span(out, tail);
    } else if (screen < behind + LINE_LEAST) {
        str_clear(&scratch);
        str_add_span(&scratch, line);
        str_add_span(&scratch, tail);
        clean_cut(out, str_span(&scratch), clean, screen);
    } else {
        clean_cut(out, line, clean, screen - behind);
        str_add_span(out, tail);
    }
    str_putc(out, '\n');
    str_free(&scratch);
}
