/* Wrapping a line of text. */
#include "ui/term/wrap.h"

#include "base/text/clean.h"

/* Cuts the text behind `row` bytes; the blank that it was broken at hangs undrawn. */
static struct span take(struct span *rest, size_t row)
{
    struct span taken = {rest->at, row};

    *rest = (struct span){rest->at + row, rest->len - row};
    if (rest->len && taken.len > 1 && taken.at[taken.len - 1] == ' ')
        taken.len--;
    return taken;
}

struct span wrap_take(struct span *rest, int columns, unsigned clean)
{
    struct clean_cursor cursor = {.rest = *rest, .mode = clean};
    struct clean_piece piece;
    size_t broken = 0;
    int used = 0;

    for (;;) {
        size_t at = (size_t)(cursor.rest.at - rest->at);
        bool blank = cursor.rest.len && *cursor.rest.at == ' ';
        if (!clean_next(&cursor, &piece))
            return take(rest, rest->len);
        if (used && used + piece.columns > columns) {
            if (blank)
                return take(rest, at + 1);
            return take(rest, broken ? broken : at);
        }
        used += piece.columns;
        if (blank)
            broken = at + 1;
    }
}

int wrap_put(struct grid *grid, const struct area *area, int y, int x, int rows, int look,
             struct span text)
{
    int columns = area->columns - x, used = 0;

    if (columns <= 0)
        return 0;
    while (text.len && used < rows) {
        struct span row = used + 1 < rows ? wrap_take(&text, columns, grid->clean) : text;
        if (row.at == text.at && row.len == text.len)
            text.len = 0;
        grid_put(grid, area, y + used++, x, columns, look, row);
    }
    return used;
}
