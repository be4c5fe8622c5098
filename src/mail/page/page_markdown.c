/* Documents: Markdown. The lines of the text are shown as they were written, marks included, with
 * the styles and hanging indents of Markdown: a person decides on exactly what the agent wrote,
 * character by character. Only tables are laid out anew. */
#include "base/mem.h"
#include "base/str.h"
#include "mail/page/page.h"
#include "mail/page/style.h"

#include <md4c.h>
#include <stdint.h>
#include <stdlib.h>

/* Marks: the styles that Markdown gives to bytes of a text. The text is always shown from its own
 * bytes, so that parsing cannot lose any: marks only set the style of its parts. */

enum mark_block { BLOCK_TEXT, BLOCK_HEADING, BLOCK_CODE };

/* A range of bytes that are text; the bytes between marks are markup. In order, without
 * overlaps. */
struct mark {
    uint32_t at, end;
    uint8_t style;
    uint8_t after; /* style of the markup after it: an address belongs to its link */
    uint8_t block; /* enum mark_block */
};

/* The address of a link that does not show it; inserted at that byte. In order. */
struct mark_note {
    uint32_t at;
    uint32_t from, len; /* in notes_text */
};

struct mark_table {
    uint32_t at; /* in its first row, the header; a row of dashes follows, then its body */
    uint32_t rows;
};

struct markup {
    struct mark *items;
    struct mark_note *notes;
    struct mark_table *tables;
    size_t count, note_count, table_count;
    size_t cap, note_cap, table_cap;
    struct str notes_text;
};

/* The state while a Markdown text is written: the text, its marks, and the writer. */

struct markdown_page {
    struct writer *w;
    struct span text;
    struct markup markup;
    struct str next;  /* scratch */
    size_t table;     /* index of the next table */
    bool was_heading; /* the line before was a heading: dashes below it only underline it */
};

/* Marks: collected from the callbacks of md4c, which reports a text as a pointer into its input. */

enum {
    LINKS_MAX = 8,       /* nested, as images in links; deeper ones show their markup */
    EVENTS_PER_BYTE = 8, /* limit: only texts crafted to be expensive have more */
    EVENTS_FREE = 1000,
    NOTES_FREE = 4096,
};

/* A link: in `open` while its text is parsed, then in `ended` until the text after it is known. */
struct link {
    struct str address;
    size_t first; /* index of its first mark */
};

struct reading {
    struct markup *markup;
    struct span text;
    size_t events;
    unsigned spans[MD_SPAN_U + 1]; /* how many of each are open */
    unsigned blocks[MD_BLOCK_TD + 1];
    struct link open[LINKS_MAX], ended[LINKS_MAX];
    size_t open_count, too_deep, ended_count;
    bool table_waits; /* for its first text, which gives its position */
    uint32_t table_rows;
};

static bool goes_on(struct reading *in)
{
    return ++in->events <= in->text.len * EVENTS_PER_BYTE + EVENTS_FREE;
}

static enum style style_of(const struct reading *in, MD_TEXTTYPE type)
{
    if (type == MD_TEXT_CODE || type == MD_TEXT_HTML)
        return STYLE_CODE;
    if (in->spans[MD_SPAN_A] || in->spans[MD_SPAN_IMG])
        return STYLE_LINK;
    if (in->blocks[MD_BLOCK_H])
        return STYLE_HEADING;
    if (in->spans[MD_SPAN_DEL])
        return STYLE_STRUCK;
    if (in->spans[MD_SPAN_STRONG] || in->blocks[MD_BLOCK_TH])
        return STYLE_STRONG;
    if (in->spans[MD_SPAN_EM])
        return STYLE_EMPHASIS;
    return in->blocks[MD_BLOCK_QUOTE] ? STYLE_QUOTE : STYLE_PLAIN;
}

/* Prefixes that a bare address may omit. */
static const char *const implied[] = {"", "mailto:", "http://"};

