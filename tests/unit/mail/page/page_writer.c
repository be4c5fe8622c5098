/* Tests of documents: wrapping, plain and raw text, searching, and places that outlive a width. */
#include "page_support.h"

#include "base/mem.h"

Test(document_wrap, lines_end_between_words)
{
    assert_made(document_text, 12, "one two three four\nfive\n\nsix",
                "one two\nthree four\nfive\n\nsix\n");
}

Test(document_wrap, a_line_that_fits_exactly_is_not_wrapped)
{
    assert_made(document_text, 7, "one two", "one two\n");
    assert_made(document_text, 6, "one two", "one\ntwo\n");
}

Test(document_wrap, lines_that_go_on_stand_below_an_indent)
{
    assert_made(document_text, 12, "   one two three", "   one two\n   three\n");
    assert_made(document_text, 20, "\tone two three four", "        one two\n        three four\n");
}

Test(document_wrap, a_word_that_is_too_long_is_broken_and_marked)
{
    assert_made(document_text, 8, "go abcdefghijklmnop end", "go\nabcdefg\\\nhijklmn\\\nop end\n");
}

Test(document_wrap, escapes_are_broken_rather_than_cut)
{
    assert_made(document_text, 4, "\xe2\x80\xae", "<U+\\\n202\\\nE>\n");
    assert_looking(document_text, "a\x1b[31mb\xe2\x80\xae", LOOK_ESCAPED, "^[<U+202E>");
}

Test(document_wrap, wide_characters_never_stand_over_the_edge)
{
    assert_made(document_raw, 5, "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2",
                "\xe6\xbc\xa2\xe6\xbc\xa2\n\xe6\xbc\xa2\n");
}

Test(document_wrap, whole_lines_are_not_wrapped)
{
    struct document doc = {0};
    struct document_options options = {.columns = 10, .whole = true};

    document_text(&doc, span_of("one two three four five six"), &options);
    cr_assert(doc.line_count == 1 && doc.widest == 27);
    document_free(&doc);
}

Test(document_wrap, many_empty_lines_cannot_push_text_out_of_sight)
{
    assert_made(document_text, 40, "a\n\n\n\n\n\n\n\n\n \n\n\nb", "a\n(11 empty lines)\nb\n");
    assert_made(document_text, 40, "a\n\n\nb", "a\n\n\nb\n");
}

Test(document_wrap, carriage_returns_show_where_they_are_no_line_ends)
{
    assert_made(document_text, 40, "a\r\nb\rc\r", "a\nb^Mc^M\n");
    assert_made(document_raw, 40, "a\r\nb", "  a^M\n  b\n");
}

Test(document_wrap, raw_bytes_are_shown_every_one)
{
    assert_made(document_raw, 40, "a\tb\x1b\xff\xed\xa0\x80\xc3\xa9",
                "  a^Ib^[<FF><ED><A0><80>\xc3\xa9\n");
}

Test(document_wrap, raw_lines_go_on_where_they_ended_and_keep_their_blanks)
{
    assert_made(document_raw, 10, "rm -rf / tmp", "  rm -rf /\n+  tmp\n");
    assert_made(document_raw, 10, "rm -rf /tmp", "  rm -rf /\n+ tmp\n");
    assert_made(document_raw, 10, "rm -r  / tmp", "  rm -r  /\n+  tmp\n");
    assert_made(document_raw, 10, "rm -rfv /tmp", "  rm -rfv\n+  /tmp\n");
}

Test(document_wrap, escaped_characters_are_counted)
{
    struct document doc = {0};
    struct document_options options = narrow(40);

    document_text(&doc, span_of("plain"), &options);
    cr_assert(doc.escaped == 0);
    document_text(&doc, span_of("\x1b \xe2\x80\xae"), &options);
    cr_assert(doc.escaped == 2);
    document_free(&doc);
}

static struct str match_text(const struct document *doc, const struct document_match *match)
{
    struct str out = {0};

    for (size_t i = 0; i < doc->piece_count; i++) {
        const struct document_piece *piece = &doc->pieces[i];
        uint32_t from = piece->at > match->from ? piece->at : match->from;
        uint32_t end = piece->at + piece->len;
        if (end > match->to)
            end = match->to;
        if (!piece->added && from < end)
            str_add(&out, doc->text.at + from, end - from);
    }
    return out;
}

