/* Documents: tables of a Markdown text, in columns where they fit and as records where not. */
#include "base/mem.h"
#include "mail/page/document_page.h"

#include <stdlib.h>

enum {
    WHOLE_MOST = 400,   /* columns of a table when lines are not wrapped */
    LABEL_COLUMNS = 20, /* of a record's label; the header itself stands above in full */
};

enum align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT };

struct table_cell {
    size_t from, to; /* bytes of the text */
    size_t columns;
};

struct table_row {
    size_t from, to; /* the line */
    size_t lead;     /* where what it starts with ends */
    size_t first, count;
};

struct column {
    size_t columns;
    enum align align;
};

struct table {
    struct table_cell *cells;
    struct table_row *rows;
    struct column *columns;
    size_t cell_count, cell_cap, row_count, row_cap, column_count, column_cap;
    struct table_row dashes;
};

/* A bar within a text, such as \|, is none that separates. */
static bool is_bar(const struct page *page, size_t at)
{
    const struct mark *mark;

    if (page->text.at[at] != '|')
        return false;
    mark = page_mark(page, at, at + 1);
    return !mark;
}

static size_t measure(const struct page *page, size_t from, size_t to, struct str *scratch)
{
    const struct markup *markup = &page->markup;
    unsigned clean = page->w->options->clean | CLEAN_LINE;
    size_t columns;

    str_clear(scratch);
    columns = clean_add(scratch, (struct span){page->text.at + from, to - from}, clean);
    for (size_t i = markup_note_behind(markup, from);
         i < markup->note_count && markup->notes[i].at <= to; i++)
        columns += 3 + clean_add(scratch,
                                 (struct span){markup->notes_text.at + markup->notes[i].from,
                                               markup->notes[i].len},
                                 clean);
    for (size_t i = from; i < to; i++) /* they go to some stop: more room than they can need */
        columns += page->text.at[i] == '\t' ? TAB_STOP : 0;
    return columns;
}

static void add_cell(struct table *table, const struct page *page, size_t from, size_t to,
                     struct str *scratch)
{
    struct span text = text_trim((struct span){page->text.at + from, to - from});

    from = (size_t)(text.at - page->text.at);
    table->cells =
        mem_grow(table->cells, &table->cell_cap, table->cell_count + 1, sizeof *table->cells);
    table->cells[table->cell_count++] =
        (struct table_cell){from, from + text.len, measure(page, from, from + text.len, scratch)};
}

/* Splits a row; bars at its ends only frame it. */
static void split_row(struct table *table, const struct page *page, struct table_row *row,
                      struct str *scratch)
{
    size_t at = row->lead, end = row->to;

    row->first = table->cell_count;
    while (end > at && (page->text.at[end - 1] == ' ' || page->text.at[end - 1] == '\t'))
        end--;
    if (at < end && is_bar(page, at))
        at++;
    for (size_t i = at; i < end; i++) {
        if (is_bar(page, i)) {
            add_cell(table, page, at, i, scratch);
            at = i + 1;
        }
    }
    if (at < end || table->cell_count == row->first)
        add_cell(table, page, at, end, scratch);
    row->count = table->cell_count - row->first;
}

static struct table_row row_of(const struct page *page, struct span line, bool head)
{
    struct table_row row = {.from = (size_t)(line.at - page->text.at)};
    const char *text = page->text.at;

    row.to = row.from + line.len;
    row.lead = row.from;
    if (head) {
        const struct mark *mark = page_mark(page, row.from, row.to);
        row.lead = page_lead(page, row.from, mark && mark->at > row.from ? mark->at : row.to);
    } else {
        while (row.lead < row.to && memchr(" \t>", text[row.lead], 3))
            row.lead++;
    }
    return row;
}

static bool is_dashes(const struct page *page, const struct table_row *row)
{
    for (size_t i = row->lead; i < row->to; i++)
        if (!memchr("|:- \t", page->text.at[i], 5))
            return false;
    return row->lead < row->to;
}

static void set_columns(struct table *table, const struct page *page, struct str *scratch)
{
    size_t cells = table->cell_count;

    for (size_t r = 0; r < table->row_count; r++) {
        const struct table_row *row = &table->rows[r];
        for (size_t i = 0; i < row->count; i++) {
            if (i == table->column_count) {
                table->columns =
                    mem_grow(table->columns, &table->column_cap, i + 1, sizeof *table->columns);
                table->columns[table->column_count++] = (struct column){0};
            }
            if (table->cells[row->first + i].columns > table->columns[i].columns)
                table->columns[i].columns = table->cells[row->first + i].columns;
        }
    }
    split_row(table, page, &table->dashes, scratch);
    for (size_t i = 0; i < table->dashes.count && i < table->column_count; i++) {
        const struct table_cell *cell = &table->cells[table->dashes.first + i];
        bool left = cell->to > cell->from && page->text.at[cell->from] == ':';
        bool right = cell->to > cell->from && page->text.at[cell->to - 1] == ':';
        table->columns[i].align = right ? left ? ALIGN_CENTRE : ALIGN_RIGHT : ALIGN_LEFT;
    }
    table->cell_count = cells;
}