/* True if the text shows the link's address: as [text](address), or as a bare address. */
static bool says_so(const struct reading *in, const struct link *link, struct span behind)
{
    const struct markup *markup = in->markup;
    const struct mark *first = &markup->items[link->first],
                      *last = &markup->items[markup->count - 1];
    struct span address = str_span(&link->address);
    struct span shown = {in->text.at + first->at, last->end - first->at};
    const char *close = memchr(behind.at, ']', behind.len);

    if (!address.len)
        return true;
    if (close && close + 1 < behind.at + behind.len && close[1] == '(' &&
        memmem(behind.at, behind.len, address.at, address.len))
        return true;
    for (size_t i = 0; i < sizeof implied / sizeof *implied; i++) {
        struct span start = span_of(implied[i]);
        if (span_starts(address, start) &&
            span_eq((struct span){address.at + start.len, address.len - start.len}, shown))
            return true;
    }
    return false;
}

/* Returns the number of bytes up to the end of [text] or [text][name]; 0 if there is no "]". */
static size_t end_of_reference(struct span behind)
{
    const char *end = behind.at + behind.len, *at = memchr(behind.at, ']', behind.len);

    if (!at)
        return 0;
    const char *more = ++at < end && *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;
    return (size_t)((more ? more + 1 : at) - behind.at);
}

/* Adds a note for each ended link that does not show its address; called once the bytes up to the
 * next text are known. Many links can share one long address: when the notes exceed their limit,
 * the definition in the text has to do. */
static void settle_links(struct reading *in, size_t next)
{
    struct markup *markup = in->markup;

    for (size_t i = 0; i < in->ended_count; i++) {
        struct link *link = &in->ended[i];
        uint32_t end = markup->items[markup->count - 1].end;
        struct span behind = {in->text.at + end, next > end ? next - end : 0};
        size_t len = link->address.len;
        if (!says_so(in, link, behind) &&
            markup->notes_text.len + len <= in->text.len + NOTES_FREE) {
            *mem_push(markup->notes, markup->note_count, markup->note_cap) =
                (struct mark_note){end + (uint32_t)end_of_reference(behind),
                                   (uint32_t)markup->notes_text.len, (uint32_t)len};
            str_add_span(&markup->notes_text, str_span(&link->address));
        }
        str_free(&link->address);
    }
    in->ended_count = 0;
}

static void add_mark(struct reading *in, size_t at, size_t len, MD_TEXTTYPE type)
{
    struct markup *markup = in->markup;
    enum mark_block block = in->blocks[MD_BLOCK_CODE] ? BLOCK_CODE
                            : in->blocks[MD_BLOCK_H]  ? BLOCK_HEADING
                                                      : BLOCK_TEXT;

    if (markup->count && at < markup->items[markup->count - 1].end)
        return;
    settle_links(in, at);
    if (in->table_waits) {
        *mem_push(markup->tables, markup->table_count, markup->table_cap) =
            (struct mark_table){(uint32_t)at, in->table_rows};
        in->table_waits = false;
    }
    *mem_push(markup->items, markup->count, markup->cap) =
        (struct mark){(uint32_t)at, (uint32_t)(at + len), (uint8_t)style_of(in, type), STYLE_PLAIN,
                      (uint8_t)block};
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context)
{
    struct reading *in = context;
    uintptr_t at = (uintptr_t)text, base = (uintptr_t)in->text.at;

    /* md4c passes line breaks and indents as texts of its own, which are not in our buffer */
    if (size && at >= base && at - base < in->text.len && size <= in->text.len - (at - base))
        add_mark(in, at - base, size, type);
    return !goes_on(in);
}

static int on_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct reading *in = context;
    const MD_BLOCK_TABLE_DETAIL *table = detail;

    in->blocks[type]++;
    if (type == MD_BLOCK_TABLE && table) {
        in->table_waits = true;
        in->table_rows = table->body_row_count;
    } else if (type == MD_BLOCK_TBODY) {
        in->table_waits = false; /* its head is empty: it is shown as lines */
    }
    return !goes_on(in);
}

static int on_block_end(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct reading *in = context;

    (void)detail;
    in->blocks[type] -= in->blocks[type] > 0;
    return !goes_on(in);
}

static bool is_link(MD_SPANTYPE type)
{
    return type == MD_SPAN_A || type == MD_SPAN_IMG;
}

