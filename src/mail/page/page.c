/* Documents: plain text, raw bytes, searching, memory, and places that outlive a change of
 * width. */
#include "mail/page/page.h"

#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdlib.h>

/* Documents: turns text into sanitized and wrapped lines, in one pass over the characters. Of a
 * line only the word that may still have to move to the next line is buffered. */

/* Lines, made of pieces that each have one style. */

enum {
    COLUMNS_LEAST = 2, /* of the widest character */
    COLUMNS_ROOMY = 8, /* with fewer there is no room for indents */
    WIDE = 400,        /* wider screens do not get wider indents */
    MARK_COLUMNS = 2,
    GUTTER_COLUMNS = 2,
};

struct writer writer_new(struct document *page, const struct page_options *options)
{
    size_t columns = options->columns < COLUMNS_LEAST ? COLUMNS_LEAST : options->columns;

    return (struct writer){.page = page,
                           .options = options,
                           .tabs = true,
                           .labels = WRITER_LABELS,
                           .width =
                               options->whole || columns > WRITER_WHOLE ? WRITER_WHOLE : columns};
}

size_t writer_half(const struct writer *w)
{
    size_t columns = w->options->columns;

    return columns < COLUMNS_ROOMY ? 0 : columns > WIDE ? WIDE / 2 : columns / 2;
}

void writer_free(struct writer *w)
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

