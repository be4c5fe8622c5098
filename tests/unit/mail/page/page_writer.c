/* Tests documents: wrapping, plain and raw text, searching, and places that stay valid when the
 * width changes. */
#include "page_support.h"

#include "base/mem.h"

Test(page_wrap, lines_end_between_words)
{
    assert_made(page_text, 12, "one two three four\nfive\n\nsix",
                "one two\nthree four\nfive\n\nsix\n");
}

Test(page_wrap, a_line_that_fits_exactly_is_not_wrapped)
{
    assert_made(page_text, 7, "one two", "one two\n");
    assert_made(page_text, 6, "one two", "one\ntwo\n");
}

Test(page_wrap, lines_that_go_on_stand_below_an_indent)
{
    assert_made(page_text, 12, "   one two three", "   one two\n   three\n");
    assert_made(page_text, 20, "\tone two three four", "        one two\n        three four\n");
}

Test(page_wrap, a_word_that_is_too_long_is_broken_and_marked)
{
    assert_made(page_text, 8, "go abcdefghijklmnop end", "go\nabcdefg\\\nhijklmn\\\nop end\n");
}

Test(page_wrap, escapes_are_broken_rather_than_cut)
{
    assert_made(page_text, 4, "\xe2\x80\xae", "<U+\\\n202\\\nE>\n");
    assert_looking(page_text, "a\x1b[31mb\xe2\x80\xae", STYLE_ESCAPED, "^[<U+202E>");
}

Test(page_wrap, wide_characters_never_stand_over_the_edge)
{
    assert_made(page_raw, 5, "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2",
                "\xe6\xbc\xa2\xe6\xbc\xa2\n\xe6\xbc\xa2\n");
}

Test(page_wrap, whole_lines_are_not_wrapped)
{
    struct document page = {0};
    struct page_options options = {.columns = 10, .whole = true};

    page_text(&page, span_of("one two three four five six"), &options);
    cr_assert(page.line_count == 1 && page.widest == 27);
    page_free(&page);
}

Test(page_wrap, many_empty_lines_cannot_push_text_out_of_sight)
{
    assert_made(page_text, 40, "a\n\n\n\n\n\n\n\n\n \n\n\nb", "a\n(11 empty lines)\nb\n");
    assert_made(page_text, 40, "a\n\n\nb", "a\n\n\nb\n");
}

Test(page_wrap, carriage_returns_show_where_they_are_no_line_ends)
{
    assert_made(page_text, 40, "a\r\nb\rc\r", "a\nb^Mc^M\n");
    assert_made(page_raw, 40, "a\r\nb", "  a^M\n  b\n");
}

Test(page_wrap, raw_bytes_are_shown_every_one)
{
    assert_made(page_raw, 40, "a\tb\x1b\xff\xed\xa0\x80\xc3\xa9",
                "  a^Ib^[<FF><ED><A0><80>\xc3\xa9\n");
}

Test(page_wrap, raw_lines_go_on_where_they_ended_and_keep_their_blanks)
{
    assert_made(page_raw, 10, "rm -rf / tmp", "  rm -rf /\n+  tmp\n");
    assert_made(page_raw, 10, "rm -rf /tmp", "  rm -rf /\n+ tmp\n");
    assert_made(page_raw, 10, "rm -r  / tmp", "  rm -r  /\n+  tmp\n");
    assert_made(page_raw, 10, "rm -rfv /tmp", "  rm -rfv\n+  /tmp\n");
}

Test(page_wrap, escaped_characters_are_counted)
{
    struct document page = {0};
    struct page_options options = narrow(40);

    page_text(&page, span_of("plain"), &options);
    cr_assert(page.escaped == 0);
    page_text(&page, span_of("\x1b \xe2\x80\xae"), &options);
    cr_assert(page.escaped == 2);
    page_free(&page);
}

static struct str match_text(const struct document *page, const struct page_match *match)
{
    struct str out = {0};

    for (size_t i = 0; i < page->piece_count; i++) {
        const struct page_piece *piece = &page->pieces[i];
        uint32_t from = piece->at > match->from ? piece->at : match->from;
        uint32_t end = piece->at + piece->len;
        if (end > match->to)
            end = match->to;
        if (!piece->added && from < end)
            str_add(&out, page->text.at + from, end - from);
    }
    return out;
}

