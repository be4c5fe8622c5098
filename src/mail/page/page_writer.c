/* Documents: turns text into sanitized and wrapped lines, in one pass over the characters. Of a
 * line only the word that may still have to move to the next line is buffered. */
#include "mail/page/page_writer.h"

#include "base/mem.h"

#include <stdlib.h>

/* Lines, made of pieces that each have one style. */

enum {
    COLUMNS_LEAST = 2, /* of the widest character */
    COLUMNS_ROOMY = 8, /* with fewer there is no room for indents */
    WIDE = 400,        /* wider screens do not get wider indents */
    MARK_COLUMNS = 2,
    GUTTER_COLUMNS = 2,
};

void writer_open(struct writer *w, struct document *page, const struct page_options *options)
{
    size_t columns = options->columns < COLUMNS_LEAST ? COLUMNS_LEAST : options->columns;

    *w =
        (struct writer){.page = page,
                        .options = options,
                        .tabs = true,
                        .width = options->whole || columns > WRITER_WHOLE ? WRITER_WHOLE : columns};
}

size_t writer_half(const struct writer *w)
{
    size_t columns = w->options->columns;

    return columns < COLUMNS_ROOMY ? 0 : columns > WIDE ? WIDE / 2 : columns / 2;
}

void writer_close(struct writer *w)
{
    str_free(&w->next);
    str_free(&w->word);
    free(w->cells);
}

/* Appends sanitized text that fits to the current line. Adjacent text of one style is one piece. */
static void line_emit(struct writer *w, const char *bytes, size_t len, size_t columns,
                      uint8_t style, bool added)
{
    struct document *page = w->page;
    struct page_line *line = &page->lines[page->line_count - 1];
    struct page_piece *last = line->count ? &page->pieces[page->piece_count - 1] : NULL;

    if (!last || last->style != style || last->added != added) {
        last = mem_push(page->pieces, page->piece_count, page->piece_cap);
        *last = (struct page_piece){(uint32_t)page->text.len, 0, 0, style, added};
        line->count++;
    }
    str_add(&page->text, bytes, len);
    last->len += (uint32_t)len;
    last->columns += (uint32_t)columns;
    w->used += columns;
    if (!added)
        w->offset += (uint32_t)len;
    if (w->used > page->widest)
        page->widest = w->used;
}

static void line_emit_blanks(struct writer *w, size_t count, uint8_t style, bool added)
{
    static const char blanks[] = "                                ";
    enum { AT_ONCE = sizeof blanks - 1 };

    for (; count > AT_ONCE; count -= AT_ONCE)
        line_emit(w, blanks, AT_ONCE, AT_ONCE, style, added);
    if (count)
        line_emit(w, blanks, count, count, style, added);
}

size_t writer_margin(const struct writer *w)
{
    size_t half = writer_half(w), gutter = w->gutter && half ? GUTTER_COLUMNS : 0;

    return gutter + (w->indent + gutter < half ? w->indent : 0);
}

static void put_margin(struct writer *w)
{
    size_t columns = writer_margin(w);

    if (w->gutter && columns) {
        const char *rule = writer_draws(w) ? "\xe2\x94\x82 " : "| ";
        line_emit(w, rule, strlen(rule), GUTTER_COLUMNS, STYLE_BORDER, true);
        columns -= GUTTER_COLUMNS;
    }
    line_emit_blanks(w, columns, STYLE_PLAIN, true);
}

void line_start(struct writer *w, enum page_join join)
{
    struct document *page = w->page;

    *mem_push(page->lines, page->line_count, page->line_cap) =
        (struct page_line){.first = (uint32_t)page->piece_count,
                           .source = w->source,
                           .offset = w->offset,
                           .join = (uint8_t)join};
    w->used = 0;
    put_margin(w);
    if (join != JOIN_NONE && w->next.len)
        line_emit(w, w->next.at, w->next.len, w->next.len, STYLE_DIM, true);
    w->start = w->used;
}

void line_open(struct writer *w, enum line_mode mode, struct span next)
{
    size_t before = writer_margin(w), most = writer_half(w);

    if (next.len + before >
        most) { /* keep the mark that shows a continuation line before all else */
        size_t keep = mode != LINE_WORDS && most >= MARK_COLUMNS ? MARK_COLUMNS : 0;
        keep = keep < next.len ? keep : next.len;
        next = (struct span){next.at + next.len - keep, keep};
    }
    str_set(&w->next, next);
    w->mode = mode;
    w->room = w->width - before - next.len;
    w->column = w->blanks = w->word_columns = w->cell_count = 0;
    w->broken = false;
    w->cursor = (struct sanitize_cursor){.mode = w->options->clean | SANITIZE_LINE};
    str_clear(&w->word);
    if (!w->same_source) {
        w->source = w->page->sources++;
        w->offset = 0;
    }
    line_start(w, JOIN_NONE);
}

