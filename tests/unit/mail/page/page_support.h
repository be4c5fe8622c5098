/* Shared by the tests of documents: a document as text, and what holds for every document. */
#ifndef TESTS_UNIT_MAIL_PAGE_PAGE_SUPPORT_H
#define TESTS_UNIT_MAIL_PAGE_PAGE_SUPPORT_H

#include "tests/unit/support.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/page/page.h"

typedef void page_maker(struct document *page, struct span text,
                        const struct page_options *options);

static inline struct page_options narrow(size_t columns)
{
    return (struct page_options){.columns = columns, .ascii_borders = true};
}

/* Returns the lines as a terminal shows them; with `own` only the pieces of the text itself. The
 * caller frees. */
static inline struct str page_shown(const struct document *page, bool own)
{
    struct str out = {0};

    for (size_t i = 0; i < page->line_count; i++) {
        const struct page_line *line = &page->lines[i];
        for (uint32_t p = line->first; p < line->first + line->count; p++)
            if (!own || !page->pieces[p].added)
                str_add(&out, page->text.at + page->pieces[p].at, page->pieces[p].len);
        str_putc(&out, '\n');
    }
    return out;
}

static inline void assert_made(page_maker *make, size_t columns, const char *text, const char *want)
{
    struct document page = {0};
    struct page_options options = narrow(columns);

    make(&page, span_of(text), &options);
    struct str shown = page_shown(&page, false);
    cr_assert_str_eq(str_c(&shown), want);
    str_free(&shown);
    page_free(&page);
}

/* Returns all pieces of that style, joined. The caller frees. */
static inline struct str page_looking(const struct document *page, enum style style)
{
    struct str out = {0};

    for (size_t i = 0; i < page->piece_count; i++)
        if (page->pieces[i].style == style)
            str_add(&out, page->text.at + page->pieces[i].at, page->pieces[i].len);
    return out;
}

static inline void assert_looking(page_maker *make, const char *text, enum style style,
                                  const char *want)
{
    struct document page = {0};
    struct page_options options = narrow(80);

    make(&page, span_of(text), &options);
    struct str found = page_looking(&page, style);
    cr_assert_str_eq(str_c(&found), want);
    str_free(&found);
    page_free(&page);
}

/* Asserts that the document is safe for a terminal of that width: sanitizing changes nothing, no
 * line is wider, and the columns are correct. */
static inline void assert_sound(const struct document *page, const struct page_options *options,
                                const char *name)
{
    struct str again = {0};
    size_t piece = 0, most = options->columns < 2 ? 2 : options->columns;

    cr_assert(utf8_valid(str_span(&page->text)), "%s: not UTF-8", name);
    for (size_t i = 0; i < page->line_count; i++) {
        const struct page_line *line = &page->lines[i];
        size_t columns = 0, counted = 0;
        cr_assert(line->first == piece, "%s: line %zu", name, i);
        size_t start = line->count ? page->pieces[piece].at : 0, len = 0;
        for (uint32_t p = 0; p < line->count; p++, piece++) {
            cr_assert(page->pieces[piece].at == start + len, "%s: line %zu has a gap", name, i);
            len += page->pieces[piece].len;
            counted += page->pieces[piece].columns;
        }
        cr_assert(start + len <= page->text.len);
        struct span text = {str_c(&page->text) + start, len};
        str_clear(&again);
        columns = sanitize_add(&again, text, options->clean | SANITIZE_LINE);
        cr_assert(span_eq(str_span(&again), text), "%s: line %zu is not clean: %.*s", name, i,
                  (int)len, text.at);
        cr_assert(columns == counted, "%s: line %zu", name, i);
        cr_assert(options->whole || columns <= most, "%s: line %zu has %zu columns of %zu: %.*s",
                  name, i, columns, most, (int)len, text.at);
        cr_assert(columns <= page->widest, "%s", name);
    }
    cr_assert(piece == page->piece_count);
    str_free(&again);
}

#endif
