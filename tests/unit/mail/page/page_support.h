/* What the tests of documents share: a document as text, and what every document has to be. */
#ifndef TESTS_UNIT_MAIL_PAGE_PAGE_SUPPORT_H
#define TESTS_UNIT_MAIL_PAGE_PAGE_SUPPORT_H

#include "tests/unit/support.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/page/page.h"

typedef void document_maker(struct document *doc, struct span text,
                            const struct document_options *options);

static inline struct document_options narrow(size_t columns)
{
    return (struct document_options){.columns = columns, .ascii_borders = true};
}

/* The lines as a terminal shows them; with `own` only what is of the text itself. The caller frees.
 */
static inline struct str document_shown(const struct document *doc, bool own)
{
    struct str out = {0};

    for (size_t i = 0; i < doc->line_count; i++) {
        const struct document_line *line = &doc->lines[i];
        for (uint32_t p = line->first; p < line->first + line->count; p++)
            if (!own || !doc->pieces[p].added)
                str_add(&out, doc->text.at + doc->pieces[p].at, doc->pieces[p].len);
        str_putc(&out, '\n');
    }
    return out;
}

static inline void assert_made(document_maker *make, size_t columns, const char *text,
                               const char *want)
{
    struct document doc = {0};
    struct document_options options = narrow(columns);

    make(&doc, span_of(text), &options);
    struct str shown = document_shown(&doc, false);
    cr_assert_str_eq(str_c(&shown), want);
    str_free(&shown);
    document_free(&doc);
}

/* What looks like that, all of it together. The caller frees. */
static inline struct str document_looking(const struct document *doc, enum look look)
{
    struct str out = {0};

    for (size_t i = 0; i < doc->piece_count; i++)
        if (doc->pieces[i].look == look)
            str_add(&out, doc->text.at + doc->pieces[i].at, doc->pieces[i].len);
    return out;
}

static inline void assert_looking(document_maker *make, const char *text, enum look look,
                                  const char *want)
{
    struct document doc = {0};
    struct document_options options = narrow(80);

    make(&doc, span_of(text), &options);
    struct str found = document_looking(&doc, look);
    cr_assert_str_eq(str_c(&found), want);
    str_free(&found);
    document_free(&doc);
}

/* Safe for a terminal of that width: nothing in it that cleaning would change, no line wider, and
 * columns that are what they say. */
static inline void assert_sound(const struct document *doc, const struct document_options *options,
                                const char *name)
{
    struct str again = {0};
    size_t piece = 0, most = options->columns < 2 ? 2 : options->columns;

    cr_assert(utf8_valid(str_span(&doc->text)), "%s: not UTF-8", name);
    for (size_t i = 0; i < doc->line_count; i++) {
        const struct document_line *line = &doc->lines[i];
        size_t columns = 0, counted = 0;
        cr_assert(line->first == piece, "%s: line %zu", name, i);
        size_t start = line->count ? doc->pieces[piece].at : 0, len = 0;
        for (uint32_t p = 0; p < line->count; p++, piece++) {
            cr_assert(doc->pieces[piece].at == start + len, "%s: line %zu has a gap", name, i);
            len += doc->pieces[piece].len;
            counted += doc->pieces[piece].columns;
        }
        cr_assert(start + len <= doc->text.len);
        struct span text = {str_c(&doc->text) + start, len};
        str_clear(&again);
        columns = clean_add(&again, text, options->clean | CLEAN_LINE);
        cr_assert(span_eq(str_span(&again), text), "%s: line %zu is not clean: %.*s", name, i,
                  (int)len, text.at);
        cr_assert(columns == counted, "%s: line %zu", name, i);
        cr_assert(options->whole || columns <= most, "%s: line %zu has %zu columns of %zu: %.*s",
                  name, i, columns, most, (int)len, text.at);
        cr_assert(columns <= doc->widest, "%s", name);
    }
    cr_assert(piece == doc->piece_count);
    str_free(&again);
}

#endif