/* Blanks are written only before the text that follows them: nobody sees them at the end of a
 * line. */
/* A longer run of blanks in a request is replaced by its length: it would only push what follows
 * out of sight. */
enum { BLANKS_MOST = 160 };

static void tell_blanks(struct writer *w)
{
    CLEANUP(str_free) struct str words = {0};

    str_addf(&words, "(%zu blanks)", w->blanks);
    for (size_t i = 0; i < words.len; i++) {
        if (w->used >= w->width)
            line_start(w, JOIN_DIRECT);
        line_emit(w, words.at + i, 1, 1, STYLE_DIM, true);
    }
    w->offset += (uint32_t)w->blanks;
    w->blanks = 0;
}

static void put_blanks(struct writer *w)
{
    if (w->gutter && w->blanks > BLANKS_MOST)
        tell_blanks(w);
    while (w->blanks) {
        size_t left = w->width - w->used, now = w->blanks < left ? w->blanks : left;
        if (!now) {
            line_start(w, JOIN_DIRECT);
            continue;
        }
        line_emit_blanks(w, now, w->blank_look, false);
        w->blanks -= now;
    }
}

static void break_line(struct writer *w)
{
    enum page_join join = JOIN_DIRECT;

    if (w->mode == LINE_WORDS && w->blanks) {
        w->offset += (uint32_t)w->blanks;
        w->blanks = 0;
        join = JOIN_BLANK;
    }
    line_start(w, join);
}

static bool word_fits(const struct writer *w)
{
    return w->used + w->blanks + w->word_columns <= w->width;
}

/* Returns the column up to which a word that continues may fill a line. */
static size_t broken_limit(const struct writer *w)
{
    return w->mode == LINE_WORDS ? w->width - 1 : w->width;
}

/* Writes a character of a word that is longer than a line; the blanks before it are written. */
static void put_broken(struct writer *w, const char *at, const struct cell *cell)
{
    if (cell->columns && w->used + cell->columns > broken_limit(w) && w->used > w->start) {
        if (w->mode == LINE_WORDS && w->used < w->width)
            line_emit(w, "\\", 1, 1, STYLE_DIM, true);
        line_start(w, JOIN_DIRECT);
    }
    line_emit(w, at, cell->len, cell->columns, cell->style, false);
}

static void put_fitting(struct writer *w)
{
    const char *at = w->word.at;

    for (size_t i = 0; i < w->cell_count;) {
        size_t len = 0, columns = 0, from = i;
        for (; i < w->cell_count && w->cells[i].style == w->cells[from].style; i++) {
            len += w->cells[i].len;
            columns += w->cells[i].columns;
        }
        line_emit(w, at, len, columns, w->cells[from].style, false);
        at += len;
    }
}

/* Moves to the position for the current word, whose width is known, and writes the blanks before
 * it. */
static void place_word(struct writer *w)
{
    bool behind = w->used + w->blanks > w->start; /* the line is not empty */

    if (!word_fits(w) && (behind || w->width - w->used < w->room) &&
        (!w->broken || (w->mode == LINE_WORDS && w->blanks)))
        break_line(w);
    put_blanks(w);
    if (!w->broken && !word_fits(w))
        line_start(w, JOIN_DIRECT);
}

static void put_word(struct writer *w)
{
    if (!w->cell_count)
        return;
    place_word(w);
    const char *at = w->word.at;
    for (size_t i = 0; w->broken && i < w->cell_count; at += w->cells[i++].len)
        put_broken(w, at, &w->cells[i]);
    if (!w->broken)
        put_fitting(w);
    w->cell_count = w->word_columns = 0;
    str_clear(&w->word);
}

static void end_word(struct writer *w)
{
    put_word(w);
    w->broken = false;
}

static void add_cell(struct writer *w, const char *text, size_t len, size_t columns, uint8_t style)
{
    struct cell cell = {(uint8_t)len, (uint8_t)columns, style};

    w->column += columns;
    if (w->broken) {
        put_broken(w, text, &cell);
        return;
    }
    *mem_push(w->cells, w->cell_count, w->cell_cap) = cell;
    str_add(&w->word, text, len);
    w->word_columns += columns;
    if (w->word_columns > w->room) {
        w->broken = true;
        put_word(w);
    }
}