static int on_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct reading *in = context;

    in->spans[type]++;
    if (is_link(type) && in->open_count < LINKS_MAX && !in->too_deep) {
        const MD_ATTRIBUTE *address = type == MD_SPAN_A ? &((MD_SPAN_A_DETAIL *)detail)->href
                                                        : &((MD_SPAN_IMG_DETAIL *)detail)->src;
        struct link *link = &in->open[in->open_count++];
        *link = (struct link){.first = in->markup->count};
        str_add(&link->address, address->text, address->size);
    } else if (is_link(type)) {
        in->too_deep++;
    }
    return !goes_on(in);
}

static int on_span_end(MD_SPANTYPE type, void *detail, void *context)
{
    struct reading *in = context;

    (void)detail;
    in->spans[type] -= in->spans[type] > 0; /* md4c can report an end without a start */
    if (is_link(type) && in->too_deep) {
        in->too_deep--;
    } else if (is_link(type) && in->open_count) {
        struct link *link = &in->open[--in->open_count];
        if (in->markup->count > link->first && in->ended_count < LINKS_MAX) {
            in->markup->items[in->markup->count - 1].after = STYLE_LINK;
            in->ended[in->ended_count++] = *link;
        } else {
            str_free(&link->address);
        }
    }
    return !goes_on(in);
}

static void markup_free(struct markup *markup)
{
    free(markup->items);
    free(markup->notes);
    free(markup->tables);
    str_free(&markup->notes_text);
    *markup = (struct markup){0};
}

/* Collects the marks of the text; none if it has too many for its length. */
static void markup_read(struct markup *markup, struct span text)
{
    static const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS |
                 MD_FLAG_PERMISSIVEAUTOLINKS,
        .enter_block = on_block,
        .leave_block = on_block_end,
        .enter_span = on_span,
        .leave_span = on_span_end,
        .text = on_text,
    };
    struct reading in = {.markup = markup, .text = text};

    *markup = (struct markup){0};
    bool read = md_parse(text.at, (MD_SIZE)text.len, &parser, &in) == 0;
    settle_links(&in, text.len);
    while (in.open_count)
        str_free(&in.open[--in.open_count].address);
    if (!read)
        markup_free(markup);
}

/* Returns the index of the first mark that ends after that byte. */
static size_t markup_behind(const struct markup *markup, size_t at)
{
    return page_first(markup->items, markup->count, sizeof *markup->items,
                      offsetof(struct mark, end), at);
}