static void report_blanks(struct writer *w)
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
        report_blanks(w);
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
static void put_broken(struct writer *w, const char *at, const struct page_cell *page_cell)
{
    if (page_cell->columns && w->used + page_cell->columns > broken_limit(w) &&
        w->used > w->start) {
        if (w->mode == LINE_WORDS && w->used < w->width)
            line_emit(w, "\\", 1, 1, STYLE_DIM, true);
        line_start(w, JOIN_DIRECT);
    }
    line_emit(w, at, page_cell->len, page_cell->columns, page_cell->style, false);
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
    struct page_cell page_cell = {(uint8_t)len, (uint8_t)columns, style};

    w->column += columns;
    if (w->broken) {
        put_broken(w, text, &page_cell);
        return;
    }
    *mem_push(w->cells, w->cell_count, w->cell_cap) = page_cell;
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

/* Plain text, raw bytes, and lines of our own. */

enum {
    EMPTY_MOST = 8
}; /* more empty lines than this in a row only push what follows out of sight */

bool writer_draws(const struct writer *w)
{
    return !w->options->ascii_borders && !(w->options->clean & SANITIZE_ASCII);
}

void line_empty(struct writer *w)
{
    line_open(w, LINE_WORDS, (struct span){0});
    line_close(w);
}

void line_say(struct writer *w, const char *sentence, enum style style)
{
    line_open(w, LINE_WORDS, (struct span){0});
    line_put(w, span_of(sentence), style);
    line_close(w);
}

void line_rule(struct writer *w)
{
    size_t columns = w->options->columns < w->width ? w->options->columns : w->width;
    const char *dash = writer_draws(w) ? "\xe2\x94\x80" : "-";

    while (w->used < columns)
        line_add(w, span_of(dash), 1, STYLE_DIM);
}

struct span text_line(struct span *text, bool crlf)
{
    size_t len = text->len;
    struct span line = span_take_line(text);

    line.len -= crlf && line.len < len && span_ends(line, "\r");
    return line;
}

struct span text_trim(struct span text)
{
    while (text.len && (text.at[0] == ' ' || text.at[0] == '\t')) {
        text.at++;
        text.len--;
    }
    while (text.len && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t'))
        text.len--;
    return text;
}

void text_skip_empty(struct writer *w, struct span *text)
{
    struct span rest = *text;
    size_t count = 0;

    for (struct span ahead = rest; ahead.len && !text_trim(text_line(&ahead, true)).len; count++)
        rest = ahead;
    if (count <= EMPTY_MOST)
        return;
    CLEANUP(str_free) struct str words = {0};
    str_addf(&words, "(%zu empty lines)", count);
    line_say(w, str_c(&words), STYLE_DIM);
    *text = rest;
}

void text_hang(struct str *next, struct span lead)
{
    for (size_t i = 0; i < lead.len; i++) {
        if (lead.at[i] == '\t')
            str_pad(next, ' ', TAB_STOP - next->len % TAB_STOP);
        else
            str_putc(next, lead.at[i] == '>' ? '>' : ' ');
    }
}

/* Starts a line with a margin of two columns; continuation lines have the mark "+ " in it. */
static void open_marked(struct writer *w, enum line_mode mode)
{
    line_open(w, mode, span_of("+ "));
    if (w->next.len == 2)
        line_pad(w, 2);
}

static size_t leading_blanks(struct span line)
{
    size_t len = 0;

    while (len < line.len && (line.at[len] == ' ' || line.at[len] == '\t'))
        len++;
    return len;
}

static void put_words_line(struct writer *w, struct span line, enum style style, struct str *next)
{
    size_t blanks = leading_blanks(line);

    str_clear(next);
    text_hang(next, (struct span){line.at, blanks});
    line_open(w, LINE_WORDS, str_span(next));
    line_lead(w, (struct span){line.at, blanks}, style);
    line_put(w, (struct span){line.at + blanks, line.len - blanks}, style);
    line_close(w);
}

void text_put(struct writer *w, struct span text, enum line_mode mode, enum style style)
{
    CLEANUP(str_free) struct str next = {0};

    while (text.len) {
        text_skip_empty(w, &text);
        if (!text.len)
            break;
        struct span line = text_line(&text, true);
        if (mode == LINE_WORDS) {
            put_words_line(w, line, style, &next);
            continue;
        }
        open_marked(w, mode);
        line_put(w, line, style);
        line_close(w);
    }
}

void page_text(struct document *page, struct span text, const struct page_options *options)
{
    CLEANUP(writer_free) struct writer w = writer_new(page, options);

    text_put(&w, text, LINE_WORDS, STYLE_PLAIN);
}

/* Shows bytes that are not UTF-8 as <FF>: U+FFFD would not say which bytes they are. */
static void put_raw_line(struct writer *w, struct span line)
{
    while (line.len) {
        struct span rest = line, bad = line;
        int32_t code = 0;
        while (rest.len) {
            bad = rest;
            code = utf8_next(&rest);
            if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff))
                break;
            bad = rest;
        }
        line_put(w, (struct span){line.at, (size_t)(bad.at - line.at)}, STYLE_PLAIN);
        for (; bad.at < rest.at; bad.at++) {
            char hex[] = {'<', "0123456789ABCDEF"[(unsigned char)*bad.at >> 4],
                          "0123456789ABCDEF"[*bad.at & 15], '>', '\0'};
            line_put(w, span_of(hex), STYLE_ESCAPED);
            w->page->escaped++;
        }
        line = rest;
    }
}

void page_raw(struct document *page, struct span bytes, const struct page_options *options)
{
    CLEANUP(writer_free) struct writer w = writer_new(page, options);

    w.tabs = false;
    while (bytes.len) {
        open_marked(&w, LINE_EXACT);
        put_raw_line(&w, text_line(&bytes, false));
        line_close(&w);
    }
}

/* Searching. Wrapped lines are joined again, so that words are found across line ends. */

/* One line of the text as it was before wrapping, folded, with the origin of each byte: the range
 * of the character that it is a part of. */
struct unwrapped {
    struct str folded;
    struct page_match *origins;
    size_t count, cap;
};

/* Notes the origin of the bytes that were folded last. */
static void note_bytes(struct unwrapped *text, uint32_t from, uint32_t to, uint32_t line)
{
    while (text->count < text->folded.len)
        *mem_push(text->origins, text->count, text->cap) = (struct page_match){from, to, line};
}