static void put_blank(struct writer *w, size_t count, uint8_t style)
{
    end_word(w);
    w->blanks += count;
    w->column += count;
    w->blank_look = style;
    /* the blank may be dropped before a combining mark */
    w->cursor.has_base = w->cursor.pictograph = false;
}

static void put_clean(struct writer *w, const struct sanitize_piece *piece, uint8_t style)
{
    bool ascii = piece->len == piece->columns;

    if (piece->escaped) {
        w->page->escaped++;
        style = STYLE_ESCAPED;
    }
    if (w->mode == LINE_EXACT && piece->columns)
        end_word(w);
    if (w->width == WRITER_WHOLE) {
        put_blanks(w);
        line_emit(w, piece->text, piece->len, piece->columns, style, false);
        w->column += piece->columns;
        return;
    }
    for (size_t i = 0; ascii && i < piece->len; i++)
        add_cell(w, piece->text + i, 1, 1, style);
    if (!ascii)
        add_cell(w, piece->text, piece->len, piece->columns, style);
}

static bool is_plain(char c)
{
    return c > ' ' && c < 0x7f;
}

/* Returns the number of plain letters that the rest starts with, at most `most`. */
static size_t plain_start(const struct writer *w, size_t most)
{
    struct span rest = w->cursor.rest;
    size_t len = 0;

    while (len < rest.len && len < most && is_plain(rest.at[len]))
        len++;
    return len;
}

static void take_plain(struct writer *w, size_t len, uint8_t style)
{
    line_emit(w, w->cursor.rest.at, len, len, style, false);
    w->column += len;
    w->cursor.rest.at += len;
    w->cursor.rest.len -= len;
}

/* The fast path: nearly all text is plain words. Words that are complete are written at once, and
 * so are letters that need not wait for the end of their word; the last letter waits, because it
 * may be the base of a combining mark. */
static bool put_plain(struct writer *w, uint8_t style)
{
    bool waits = w->mode != LINE_EXACT && w->width != WRITER_WHOLE && !w->broken;
    struct span rest = w->cursor.rest;

    if (!is_plain(rest.at[0]))
        return false;
    if (waits) {
        size_t len = w->cell_count ? 0 : plain_start(w, w->room + 1);
        if (!len || len > w->room || len == rest.len || rest.at[len] != ' ')
            return false;
        w->word_columns = len;
        place_word(w);
        take_plain(w, len, style);
        w->word_columns = 0;
        return true;
    }
    if (!w->broken)
        end_word(w);
    size_t limit = w->broken ? broken_limit(w) : w->width;
    size_t len = w->used < limit && !w->blanks ? plain_start(w, limit - w->used + 1) : 0;
    if (len < 2)
        return false;
    take_plain(w, len - 1, style);
    return true;
}

void line_put(struct writer *w, struct span text, enum style style)
{
    struct sanitize_piece piece;

    w->cursor.rest = text;
    while (w->cursor.rest.len) {
        char c = w->cursor.rest.at[0];
        bool tab = c == '\t' && w->tabs;
        if (c == ' ' || tab) {
            put_blank(w, tab ? TAB_STOP - w->column % TAB_STOP : 1, (uint8_t)style);
            w->cursor.rest.at++;
            w->cursor.rest.len--;
        } else if (!put_plain(w, (uint8_t)style) && sanitize_next(&w->cursor, &piece)) {
            put_clean(w, &piece, (uint8_t)style);
        }
    }
}

void line_lead(struct writer *w, struct span text, enum style style)
{
    size_t line = w->page->line_count;

    line_put(w, text, style);
    end_word(w);
    put_blanks(w);
    if (w->page->line_count == line && w->used <= writer_half(w))
        w->start = w->used;
}

void line_add(struct writer *w, struct span text, size_t columns, enum style style)
{
    end_word(w);
    put_blanks(w);
    if (w->used + columns > w->width)
        line_start(w, JOIN_DIRECT);
    line_emit(w, text.at, text.len, columns, (uint8_t)style, true);
}

void line_pad(struct writer *w, size_t columns)
{
    end_word(w);
    put_blanks(w);
    line_emit_blanks(w, columns, STYLE_PLAIN, true);
}

void line_close(struct writer *w)
{
    end_word(w);
    w->offset += (uint32_t)w->blanks; /* nobody sees blanks at the end */
    w->blanks = 0;
}