static size_t markup_note_behind(const struct markup *markup, size_t at)
{
    return page_first(markup->notes, markup->note_count, sizeof *markup->notes,
                      offsetof(struct mark_note, at), at);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the first mark that overlaps these bytes, or NULL. */
static const struct mark *markdown_mark(const struct markdown_page *md, size_t from, size_t to)
{
    size_t i = markup_behind(&md->markup, from);

    return i < md->markup.count && md->markup.items[i].at < to ? &md->markup.items[i] : NULL;
}

/* Returns the length of a bullet, a number or the mark of a heading or a quote; 0 for none. */
static size_t marker_length(const char *at, size_t len)
{
    size_t i = 0;

    if (at[0] == '>')
        return 1;
    if (at[0] == '-' || at[0] == '+' || at[0] == '*') {
        i = 1;
    } else if (is_digit(at[0])) {
        while (i < len && is_digit(at[i]))
            i++;
        i += i < len && (at[i] == '.' || at[i] == ')') ? 1 : len;
    } else {
        while (i < len && at[i] == '#')
            i++;
    }
    return i && i < len && is_blank(at[i]) ? i : 0;
}

static bool is_task(const char *at, size_t len)
{
    return len > 3 && at[0] == '[' && (at[1] == ' ' || at[1] == 'x' || at[1] == 'X') &&
           at[2] == ']' && is_blank(at[3]);
}

/* Returns the end of the bullets, numbers, quote marks and blanks that a line starts with; at most
 * `to`. */
static size_t markdown_lead(const struct markdown_page *md, size_t from, size_t to)
{
    const char *text = md->text.at;
    size_t at = from, len;

    for (;;) {
        while (at < to && is_blank(text[at]))
            at++;
        len = at < to ? marker_length(text + at, to - at) : 0;
        if (!len)
            break;
        at += len;
    }
    if (is_task(text + at, to - at))
        at += 4;
    return at;
}

/* Dims marks of emphasis and the like; anything else that Markdown would hide is shown as plain
 * text. */
static enum style style_of_markup(struct span markup)
{
    for (size_t i = 0; i < markup.len; i++)
        if (!memchr("*_~`|[]()<>!#\\ \t", markup.at[i], 16))
            return STYLE_PLAIN;
    return STYLE_DIM;
}

/* Writes bytes of one style, with the notes inserted among them. */
static void put_part(struct markdown_page *md, size_t from, size_t to, enum style style)
{
    const struct markup *markup = &md->markup;

    for (size_t i = markup_note_behind(markup, from);
         i < markup->note_count && markup->notes[i].at <= to; i++) {
        const struct mark_note *note = &markup->notes[i];
        line_put(md->w, (struct span){md->text.at + from, note->at - from}, style);
        line_put(md->w, span_of(" <"), STYLE_LINK);
        line_put(md->w, (struct span){markup->notes_text.at + note->from, note->len}, STYLE_LINK);
        line_put(md->w, span_of(">"), STYLE_LINK);
        from = note->at;
    }
    line_put(md->w, (struct span){md->text.at + from, to - from}, style);
}

/* Writes bytes of the text to the open line, in the styles of their marks. */
static void markdown_put_span(struct markdown_page *md, size_t from, size_t to)
{
    const struct markup *markup = &md->markup;
    size_t i = markup_behind(markup, from);

    while (from < to) {
        const struct mark *mark = i < markup->count ? &markup->items[i] : NULL;
        size_t start = mark && mark->at < to ? mark->at : to;
        if (start > from) {
            bool behind_link =
                i && markup->items[i - 1].after == STYLE_LINK && markup->items[i - 1].end == from;
            struct span gap = {md->text.at + from, start - from};
            put_part(md, from, start, behind_link ? STYLE_LINK : style_of_markup(gap));
            from = start;
            continue;
        }
        size_t end = mark->end < to ? mark->end : to;
        put_part(md, from, end, mark->style);
        from = end;
        i++;
    }
}

/* Tables of a Markdown text: in columns where they fit, as records otherwise. */

enum {
    WHOLE_MOST = 400,   /* columns of a table when lines are not wrapped */
    LABEL_COLUMNS = 20, /* of a record's label; the header above is shown in full */
};

enum align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT };

struct table_cell {
    size_t from, to; /* bytes of the text */
    size_t columns;
};

struct table_row {
    size_t from, to; /* the line */
    size_t lead;     /* end of the quote marks and blanks that it starts with */
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

/* True if there is a bar that separates cells; a bar within a text, such as \|, does not. */
static bool is_bar(const struct markdown_page *md, size_t at)
{
    const struct mark *mark;

    if (md->text.at[at] != '|')
        return false;
    mark = markdown_mark(md, at, at + 1);
    return !mark;
}

static size_t measure_span(const struct markdown_page *md, size_t from, size_t to,
                           struct str *scratch)
{
    const struct markup *markup = &md->markup;
    unsigned clean = md->w->options->clean | SANITIZE_LINE;
    size_t columns;

    str_clear(scratch);
    columns = sanitize_add(scratch, (struct span){md->text.at + from, to - from}, clean);
    for (size_t i = markup_note_behind(markup, from);
         i < markup->note_count && markup->notes[i].at <= to; i++)
        columns += 3 + sanitize_add(scratch,
                                    (struct span){markup->notes_text.at + markup->notes[i].from,
                                                  markup->notes[i].len},
                                    clean);
    for (size_t i = from; i < to;
         i++) /* the width of a tab is not known yet: count the most that it can need */
        columns += md->text.at[i] == '\t' ? TAB_STOP : 0;
    return columns;
}

static void add_cell(struct table *table, const struct markdown_page *md, size_t from, size_t to,
                     struct str *scratch)
{
    struct span text = text_trim((struct span){md->text.at + from, to - from});

