/* The grid: cells, and putting cleaned text into them. */
#include "ui/term/grid.h"

#include "base/mem.h"
#include "base/text/sanitize.h"

#include <stdio.h>
#include <stdlib.h>

/* Wrapping a line of text. */

/* Cuts `row` bytes off the front and returns them, without the blank at which the row was
 * broken. */
static struct span take_cell(struct span *rest, size_t row)
{
    struct span taken = {rest->at, row};

    *rest = (struct span){rest->at + row, rest->len - row};
    if (rest->len && taken.len > 1 && taken.at[taken.len - 1] == ' ')
        taken.len--;
    return taken;
}

struct span wrap_take(struct span *rest, int columns, unsigned clean)
{
    struct sanitize_cursor cursor = {.rest = *rest, .mode = clean};
    struct sanitize_piece piece;
    size_t broken = 0;
    int used = 0;

    for (;;) {
        size_t at = (size_t)(cursor.rest.at - rest->at);
        bool blank = cursor.rest.len && *cursor.rest.at == ' ';
        if (!sanitize_next(&cursor, &piece))
            return take_cell(rest, rest->len);
        if (used && used + piece.columns > columns) {
            if (blank)
                return take_cell(rest, at + 1);
            return take_cell(rest, broken ? broken : at);
        }
        used += piece.columns;
        if (blank)
            broken = at + 1;
    }
}

int wrap_put(struct grid *grid, const struct area *area, int y, int x, int rows, int style,
             struct span text)
{
    int columns = area->columns - x, used = 0;

    if (columns <= 0)
        return 0;
    while (text.len && used < rows) {
        struct span row = used + 1 < rows ? wrap_take(&text, columns, grid->clean) : text;
        if (row.at == text.at && row.len == text.len)
            text.len = 0;
        grid_put(grid, area, y + used++, x, columns, style, row);
    }
    return used;
}

void grid_resize(struct grid *grid, int rows, int columns)
{
    free(grid->cells);
    grid->rows = rows;
    grid->columns = columns;
    grid->cells = mem_zero((size_t)rows * (size_t)columns + 1, sizeof *grid->cells);
    grid_clear(grid);
}

void grid_clear(struct grid *grid)
{
    memset(grid->cells, 0, (size_t)grid->rows * (size_t)grid->columns * sizeof *grid->cells);
    str_clear(&grid->text);
    grid->stop_count = 0;
    grid->cursor_y = grid->cursor_x = 0;
    grid->has_cursor = false;
}

void grid_free(struct grid *grid)
{
    free(grid->cells);
    free(grid->stops);
    str_free(&grid->text);
    *grid = (struct grid){0};
}

struct area grid_area(const struct grid *grid)
{
    return (struct area){0, 0, grid->rows, grid->columns};
}

static int at_most(int wanted, int there)
{
    if (there < 0)
        there = 0;
    return wanted < there ? wanted : there;
}

struct area area_take_top(struct area *area, int rows)
{
    struct area top = {area->y, area->x, at_most(rows, area->rows), area->columns};

    area->y += top.rows;
    area->rows -= top.rows;
    return top;
}

struct area area_take_bottom(struct area *area, int rows)
{
    struct area bottom = {0, area->x, at_most(rows, area->rows), area->columns};

    area->rows -= bottom.rows;
    bottom.y = area->y + area->rows;
    return bottom;
}

struct area area_take_left(struct area *area, int columns)
{
    struct area left = {area->y, area->x, area->rows, at_most(columns, area->columns)};

    area->x += left.columns;
    area->columns -= left.columns;
    return left;
}

/* Returns the cell, or NULL outside of the area or the grid. */
static struct cell *cell_at(struct grid *grid, const struct area *area, int y, int x)
{
    if (y < 0 || x < 0 || y >= area->rows || x >= area->columns)
        return NULL;
    y += area->y;
    x += area->x;
    if (y < 0 || x < 0 || y >= grid->rows || x >= grid->columns)
        return NULL;
    return &grid->cells[(size_t)y * (size_t)grid->columns + (size_t)x];
}

/* Clears what is left of a wide character when one half of it is overwritten. */
static void uncover(struct grid *grid, const struct area *area, int y, int x)
{
    struct cell *cell = cell_at(grid, area, y, x), *behind = cell_at(grid, area, y, x + 1);

    if (cell && cell->covered && x > 0) {
        struct cell *wide = cell_at(grid, area, y, x - 1);
        if (wide)
            wide->len = 0;
    }
    if (behind && behind->covered)
        behind->covered = 0;
}

static void put_piece(struct grid *grid, const struct area *area, int y, int x, int style,
                      const struct sanitize_piece *piece)
{
    struct cell *cell = cell_at(grid, area, y, x);
    /* The escape for bytes that are not UTF-8 is one character of several bytes. */
    bool spelled = piece->escaped && piece->len == piece->columns;
    int columns = spelled ? piece->columns : 1;

    if (!cell)
        return;
    for (int i = 0; i < columns; i++) { /* an escape takes one cell per character */
        cell = cell_at(grid, area, y, x + i);
        if (!cell)
            return;
        uncover(grid, area, y, x + i);
        *cell = (struct cell){.at = (uint32_t)grid->text.len,
                              .len = spelled ? 1 : piece->len,
                              .style = (uint8_t)style,
                              .over = cell->over};
        str_add(&grid->text, piece->text + (spelled ? i : 0), cell->len);
    }
    if (!piece->escaped && piece->columns == 2 && (cell = cell_at(grid, area, y, x + 1)))
        *cell = (struct cell){.covered = 1, .style = (uint8_t)style, .over = cell->over};
}

