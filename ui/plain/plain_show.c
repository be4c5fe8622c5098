/* The program without a screen: printing screens as lines. */
#include "ui/plain/plain_show.h"

#include "base/text/sanitize.h"
#include "ui/plain/plain.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Converting a grid to text. */

enum { BLANKS_MOST = 3, NUMBER_MOST = 9999 };

/* Returns the number of the row, from 1; 0 if it cannot be chosen. */
static size_t count_of(const struct grid *grid, int y)
{
    for (size_t i = 0; i < grid->stop_count; i++)
        if (grid->stops[i].y == y)
            return i + 1;
    return 0;
}

/* Appends one row as a line, with the number before it unless it is 0. */
static void plain_add_row(struct str *out, const struct grid *grid, int y, size_t number)
{
    if (number)
        str_addf(out, "%3zu. ", number);
    grid_add_row(out, grid, y);
    str_putc(out, '\n');
}

static bool is_blank(const struct grid *grid, int y)
{
    CLEANUP(str_free) struct str row = {0};

    grid_add_row(&row, grid, y);
    return row.len == 0;
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
            blanks = 1; /* empty space of a screen, not part of a text */
        for (; begun && blanks; blanks--)
            str_putc(out, '\n');
        plain_add_row(out, grid, y, count_of(grid, y));
        blanks = 0;
        begun = true;
    }
    return begun && !blanks;
}

bool plain_selected(const struct grid *grid, struct span *key)
{
    size_t number = count_of(grid, grid->cursor_y);

    if (number)
        *key =
            (struct span){grid->text.at + grid->stops[number - 1].at, grid->stops[number - 1].len};
    return number > 0;
}

static bool has_found(const struct grid *grid, int y)
{
    for (int x = 0; x < grid->columns; x++)
        if (grid->cells[(size_t)y * (size_t)grid->columns + (size_t)x].over == STYLE_FOUND)
            return true;
    return false;
}

bool plain_add_found(struct str *out, const struct grid *grid)
{
    bool any = false;

    for (int y = 0; y < grid->rows; y++) {
        if (!has_found(grid, y))
            continue;
        plain_add_row(out, grid, y, count_of(grid, y));
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

enum { ROWS = 200, TEXT_ROWS = 10000, COLUMNS = 80, COLUMNS_LEAST = 20 };

static void put_line(const struct str *text)
{
    if (text->len)
        fwrite(text->at, 1, text->len, stdout);
}

void plain_put(const struct plain *plain, struct span text)
{
    CLEANUP(str_free) struct str line = {0};

    sanitize_add(&line, text, plain->ui->grid.clean);
    str_putc(&line, '\n');
    put_line(&line);
}

void plain_put_said(struct plain *plain)
{
    struct saying *saying = &plain->ui->saying;

    if (saying->failed.len)
        plain_put(plain, str_span(&saying->failed));
    if (saying->said.len)
        plain_put(plain, str_span(&saying->said));
    str_clear(&saying->failed);
    str_clear(&saying->said);
}

static int columns(void)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col;
    int all = (known ? size.ws_col : COLUMNS) - PLAIN_MARGIN;

    return all > COLUMNS_LEAST ? all : COLUMNS_LEAST;
}

/* Reports whether the screen is only a text: it is printed whole, and nobody has to leave it. */
static bool is_text(struct ui *ui)
{
    return ui_top(ui)->where == IN_PAGER;
}

/* Returns the height to draw in: texts and reviews are printed whole. */
static int rows_for(struct ui *ui)
{
    return is_text(ui) || ui_top(ui)->where == IN_REVIEW ? TEXT_ROWS : ROWS;
}

static void draw_rows(struct ui *ui)
{
    int rows = rows_for(ui), width = columns();

    if (ui->grid.rows != rows || ui->grid.columns != width)
        grid_resize(&ui->grid, rows, width);
    else
        grid_clear(&ui->grid);
    struct area area = grid_area(&ui->grid);
    struct screen *screen = ui_top(ui);
    screen->ops->draw(screen, &ui->grid, &area);
}

/* Keeps the keys of the printed numbers: the person refers to them, whatever changes meanwhile. */
static void keep_stops(struct plain *plain)
{
    const struct grid *grid = &plain->ui->grid;

    plain->keys.count = 0;
    arena_free(&plain->arena);
    plain->arena = (struct arena){0};
    plain->screen = ui_top(plain->ui)->id;
    for (size_t i = 0; i < grid->stop_count; i++) {
        struct span key = {grid->text.at + grid->stops[i].at, grid->stops[i].len};
        span_list_add(&plain->keys, arena_copy(&plain->arena, key));
    }
}

void plain_show(struct plain *plain)
{
    struct ui *ui = plain->ui;
    CLEANUP(str_free) struct str text = {0}, summary = {0};

    ui->printing = true;
    ui->frame++;
    draw_rows(ui); /* the summary of a screen may depend on its size */
    ui->printing = false;
    frame_add_summary(ui, &summary);
    plain_put(plain, str_span(&summary));
    plain->more = plain_add_rows(&text, &ui->grid);
    put_line(&text);
    ui->drawn_us = time_steady();
    if (is_text(ui)) { /* the numbers printed before remain valid */
        ui_pop(ui, ui_top(ui));
        ui_bury(ui);
        plain->more = false;
    } else {
        keep_stops(plain);
    }
    if (plain->more)
        puts("(there may be more: an empty line goes on)");
}

/* Returns the number of a row; a row that came since the numbers were printed gets the next one. */
static size_t number_of(struct plain *plain, struct span key)
{
    for (size_t i = 0; i < plain->keys.count; i++)
        if (span_eq(plain->keys.items[i], key))
            return i + 1;
    span_list_add(&plain->keys, arena_copy(&plain->arena, key));
    return plain->keys.count;
}

void plain_show_row(struct plain *plain, bool found)
{
    const struct grid *grid = &plain->ui->grid;
    CLEANUP(str_free) struct str text = {0};
    struct span key;

    draw_rows(plain->ui);
    if (!(found && plain_add_found(&text, grid)) && plain_selected(grid, &key))
        plain_add_row(&text, grid, grid->cursor_y, number_of(plain, key));
    put_line(&text);
}

void plain_put_prompt(struct plain *plain)
{
    CLEANUP(str_free) struct str text = {0};

    if (plain->ui->prompt)
        prompt_add_question(plain->ui, &text);
    else if (plain_form_asks(plain))
        plain_form_add_question(plain, &text);
    else
        str_puts(&text, "swarmutt> ");
    CLEANUP(str_free) struct str cleaned = {0};
    sanitize_add(&cleaned, str_span(&text), plain->ui->grid.clean | SANITIZE_LINES);
    put_line(&cleaned);
    fflush(stdout);
}

void plain_next_page(struct plain *plain)
{
    struct ui *ui = plain->ui;
    struct screen *screen = ui_top(ui);

    /* a list continues after the last row printed, wherever the cursor was */
    if (plain->keys.count && screen->where & IN_LISTS && screen->ops->choose)
        screen->ops->choose(screen, plain->keys.items[plain->keys.count - 1], false);
    CLEANUP(str_free) struct str before = {0}, after = {0};
    draw_rows(ui);
    plain_add_rows(&before, &ui->grid);
    ui_act(ui, ACTION_PAGE_DOWN, (struct span){0});
    draw_rows(ui);
    plain_add_rows(&after, &ui->grid);
    if (span_eq(str_span(&before), str_span(&after))) {
        puts("that was all of it");
        plain->more = false;
    } else {
        plain_show(plain);
    }
}