    from = (size_t)(text.at - md->text.at);
    *mem_push(table->cells, table->cell_count, table->cell_cap) = (struct table_cell){
        from, from + text.len, measure_span(md, from, from + text.len, scratch)};
}

/* Splits a row into cells; bars at its ends only frame it. */
static void split_row(struct table *table, const struct markdown_page *md, struct table_row *row,
                      struct str *scratch)
{
    size_t at = row->lead, end = row->to;

    row->first = table->cell_count;
    while (end > at && (md->text.at[end - 1] == ' ' || md->text.at[end - 1] == '\t'))
        end--;
    if (at < end && is_bar(md, at))
        at++;
    for (size_t i = at; i < end; i++) {
        if (is_bar(md, i)) {
            add_cell(table, md, at, i, scratch);
            at = i + 1;
        }
    }
    if (at < end || table->cell_count == row->first)
        add_cell(table, md, at, end, scratch);
    row->count = table->cell_count - row->first;
}

static struct table_row row_of(const struct markdown_page *md, struct span line, bool head)
{
    struct table_row row = {.from = (size_t)(line.at - md->text.at)};
    const char *text = md->text.at;

    row.to = row.from + line.len;
    row.lead = row.from;
    if (head) {
        const struct mark *mark = markdown_mark(md, row.from, row.to);
        row.lead = markdown_lead(md, row.from, mark && mark->at > row.from ? mark->at : row.to);
    } else {
        while (row.lead < row.to && memchr(" \t>", text[row.lead], 3))
            row.lead++;
    }
    return row;
}

static bool is_dashes(const struct markdown_page *md, const struct table_row *row)
{
    for (size_t i = row->lead; i < row->to; i++)
        if (!memchr("|:- \t", md->text.at[i], 5))
            return false;
    return row->lead < row->to;
}

static void set_columns(struct table *table, const struct markdown_page *md, struct str *scratch)
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
    split_row(table, md, &table->dashes, scratch);
    for (size_t i = 0; i < table->dashes.count && i < table->column_count; i++) {
        const struct table_cell *cell = &table->cells[table->dashes.first + i];
        bool left = cell->to > cell->from && md->text.at[cell->from] == ':';
        bool right = cell->to > cell->from && md->text.at[cell->to - 1] == ':';
        table->columns[i].align = right ? left ? ALIGN_CENTRE : ALIGN_RIGHT : ALIGN_LEFT;
    }
    table->cell_count = cells;
}

static bool table_fits(const struct table *table, const struct markdown_page *md)
{
    const struct writer *w = md->w;
    const struct table_row *head = &table->rows[0];
    size_t columns =
        3 * (table->column_count - 1) + writer_margin(w) + TAB_STOP * (head->lead - head->from);
    size_t most = w->options->whole ? WHOLE_MOST : w->width;

    for (size_t i = 0; i < table->column_count && columns <= most; i++)
        columns += table->columns[i].columns;
    return columns <= most && head->lead - head->from <= writer_half(w);
}

static void put_row(struct markdown_page *md, const struct table *table,
                    const struct table_row *row)
{
    struct writer *w = md->w;
    const char *bar = writer_draws(w) ? " \xe2\x94\x82 " : " | ";

    line_open(w, LINE_WORDS, (struct span){0});
    line_lead(w, (struct span){md->text.at + row->from, row->lead - row->from}, STYLE_QUOTE);
    for (size_t i = 0; i < row->count; i++) {
        const struct table_cell *cell = &table->cells[row->first + i];
        size_t spare = table->columns[i].columns, before = 0;
        if (i)
            line_add(w, span_of(bar), 3, STYLE_DIM);
        spare -= cell->columns;
        if (table->columns[i].align != ALIGN_LEFT)
            before = table->columns[i].align == ALIGN_RIGHT ? spare : spare / 2;
        line_pad(w, before);
        markdown_put_span(md, cell->from, cell->to);
        if (i + 1 < row->count)
            line_pad(w, spare - before);
    }
    line_close(w);
}