/* Adds a combining mark to the cell before. */
static void put_mark(struct grid *grid, const struct area *area, int y, int x,
                     const struct sanitize_piece *piece)
{
    struct cell *cell = cell_at(grid, area, y, x - 1);

    if (cell && cell->covered)
        cell = cell_at(grid, area, y, x - 2);
    if (!cell || !cell->len || cell->len + piece->len > UINT8_MAX ||
        cell->at + cell->len != grid->text.len)
        return;
    str_add(&grid->text, piece->text, piece->len);
    cell->len = (uint8_t)(cell->len + piece->len);
}

static bool cell_fits(struct span text, unsigned clean, int columns)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = clean};
    struct sanitize_piece piece;
    int used = 0;

    while (used <= columns && sanitize_next(&cursor, &piece))
        used += piece.columns;
    return used <= columns;
}

int grid_put(struct grid *grid, const struct area *area, int y, int x, int columns, int style,
             struct span text)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = grid->clean};
    struct sanitize_piece piece;
    int used = 0;

    columns = at_most(columns, area->columns - x);
    if (columns <= 0)
        return 0;
    int room = cell_fits(text, grid->clean, columns) ? columns : columns - 1;
    while (sanitize_next(&cursor, &piece)) {
        if (used + piece.columns > room) {
            put_piece(grid, area, y, x + used, style,
                      &(struct sanitize_piece){.text = "~", .len = 1, .columns = 1});
            return used + 1;
        }
        int shown = piece.escaped ? STYLE_ESCAPED : style;
        if (piece.columns)
            put_piece(grid, area, y, x + used, shown, &piece);
        else
            put_mark(grid, area, y, x + used, &piece);
        used += piece.columns;
    }
    return used;
}

void grid_put_from(struct grid *grid, const struct area *area, int y, int x, int style,
                   struct span text)
{
    struct sanitize_cursor cursor = {.rest = text, .mode = grid->clean};
    struct sanitize_piece piece;

    while (x < area->columns && sanitize_next(&cursor, &piece)) {
        if (x >= 0 && piece.columns)
            put_piece(grid, area, y, x, piece.escaped ? STYLE_ESCAPED : style, &piece);
        else if (x > 0 && !piece.columns)
            put_mark(grid, area, y, x, &piece);
        x += piece.columns;
    }
}

int grid_puts(struct grid *grid, const struct area *area, int y, int x, int style, const char *text)
{
    return grid_put(grid, area, y, x, area->columns - x, style, span_of(text));
}

int grid_putf(struct grid *grid, const struct area *area, int y, int x, int style,
              const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return grid_puts(grid, area, y, x, style, text);
}

void grid_look(struct grid *grid, const struct area *area, int y, int style)
{
    for (int x = 0; x < area->columns; x++) {
        struct cell *cell = cell_at(grid, area, y, x);
        if (cell)
            cell->style = (uint8_t)style;
    }
}

void grid_over(struct grid *grid, const struct area *area, int y, int x, int columns, int over)
{
    for (int i = 0; i < columns; i++) {
        struct cell *cell = cell_at(grid, area, y, x + i);
        if (cell)
            cell->over = (uint8_t)over;
    }
}

static void put_line(struct grid *grid, const struct area *area, int y, int x, int style,
                     const char *ascii, const char *line)
{
    struct sanitize_piece piece = {.columns = 1};

    piece.len = (unsigned char)snprintf(piece.text, sizeof piece.text, "%s",
                                        grid->clean & SANITIZE_ASCII ? ascii : line);
    put_piece(grid, area, y, x, style, &piece);
}

void grid_rule(struct grid *grid, const struct area *area, int y, int style)
{
    for (int x = 0; !grid->plain && x < area->columns; x++)
        put_line(grid, area, y, x, style, "-", "\xe2\x94\x80");
}

void grid_wall(struct grid *grid, const struct area *area, int x, int style)
{
    for (int y = 0; !grid->plain && y < area->rows; y++)
        put_line(grid, area, y, x, style, "|", "\xe2\x94\x82");
}

void grid_cursor(struct grid *grid, const struct area *area, int y, int x)
{
    if (!cell_at(grid, area, y, x))
        return;
    grid->cursor_y = area->y + y;
    grid->cursor_x = area->x + x;
    grid->has_cursor = true;
}

void grid_stop(struct grid *grid, const struct area *area, int y, struct span key)
{
    if (!grid->plain || !cell_at(grid, area, y, 0))
        return;
    *mem_push(grid->stops, grid->stop_count, grid->stop_cap) =
        (struct grid_stop){area->y + y, (uint32_t)grid->text.len, (uint32_t)key.len};
    str_add_span(&grid->text, key);
}

void grid_add_row(struct str *out, const struct grid *grid, int y)
{
    size_t end = out->len;

    for (int x = 0; x < grid->columns; x++) {
        const struct cell *cell = &grid->cells[(size_t)y * (size_t)grid->columns + (size_t)x];
        if (cell->covered)
            continue;
        if (!cell->len) {
            str_putc(out, ' ');
            continue;
        }
        str_add(out, grid->text.at + cell->at, cell->len);
        if (cell->len != 1 || grid->text.at[cell->at] != ' ')
            end = out->len;
    }
    if (out->at)
        out->at[out->len = end] = '\0';
}
