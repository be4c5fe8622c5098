/* Plain text of screens. */
#include "ui/plain/plain_text.h"

enum { BLANKS_MOST = 3, NUMBER_MOST = 9999 };

/* The number of the row, from 1; 0 when it cannot be chosen. */
static size_t number_of(const struct grid *grid, int y)
{
    for (size_t i = 0; i < grid->stop_count; i++)
        if (grid->stops[i].y == y)
            return i + 1;
    return 0;
}

void plain_add_row(struct str *out, const struct grid *grid, int y, size_t number)
{
    if (number)
        str_addf(out, "%3zu. ", number);
    grid_add_row(out, grid, y);
    str_putc(out, '\n');
}

static bool is_blank(const struct grid *grid, int y)
{
    struct str row = {0};

    grid_add_row(&row, grid, y);
    bool blank = row.len == 0;
    str_free(&row);
    return blank;
}

bool plain_add_rows(struct str *out, const struct grid *grid)
{
    int blanks = 0;
    bool begun = false;

    for (int y = 0; y < grid->rows; y++) {
        if (is_blank(grid, y)) {
            blanks++;
            continue;
        }
        if (blanks > BLANKS_MOST)
            blanks = 1; /* room that a screen leaves, not a text */
        for (; begun && blanks; blanks--)
            str_putc(out, '\n');
        plain_add_row(out, grid, y, number_of(grid, y));
        blanks = 0;
        begun = true;
    }
    return begun && !blanks;
}

bool plain_selected(const struct grid *grid, struct span *key)
{
    size_t number = number_of(grid, grid->cursor_y);

    if (number)
        *key =
            (struct span){grid->text.at + grid->stops[number - 1].at, grid->stops[number - 1].len};
    return number > 0;
}

static bool has_found(const struct grid *grid, int y)
{
    for (int x = 0; x < grid->columns; x++)
        if (grid->cells[(size_t)y * (size_t)grid->columns + (size_t)x].over == LOOK_FOUND)
            return true;
    return false;
}

bool plain_add_found(struct str *out, const struct grid *grid)
{
    bool any = false;

    for (int y = 0; y < grid->rows; y++) {
        if (!has_found(grid, y))
            continue;
        plain_add_row(out, grid, y, number_of(grid, y));
        any = true;
    }
    return any;
}

bool plain_take_line(struct str *input, bool ended, struct str *line)
{
    const char *end = input->len ? memchr(input->at, '\n', input->len) : NULL;
    size_t len = end ? (size_t)(end - input->at) : input->len;

    if (!end && !(ended && input->len))
        return false;
    str_clear(line);
    str_add(line, input->at, len);
    if (line->len && line->at[line->len - 1] == '\r')
        line->at[--line->len] = '\0';
    size_t used = end ? len + 1 : len;
    memmove(input->at, input->at + used, input->len - used);
    input->len -= used;
    input->at[input->len] = '\0';
    return true;
}

bool plain_take_number(struct span *line, size_t *number)
{
    struct span rest = span_trim(*line);
    size_t value = 0, digits = 0;

    while (digits < rest.len && rest.at[digits] >= '0' && rest.at[digits] <= '9') {
        value = value * 10 + (size_t)(rest.at[digits++] - '0');
        if (value > NUMBER_MOST)
            value = NUMBER_MOST;
    }
    if (!digits || (digits < rest.len && rest.at[digits] != ' '))
        return false;
    *number = value;
    *line = span_trim((struct span){rest.at + digits, rest.len - digits});
    return true;
}