static void add_piece(struct unwrapped *text, const struct document *page,
                      const struct page_piece *piece, uint32_t line)
{
    struct span rest = {page->text.at + piece->at, piece->len};

    while (rest.len) {
        const char *start = rest.at;
        utf8_next(&rest);
        fold_add(&text->folded, (struct span){start, (size_t)(rest.at - start)});
        note_bytes(text, (uint32_t)(start - page->text.at), (uint32_t)(rest.at - page->text.at),
                   line);
    }
}

static void add_line(struct unwrapped *text, const struct document *page, size_t number)
{
    const struct page_line *line = &page->lines[number];

    if (line->join == JOIN_BLANK && text->folded.len) {
        uint32_t at = text->origins[text->count - 1].to;
        str_putc(&text->folded, ' ');
        note_bytes(text, at, at, (uint32_t)number);
    }
    for (uint32_t i = 0; i < line->count; i++)
        if (!page->pieces[line->first + i].added)
            add_piece(text, page, &page->pieces[line->first + i], (uint32_t)number);
}

static void find_all(const struct unwrapped *text, struct span needle, struct page_matches *matches)
{
    const char *at = str_c(&text->folded), *end = at + text->folded.len, *found;

    while ((found = memmem(at, (size_t)(end - at), needle.at, needle.len))) {
        size_t first = (size_t)(found - str_c(&text->folded)), last = first + needle.len - 1;
        struct page_match match = text->origins[first];
        match.to = text->origins[last].to;
        *mem_push(matches->items, matches->count, matches->cap) = match;
        at = found + needle.len;
    }
}

void page_search(const struct document *page, struct span needle, struct page_matches *matches)
{
    struct unwrapped text = {0};
    CLEANUP(str_free) struct str folded = {0};

    matches->count = 0;
    fold_add(&folded, needle);
    for (size_t line = 0; folded.len && line < page->line_count;) {
        str_clear(&text.folded);
        text.count = 0;
        do
            add_line(&text, page, line++);
        while (line < page->line_count && page->lines[line].join != JOIN_NONE);
        find_all(&text, str_span(&folded), matches);
    }
    str_free(&text.folded);
    free(text.origins);
}

size_t page_first(const void *items, size_t count, size_t size, size_t offset, size_t at)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t value;
        memcpy(&value, (const char *)items + middle * size + offset, sizeof value);
        if (value > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t page_match_at(const struct page_matches *matches, uint32_t at)
{
    return page_first(matches->items, matches->count, sizeof *matches->items,
                      offsetof(struct page_match, to), at);
}

size_t page_match_from(const struct page_matches *matches, size_t line)
{
    return line ? page_first(matches->items, matches->count, sizeof *matches->items,
                             offsetof(struct page_match, line), line - 1)
                : 0;
}

void page_matches_free(struct page_matches *matches)
{
    free(matches->items);
    *matches = (struct page_matches){0};
}

void page_clear(struct document *page)
{
    str_clear(&page->text);
    page->piece_count = page->line_count = page->widest = page->escaped = 0;
    page->sources = 0;
    page->ages_us = 0;
}

void page_free(struct document *page)
{
    str_free(&page->text);
    free(page->pieces);
    free(page->lines);
    *page = (struct document){0};
}

struct page_place page_place(const struct document *page, size_t line)
{
    if (line >= page->line_count)
        return (struct page_place){UINT32_MAX, 0};
    return (struct page_place){page->lines[line].source, page->lines[line].offset};
}

static bool is_behind(const struct page_line *line, struct page_place place)
{
    return line->source > place.source ||
           (line->source == place.source && line->offset > place.offset);
}

size_t page_line_at(const struct document *page, struct page_place place)
{
    size_t low = 0, high = page->line_count;

    while (low < high) { /* finds the first line after the place: the one before shows it */
        size_t middle = low + (high - low) / 2;
        if (is_behind(&page->lines[middle], place))
            high = middle;
        else
            low = middle + 1;
    }
    if (!low)
        return 0;
    low--;
    /* several lines with no text of their own can have the same offset: return the first of them */
    while (low && page->lines[low - 1].source == place.source &&
           page->lines[low - 1].offset == place.offset && page->lines[low].offset == place.offset)
        low--;
    return low;
}