static void assert_found(struct document *page, const char *needle, const char *want[],
                         size_t count)
{
    struct page_matches matches = {0};

    page_search(page, span_of(needle), &matches);
    cr_assert(matches.count == count, "%s: found %zu times", needle, matches.count);
    for (size_t i = 0; i < count; i++) {
        struct str text = match_text(page, &matches.items[i]);
        cr_assert_str_eq(str_c(&text), want[i]);
        str_free(&text);
    }
    page_matches_free(&matches);
}

Test(page_find, words_are_found_whatever_their_case_and_wherever_lines_end)
{
    struct document page = {0};
    struct page_options options = narrow(12);

    page_text(&page, span_of("one Two three four TWO\ntwo"), &options);
    assert_found(&page, "two", (const char *[]){"Two", "TWO", "two"}, 3);
    assert_found(&page, "TWO THREE", (const char *[]){"Twothree"}, 1);
    assert_found(&page, "two\ntwo", NULL, 0);
    assert_found(&page, "", NULL, 0);
    page_free(&page);
}

Test(page_find, broken_words_are_found_and_marks_are_not)
{
    struct document page = {0};
    struct page_options options = narrow(8);

    page_text(&page, span_of("abcdefghijklmnop"), &options);
    assert_found(&page, "ghij", (const char *[]){"ghij"}, 1);
    assert_found(&page, "\\", NULL, 0);
    page_free(&page);
}

Test(page_find, letters_that_fold_into_several_are_found_whole)
{
    struct document page = {0};
    struct page_options options = narrow(40);

    page_text(&page,
              span_of("stra\xc3\x9f"
                      "e \xc3\x84rger"),
              &options);
    assert_found(&page, "STRASSE",
                 (const char *[]){"stra\xc3\x9f"
                                  "e"},
                 1);
    assert_found(&page, "\xc3\xa4", (const char *[]){"\xc3\x84"}, 1);
    page_free(&page);
}

Test(page_find, matches_can_be_gone_through)
{
    struct document page = {0};
    struct page_options options = narrow(40);
    struct page_matches matches = {0};

    page_text(&page, span_of("x\ny\nx x\n"), &options);
    page_search(&page, span_of("x"), &matches);
    cr_assert(matches.count == 3);
    cr_assert(page_match_from(&matches, 0) == 0 && page_match_from(&matches, 1) == 1);
    cr_assert(page_match_from(&matches, 3) == 3);
    cr_assert(page_match_at(&matches, matches.items[1].from) == 1);
    cr_assert(page_match_at(&matches, matches.items[1].to) == 2);
    page_matches_free(&matches);
    page_free(&page);
}

Test(page_place, the_same_text_is_on_top_after_another_width)
{
    struct document wide = {0}, thin = {0};
    struct page_options w = narrow(60), t = narrow(20);
    const char *text =
        "first line\nsecond line that is long enough to be wrapped in both of the two "
        "widths that are tried here\nthird\n";

    page_text(&wide, span_of(text), &w);
    page_text(&thin, span_of(text), &t);
    for (size_t i = 0; i < thin.line_count; i++) {
        struct page_place place = page_place(&thin, i);
        const struct page_line *line = &wide.lines[page_line_at(&wide, place)];
        cr_assert(line->source == thin.lines[i].source && line->offset <= thin.lines[i].offset);
        cr_assert(page_line_at(&thin, place) == i);
    }
    cr_assert(page_line_at(&thin, page_place(&thin, 99)) == thin.line_count - 1);
    page_free(&wide);
    page_free(&thin);
}

Test(page_wrap, a_document_can_be_used_again)
{
    struct document page = {0};
    struct page_options options = narrow(40);

    page_text(&page, span_of("one"), &options);
    page_clear(&page);
    page_text(&page, span_of("two"), &options);
    struct str shown = page_shown(&page, false);
    cr_assert_str_eq(str_c(&shown), "two\n");
    str_free(&shown);
    page_free(&page);
}