static void assert_found(struct document *doc, const char *needle, const char *want[], size_t count)
{
    struct document_matches matches = {0};

    document_search(doc, span_of(needle), &matches);
    cr_assert(matches.count == count, "%s: found %zu times", needle, matches.count);
    for (size_t i = 0; i < count; i++) {
        struct str text = match_text(doc, &matches.items[i]);
        cr_assert_str_eq(str_c(&text), want[i]);
        str_free(&text);
    }
    document_matches_free(&matches);
}

Test(document_find, words_are_found_whatever_their_case_and_wherever_lines_end)
{
    struct document doc = {0};
    struct document_options options = narrow(12);

    document_text(&doc, span_of("one Two three four TWO\ntwo"), &options);
    assert_found(&doc, "two", (const char *[]){"Two", "TWO", "two"}, 3);
    assert_found(&doc, "TWO THREE", (const char *[]){"Twothree"}, 1);
    assert_found(&doc, "two\ntwo", NULL, 0);
    assert_found(&doc, "", NULL, 0);
    document_free(&doc);
}

Test(document_find, broken_words_are_found_and_marks_are_not)
{
    struct document doc = {0};
    struct document_options options = narrow(8);

    document_text(&doc, span_of("abcdefghijklmnop"), &options);
    assert_found(&doc, "ghij", (const char *[]){"ghij"}, 1);
    assert_found(&doc, "\\", NULL, 0);
    document_free(&doc);
}

Test(document_find, letters_that_fold_into_several_are_found_whole)
{
    struct document doc = {0};
    struct document_options options = narrow(40);

    document_text(&doc,
                  span_of("stra\xc3\x9f"
                          "e \xc3\x84rger"),
                  &options);
    assert_found(&doc, "STRASSE",
                 (const char *[]){"stra\xc3\x9f"
                                  "e"},
                 1);
    assert_found(&doc, "\xc3\xa4", (const char *[]){"\xc3\x84"}, 1);
    document_free(&doc);
}

Test(document_find, matches_can_be_gone_through)
{
    struct document doc = {0};
    struct document_options options = narrow(40);
    struct document_matches matches = {0};

    document_text(&doc, span_of("x\ny\nx x\n"), &options);
    document_search(&doc, span_of("x"), &matches);
    cr_assert(matches.count == 3);
    cr_assert(document_match_from(&matches, 0) == 0 && document_match_from(&matches, 1) == 1);
    cr_assert(document_match_from(&matches, 3) == 3);
    cr_assert(document_match_at(&matches, matches.items[1].from) == 1);
    cr_assert(document_match_at(&matches, matches.items[1].to) == 2);
    document_matches_free(&matches);
    document_free(&doc);
}

Test(document_place, the_same_text_is_on_top_after_another_width)
{
    struct document wide = {0}, thin = {0};
    struct document_options w = narrow(60), t = narrow(20);
    const char *text =
        "first line\nsecond line that is long enough to be wrapped in both of the two "
        "widths that are tried here\nthird\n";

    document_text(&wide, span_of(text), &w);
    document_text(&thin, span_of(text), &t);
    for (size_t i = 0; i < thin.line_count; i++) {
        struct document_place place = document_place(&thin, i);
        const struct document_line *line = &wide.lines[document_line_at(&wide, place)];
        cr_assert(line->source == thin.lines[i].source && line->offset <= thin.lines[i].offset);
        cr_assert(document_line_at(&thin, place) == i);
    }
    cr_assert(document_line_at(&thin, document_place(&thin, 99)) == thin.line_count - 1);
    document_free(&wide);
    document_free(&thin);
}

Test(document_wrap, a_document_can_be_used_again)
{
    struct document doc = {0};
    struct document_options options = narrow(40);

    document_text(&doc, span_of("one"), &options);
    document_clear(&doc);
    document_text(&doc, span_of("two"), &options);
    struct str shown = document_shown(&doc, false);
    cr_assert_str_eq(str_c(&shown), "two\n");
    str_free(&shown);
    document_free(&doc);
}