/* Draws the row of dashes anew. */
static void put_dashes(struct markdown_page *md, const struct table *table)
{
    struct writer *w = md->w;
    bool draws = writer_draws(w);

    line_open(w, LINE_WORDS, (struct span){0});
    line_lead(
        w, (struct span){md->text.at + table->dashes.from, table->dashes.lead - table->dashes.from},
        STYLE_QUOTE);
    for (size_t i = 0; i < table->column_count; i++) {
        if (i)
            line_add(w, span_of(draws ? "\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80" : "-+-"), 3,
                     STYLE_DIM);
        for (size_t n = 0; n < table->columns[i].columns; n++)
            line_add(w, span_of(draws ? "\xe2\x94\x80" : "-"), 1, STYLE_DIM);
    }
    line_close(w);
}

static void put_label(struct markdown_page *md, const struct table *table, size_t number)
{
    struct writer *w = md->w;
    CLEANUP(str_free) struct str label = {0};
    size_t most = writer_half(w) < LABEL_COLUMNS ? writer_half(w) : LABEL_COLUMNS, columns;

    if (number < table->rows[0].count) {
        const struct table_cell *cell = &table->cells[table->rows[0].first + number];
        columns =
            sanitize_cut(&label, (struct span){md->text.at + cell->from, cell->to - cell->from},
                         w->options->clean, most);
    } else {
        str_addf(&label, "%zu", number + 1);
        columns = label.len;
    }
    line_add(w, str_span(&label), columns, STYLE_LABEL);
    line_add(w, span_of(": "), 2, STYLE_LABEL);
}

static void put_record(struct markdown_page *md, const struct table *table,
                       const struct table_row *row)
{
    struct writer *w = md->w;

    line_empty(w);
    w->same_source = true; /* in columns, a row is one line too */
    for (size_t i = 0; i < row->count; i++) {
        line_open(w, LINE_WORDS, span_of("  "));
        if (!i)
            line_lead(w, (struct span){md->text.at + row->from, row->lead - row->from},
                      STYLE_QUOTE);
        if (writer_half(w) > 2)
            put_label(md, table, i);
        markdown_put_span(md, table->cells[row->first + i].from, table->cells[row->first + i].to);
        line_close(w);
    }
    w->same_source = false;
}

/* Writes the header as it was written, then a line for each cell. */
static void put_records(struct markdown_page *md, const struct table *table)
{
    struct writer *w = md->w;

    line_open(w, LINE_WORDS, span_of("  "));
    markdown_put_span(md, table->rows[0].from, table->rows[0].to);
    line_close(w);
    w->page->sources++; /* counts the row of dashes */
    for (size_t r = 1; r < table->row_count; r++)
        put_record(md, table, &table->rows[r]);
}

static void add_row(struct table *table, const struct markdown_page *md, struct table_row row,
                    struct str *scratch)
{
    split_row(table, md, &row, scratch);
    *mem_push(table->rows, table->row_count, table->row_cap) = row;
}

/* Shows the table that starts with this line and removes its lines from `rest`. Returns false, and
 * shows nothing, if it does not have the shape of a table. */
static bool markdown_put_table(struct markdown_page *md, struct span line, uint32_t rows,
                               struct span *rest)
{
    struct table table = {0};
    CLEANUP(str_free) struct str scratch = {0};
    struct span ahead = *rest;
    bool is_table = false;

    if (ahead.len) {
        table.dashes = row_of(md, text_line(&ahead, true), false);
        is_table = is_dashes(md, &table.dashes);
    }
    if (is_table) {
        add_row(&table, md, row_of(md, line, true), &scratch);
        for (; rows && ahead.len; rows--)
            add_row(&table, md, row_of(md, text_line(&ahead, true), false), &scratch);
        set_columns(&table, md, &scratch);
        *rest = ahead;
        if (table_fits(&table, md)) {
            put_row(md, &table, &table.rows[0]);
            put_dashes(md, &table);
            for (size_t r = 1; r < table.row_count; r++)
                put_row(md, &table, &table.rows[r]);
        } else {
            put_records(md, &table);
        }
    }
    free(table.cells);
    free(table.rows);
    free(table.columns);
    return is_table;
}

/* True for three or more of one mark and nothing else. */
static bool is_rule(struct span line)
{
    size_t count = 0;

    line = text_trim(line);
    if (!line.len || !memchr("-*_", line.at[0], 3))
        return false;
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != line.at[0] && !is_blank(line.at[i]))
            return false;
        count += line.at[i] == line.at[0];
    }
    return count >= 3;
}

