/* Documents: any text, in any way and width, is shown without control characters, no line is wider
 * than the screen, and columns are correct. */
#include "mail/page/page.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "fuzz.h"

static void check_line(const struct document *doc, const struct page_line *line,
                       const struct page_options *options)
{
    const struct page_piece *pieces = line->count ? &doc->pieces[line->first] : NULL;
    size_t start = line->count ? pieces[0].at : 0, len = 0, counted = 0;
    struct str again = {0};

    for (uint32_t i = 0; i < line->count; i++) {
        require(pieces[i].at == start + len, "a gap before piece %u", i);
        len += pieces[i].len;
        counted += pieces[i].columns;
    }
    require(start + len <= doc->text.len, "a line beyond the text");
    struct span text = {str_c(&doc->text) + start, len};
    size_t columns = sanitize_add(&again, text, options->clean | SANITIZE_LINE);
    require(span_eq(str_span(&again), text), "it is not clean: %.*s", (int)len, text.at);
    require(columns == counted, "%zu columns, counted %zu", columns, counted);
    require(options->whole || columns <= (options->columns < 2 ? 2 : options->columns),
            "%zu columns: %.*s", columns, (int)len, text.at);
    require(columns <= doc->widest, "%zu columns", columns);
    str_free(&again);
}

static void check(void (*make)(struct document *doc, struct span text,
                               const struct page_options *options),
                  struct span text, const struct page_options *options)
{
    struct document doc = {0};
    struct page_matches matches = {0};
    size_t pieces = 0;

    make(&doc, text, options);
    require(utf8_valid(str_span(&doc.text)), "not UTF-8");
    for (size_t i = 0; i < doc.line_count; i++) {
        require(doc.lines[i].first == pieces, "line %zu", i);
        pieces += doc.lines[i].count;
        check_line(&doc, &doc.lines[i], options);
    }
    require(pieces == doc.piece_count, "%zu pieces", doc.piece_count);
    for (size_t i = 0; i < doc.line_count; i += 1 + doc.line_count / 16)
        require(page_line_at(&doc, page_place(&doc, i)) <= i, "line %zu", i);
    struct span needle = utf8_start(text, 3);
    page_search(&doc, needle, &matches);
    for (size_t i = 0; i < matches.count; i++) {
        const struct page_match *match = &matches.items[i];
        bool shown = span_trim(needle).len; /* the blank between two lines is not shown */
        require(match->from + shown <= match->to && match->to <= doc.text.len &&
                    match->line < doc.line_count,
                "match %zu", i);
    }
    page_matches_free(&matches);
    page_free(&doc);
}

void fuzz_document(struct span input)
{
    unsigned char how = fuzz_byte(&input);
    const struct page_options options = {
        .columns = 2 + how % 60, .whole = how > 250, .clean = how & 64 ? SANITIZE_ASCII : 0};

    check(page_text, input, &options);
    check(page_raw, input, &options);
    check(page_markdown, input, &options);
    check(page_json, input, &options);
}
