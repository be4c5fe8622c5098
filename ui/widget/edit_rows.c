/* Edit, rows: the text broken to a width, and the cursor in it. */
#include "ui/widget/edit_private.h"

#include "base/mem.h"
#include "base/text/clean.h"

/* The columns of a character that is drawn at that column of a row. */
static size_t columns_at(const struct edit_cell *cell, size_t column)
{
    return cell->first == '\t' ? EDIT_TAB - column % EDIT_TAB : cell->columns;
}

/* The column behind a character. Blanks that do not fit hang in the last one. */
static size_t column_behind(const struct edit *edit, const struct edit_cell *cell, size_t column)
{
    size_t behind = column + columns_at(cell, column);

    if (!cell->blank || behind <= edit->rows.columns)
        return behind;
    return column > edit->rows.columns ? column : edit->rows.columns;
}

static void add_row(struct edit_rows *rows, size_t start)
{
    rows->starts = mem_grow(rows->starts, &rows->cap, rows->count + 1, sizeof *rows->starts);
    rows->starts[rows->count++] = start;
}

/* A row while it is filled. */
struct filling {
    size_t column;      /* behind what it has */
    size_t word;        /* where the last word in it begins; the start of the row: there is none */
    size_t word_column; /* where that is drawn */
};

/* Breaks before the word that does not fit, or in it when it has the row for itself. */
static void break_row(struct edit *edit, struct filling *row, size_t at)
{
    bool whole = row->word > edit->rows.starts[edit->rows.count - 1];
    size_t start = whole ? row->word : at;

    add_row(&edit->rows, start);
    *row = (struct filling){.column = whole ? row->column - row->word_column : 0, .word = start};
}

static void may_break(struct filling *row, size_t at)
{
    row->word = at;
    row->word_column = row->column;
}

static void fill_row(struct edit *edit, struct filling *row, size_t at,
                     const struct edit_cell *cell)
{
    const struct edit_rows *rows = &edit->rows;

    if (cell->wide)
        may_break(row, at);
    while (!cell->blank && row->column + cell->columns > rows->columns &&
           at > rows->starts[rows->count - 1])
        break_row(edit, row, at);
    row->column = column_behind(edit, cell, row->column);
    if (cell->blank || cell->wide)
        may_break(row, cell->end);
}

/* From a row on that has just been added. */
static void fill_rows(struct edit *edit, size_t start)
{
    struct filling row = {.word = start};

    for (size_t at = start; at < edit->text.len;) {
        struct edit_cell cell = edit_cell(edit, at);
        if (cell.first == '\n') {
            add_row(&edit->rows, cell.end);
            row = (struct filling){.word = cell.end};
        } else {
            fill_row(edit, &row, at, &cell);
        }
        at = cell.end;
    }
}

/* The last row that begins at or before that place. */
static size_t row_of(const struct edit *edit, size_t at)
{
    size_t low = 0, high = edit->rows.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (edit->rows.starts[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Lays out at the last width, unless that has been done. */
static void update_rows(struct edit *edit)
{
    struct edit_rows *rows = &edit->rows;
    size_t columns = edit->columns ? edit->columns : SIZE_MAX / 2, start = 0;

    if (rows->count && rows->columns == columns) {
        if (rows->version == edit->version)
            return;
        start = edit_line_start(edit, rows->same); /* lines before it are as they were */
        rows->count = row_of(edit, start);
    } else {
        rows->count = 0;
    }
    rows->version = edit->version;
    rows->columns = columns;
    rows->same = SIZE_MAX;
    add_row(rows, start);
    fill_rows(edit, start);
}

static size_t row_end(const struct edit *edit, size_t row)
{
    return row + 1 < edit->rows.count ? edit->rows.starts[row + 1] : edit->text.len;
}

static size_t column_of(const struct edit *edit, size_t row, size_t place)
{
    size_t column = 0;

    for (size_t at = edit->rows.starts[row]; at < place;) {
        struct edit_cell cell = edit_cell(edit, at);
        column = column_behind(edit, &cell, column);
        at = cell.end;
    }
    return column;
}

struct edit_layout edit_layout(struct edit *edit, size_t columns)
{
    if (edit->columns != columns)
        edit_forget_column(edit);
    edit->columns = columns ? columns : 1;
    update_rows(edit);
    size_t row = row_of(edit, edit->cursor), column = column_of(edit, row, edit->cursor);
    return (struct edit_layout){.rows = edit->rows.count,
                                .row = row,
                                .column = column < edit->columns ? column : edit->columns};
}

struct span edit_row(const struct edit *edit, size_t row)
{
    if (row >= edit->rows.count)
        return span_of("");
    size_t start = edit->rows.starts[row];
    return (struct span){str_c(&edit->text) + start, row_end(edit, row) - start};
}

/* With all that follows in view: a joiner counts as one only before what it joins. */
static void draw_cell(const struct edit *edit, size_t at, size_t end, struct str *out)
{
    struct clean_cursor cursor = {.rest = {edit->text.at + at, edit->text.len - at},
                                  .mode = edit->ascii ? CLEAN_ASCII : 0};
    struct clean_piece piece;

    while (clean_next(&cursor, &piece) && edit->text.len - cursor.rest.len <= end)
        str_add(out, piece.text, piece.len);
}

size_t edit_draw(const struct edit *edit, size_t row, struct str *out)
{
    size_t column = 0;

    if (row >= edit->rows.count)
        return 0;
    for (size_t at = edit->rows.starts[row], end = row_end(edit, row); at < end;) {
        struct edit_cell cell = edit_cell(edit, at);
        if (cell.first == '\n')
            break;
        size_t behind = column_behind(edit, &cell, column);
        if (cell.blank)
            str_pad(out, ' ', behind - column);
        else
            draw_cell(edit, at, cell.end, out);
        column = behind;
        at = cell.end;
    }
    return column;
}

/* The last place of a row that is before or at that column. The end of a row that goes on is the
 * start of the next, so it is none. */
static size_t place_at(const struct edit *edit, size_t row, size_t wanted)
{
    size_t at = edit->rows.starts[row], end = row_end(edit, row), column = 0;

    while (at < end) {
        struct edit_cell cell = edit_cell(edit, at);
        bool last = cell.end == end && row + 1 < edit->rows.count;
        column = column_behind(edit, &cell, column);
        if (column > wanted || cell.first == '\n' || last)
            break;
        at = cell.end;
    }
    return at;
}

void edit_go(struct edit *edit, size_t row, size_t column)
{
    update_rows(edit);
    if (row >= edit->rows.count)
        row = edit->rows.count - 1;
    edit->cursor = place_at(edit, row, column);
    edit->run = EDIT_RUN_NONE;
    edit->wanted = column;
    edit->has_wanted = true;
}

enum edit_result edit_go_rows(struct edit *edit, int by)
{
    update_rows(edit);
    size_t row = row_of(edit, edit->cursor);
    if (by < 0 ? row == 0 : row + 1 == edit->rows.count)
        return EDIT_NOTHING;
    edit_go(edit, by < 0 ? row - 1 : row + 1,
            edit->has_wanted ? edit->wanted : column_of(edit, row, edit->cursor));
    return EDIT_DONE;
}

void edit_forget_column(struct edit *edit)
{
    edit->has_wanted = false;
}