static bool table_fits(const struct table *table, const struct page *page)
{
    const struct writer *w = page->w;
    const struct table_row *head = &table->rows[0];
    size_t columns =
        3 * (table->column_count - 1) + writer_margin(w) + TAB_STOP * (head->lead - head->from);
    size_t most = w->options->whole ? WHOLE_MOST : w->width;

    for (size_t i = 0; i < table->column_count && columns <= most; i++)
        columns += table->columns[i].columns;
    return columns <= most && head->lead - head->from <= writer_half(w);
}

static void put_row(struct page *page, const struct table *table, const struct table_row *row)
{
    struct writer *w = page->w;
    const char *bar = writer_draws(w) ? " \xe2\x94\x82 " : " | ";

    line_open(w, LINE_WORDS, (struct span){0});
    line_lead(w, (struct span){page->text.at + row->from, row->lead - row->from}, LOOK_QUOTE);
    for (size_t i = 0; i < row->count; i++) {
        const struct table_cell *cell = &table->cells[row->first + i];
        size_t spare = table->columns[i].columns, before = 0;
        if (i)
            line_add(w, span_of(bar), 3, LOOK_DIM);
        spare -= cell->columns;
        if (table->columns[i].align != ALIGN_LEFT)
            before = table->columns[i].align == ALIGN_RIGHT ? spare : spare / 2;
        line_pad(w, before);
        page_put(page, cell->from, cell->to);
        if (i + 1 < row->count)
            line_pad(w, spare - before);
    }
    line_close(w);
}

/* The row of dashes, drawn anew. */
static void put_dashes(struct page *page, const struct table *table)
{
    struct writer *w = page->w;
    bool draws = writer_draws(w);

    line_open(w, LINE_WORDS, (struct span){0});
    line_lead(
        w,
        (struct span){page->text.at + table->dashes.from, table->dashes.lead - table->dashes.from},
        LOOK_QUOTE);
    for (size_t i = 0; i < table->column_count; i++) {
        if (i)
            line_add(w, span_of(draws ? "\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80" : "-+-"), 3,
                     LOOK_DIM);
        for (size_t n = 0; n < table->columns[i].columns; n++)
            line_add(w, span_of(draws ? "\xe2\x94\x80" : "-"), 1, LOOK_DIM);
    }
    line_close(w);
}

static void put_label(struct page *page, const struct table *table, size_t number)
{
    struct writer *w = page->w;
    struct str label = {0};
    size_t most = writer_half(w) < LABEL_COLUMNS ? writer_half(w) : LABEL_COLUMNS, columns;

    if (number < table->rows[0].count) {
        const struct table_cell *cell = &table->cells[table->rows[0].first + number];
        columns =
            clean_cut(&label, (struct span){page->text.at + cell->from, cell->to - cell->from},
                      w->options->clean, most);
    } else {
        str_addf(&label, "%zu", number + 1);
        columns = label.len;
    }
    line_add(w, str_span(&label), columns, LOOK_LABEL);
    line_add(w, span_of(": "), 2, LOOK_LABEL);
    str_free(&label);
}

static void put_record(struct page *page, const struct table *table, const struct table_row *row)
{
    struct writer *w = page->w;

    line_empty(w);
    w->same_source = true; /* a row is one line in columns too */
    for (size_t i = 0; i < row->count; i++) {
        line_open(w, LINE_WORDS, span_of("  "));
        if (!i)
            line_lead(w, (struct span){page->text.at + row->from, row->lead - row->from},
                      LOOK_QUOTE);
        if (writer_half(w) > 2)
            put_label(page, table, i);
        page_put(page, table->cells[row->first + i].from, table->cells[row->first + i].to);
        line_close(w);
    }
    w->same_source = false;
}

/* The header as it was written, then a line for each cell. */
static void put_records(struct page *page, const struct table *table)
{
    struct writer *w = page->w;

    line_open(w, LINE_WORDS, span_of("  "));
    page_put(page, table->rows[0].from, table->rows[0].to);
    line_close(w);
    w->doc->sources++; /* the row of dashes */
    for (size_t r = 1; r < table->row_count; r++)
        put_record(page, table, &table->rows[r]);
}

static void add_row(struct table *table, const struct page *page, struct table_row row,
                    struct str *scratch)
{
    split_row(table, page, &row, scratch);
    table->rows = mem_grow(table->rows, &table->row_cap, table->row_count + 1, sizeof *table->rows);
    table->rows[table->row_count++] = row;
}

bool page_put_table(struct page *page, struct span line, uint32_t rows, struct span *rest)
{
    struct table table = {0};
    struct str scratch = {0};
    struct span ahead = *rest;
    bool is_table = false;

    if (ahead.len) {
        table.dashes = row_of(page, text_line(&ahead, true), false);
        is_table = is_dashes(page, &table.dashes);
    }
    if (is_table) {
        add_row(&table, page, row_of(page, line, true), &scratch);
        for (; rows && ahead.len; rows--)
            add_row(&table, page, row_of(page, text_line(&ahead, true), false), &scratch);
        set_columns(&table, page, &scratch);
        *rest = ahead;
        if (table_fits(&table, page)) {
            put_row(page, &table, &table.rows[0]);
            put_dashes(page, &table);
            for (size_t r = 1; r < table.row_count; r++)
                put_row(page, &table, &table.rows[r]);
        } else {
            put_records(page, &table);
        }
    }
    free(table.cells);
    free(table.rows);
    free(table.columns);
    str_free(&scratch);
    return is_table;
}
