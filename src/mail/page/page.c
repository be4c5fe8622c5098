/* Documents: plain text, raw bytes, searching, memory, and places that outlive a change of
 * width. */
#include "mail/page/page.h"

#include "base/mem.h"
#include "base/text/utf8.h"
#include "mail/page/page_writer.h"

#include <stdlib.h>

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
    const char *end = memchr(text->at, '\n', text->len);
    struct span line = {text->at, end ? (size_t)(end - text->at) : text->len};
    size_t taken = line.len + (end != NULL);

    text->at += taken;
    text->len -= taken;
    if (crlf && end && line.len && line.at[line.len - 1] == '\r')
        line.len--;
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
    struct writer w;

    writer_open(&w, page, options);
    text_put(&w, text, LINE_WORDS, STYLE_PLAIN);
    writer_close(&w);
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
    struct writer w;

    writer_open(&w, page, options);
    w.tabs = false;
    while (bytes.len) {
        open_marked(&w, LINE_EXACT);
        put_raw_line(&w, text_line(&bytes, false));
        line_close(&w);
    }
    writer_close(&w);
}

/* Searching. Wrapped lines are joined again, so that words are found across line ends. */

/* One line of the text as it was before wrapping, folded, with the origin of each byte. */
struct unwrapped {
    struct str folded;
    uint32_t *from, *to; /* range of the character that each folded byte is a part of */
    uint32_t *lines;
    size_t cap[3];
};

static void note_bytes(struct unwrapped *text, size_t before, uint32_t from, uint32_t to,
                       uint32_t line)
{
    uint32_t **arrays[] = {&text->from, &text->to, &text->lines};
    uint32_t values[] = {from, to, line};

    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        *arrays[a] = mem_grow(*arrays[a], &text->cap[a], text->folded.len, sizeof **arrays[a]);
        for (size_t i = before; i < text->folded.len; i++)
            (*arrays[a])[i] = values[a];
    }
}

static void add_piece(struct unwrapped *text, const struct document *page,
                      const struct page_piece *piece, uint32_t line)
{
    struct span rest = {page->text.at + piece->at, piece->len};

    while (rest.len) {
        const char *start = rest.at;
        size_t before = text->folded.len;
        utf8_next(&rest);
        fold_add(&text->folded, (struct span){start, (size_t)(rest.at - start)});
        note_bytes(text, before, (uint32_t)(start - page->text.at),
                   (uint32_t)(rest.at - page->text.at), line);
    }
}

static void add_line(struct unwrapped *text, const struct document *page, size_t number)
{
    const struct page_line *line = &page->lines[number];

    if (line->join == JOIN_BLANK && text->folded.len) {
        uint32_t at = text->to[text->folded.len - 1];
        str_putc(&text->folded, ' ');
        note_bytes(text, text->folded.len - 1, at, at, (uint32_t)number);
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
        *mem_push(matches->items, matches->count, matches->cap) =
            (struct page_match){text->from[first], text->to[last], text->lines[first]};
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
        do
            add_line(&text, page, line++);
        while (line < page->line_count && page->lines[line].join != JOIN_NONE);
        find_all(&text, str_span(&folded), matches);
    }
    str_free(&text.folded);
    free(text.from);
    free(text.to);
    free(text.lines);
}

size_t page_match_at(const struct page_matches *matches, uint32_t at)
{
    size_t low = 0, high = matches->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (matches->items[middle].to > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t page_match_from(const struct page_matches *matches, size_t line)
{
    size_t low = 0, high = matches->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (matches->items[middle].line >= line)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
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