static bool is_fence(struct span line)
{
    line = text_trim(line);
    return span_starts(line, span_of("```")) || span_starts(line, span_of("~~~"));
}

/* Skips only quote marks and blanks: anything else at the start of a line of code may be code. */
static size_t quote_lead(const struct markdown_page *md, size_t from, size_t to)
{
    while (from < to && (is_blank(md->text.at[from]) || md->text.at[from] == '>'))
        from++;
    return from;
}

static void put_code(struct markdown_page *md, size_t from, size_t text, size_t to)
{
    struct writer *w = md->w;

    str_set(&md->next, span_of("+ "));
    text_hang(&md->next, (struct span){md->text.at + from, text - from});
    line_open(w, LINE_EXACT, str_span(&md->next));
    if (writer_half(w) >= 2)
        line_pad(w, 2);
    line_lead(w, (struct span){md->text.at + from, text - from}, STYLE_DIM);
    line_put(w, (struct span){md->text.at + text, to - text}, STYLE_CODE);
    line_close(w);
}

static void put_flowing(struct markdown_page *md, size_t from, size_t to, const struct mark *mark)
{
    struct writer *w = md->w;
    size_t limit = !mark ? to : mark->at > from ? mark->at : from;
    size_t text = markdown_lead(md, from, limit);
    struct span lead = {md->text.at + from, text - from};
    enum style style = STYLE_PLAIN;

    if (mark && mark->block == BLOCK_HEADING)
        style = STYLE_HEADING;
    else if (lead.len && memchr(lead.at, '>', lead.len))
        style = STYLE_QUOTE;
    str_clear(&md->next);
    text_hang(&md->next, lead);
    line_open(w, LINE_WORDS, str_span(&md->next));
    line_lead(w, lead, style);
    markdown_put_span(md, text, to);
    line_close(w);
}

static void put_rule(struct markdown_page *md, size_t from, size_t text)
{
    line_open(md->w, LINE_WORDS, (struct span){0});
    line_lead(md->w, (struct span){md->text.at + from, text - from}, STYLE_QUOTE);
    line_rule(md->w);
    line_close(md->w);
}

static void put_dim(struct markdown_page *md, struct span line)
{
    line_open(md->w, LINE_WORDS, (struct span){0});
    line_put(md->w, line, STYLE_DIM);
    line_close(md->w);
}

static void put_line(struct markdown_page *md, struct span line)
{
    size_t from = (size_t)(line.at - md->text.at), to = from + line.len;
    size_t quote = quote_lead(md, from, to);
    const struct mark *mark = markdown_mark(md, from, to);
    struct span behind = {md->text.at + quote, to - quote};

    if (mark && mark->block == BLOCK_CODE)
        put_code(md, from, mark->at > from ? mark->at : from, to);
    else if (!mark && is_rule(behind) && !md->was_heading && md->markup.count)
        put_rule(md, from, quote);
    else if (!mark && is_fence(behind))
        put_dim(md, line);
    else
        put_flowing(md, from, to, mark);
    if (line.len)
        md->was_heading = mark && mark->block == BLOCK_HEADING;
}

void markdown_put(struct writer *w, struct span text)
{
    struct markdown_page md = {.w = w, .text = text};
    struct span rest = text;

    if (text.len > PAGE_MARKDOWN_MOST)
        line_say(w, "This text is long: it is shown as it was written, without Markdown.",
                 STYLE_DIM);
    else if (text.len)
        markup_read(&md.markup, text);
    while (rest.len) {
        text_skip_empty(w, &rest);
        if (!rest.len)
            break;
        struct span line = text_line(&rest, true);
        const struct mark_table *table =
            md.table < md.markup.table_count ? &md.markup.tables[md.table] : NULL;
        if (table && table->at < (size_t)(line.at - text.at) + line.len) {
            md.table++;
            if (markdown_put_table(&md, line, table->rows, &rest))
                continue;
        }
        put_line(&md, line);
    }
    markup_free(&md.markup);
    str_free(&md.next);
}

void page_markdown(struct document *page, struct span text, const struct page_options *options)
{
    CLEANUP(writer_free) struct writer w = writer_new(page, options);

    markdown_put(&w, text);
}
