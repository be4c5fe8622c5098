/* Tests documents: Markdown that hides nothing. */
#include "page_support.h"

static void assert_shows(const char *text, const char *part)
{
    struct document page = {0};
    struct page_options options = narrow(200);

    page_markdown(&page, span_of(text), &options);
    struct str shown = page_shown(&page, false);
    cr_assert_not_null(strstr(str_c(&shown), part), "%s: %s", part, str_c(&shown));
    str_free(&shown);
    page_free(&page);
}

Test(page_markdown, text_has_the_looks_of_its_marks)
{
    const char *text = "# Top\na *b* **c** `d` ~~e~~ [f](g)\n> h\n";

    assert_looking(page_markdown, text, STYLE_HEADING, "# Top");
    assert_looking(page_markdown, text, STYLE_EMPHASIS, "b");
    assert_looking(page_markdown, text, STYLE_STRONG, "c");
    assert_looking(page_markdown, text, STYLE_CODE, "d");
    assert_looking(page_markdown, text, STYLE_STRUCK, "e");
    assert_looking(page_markdown, text, STYLE_LINK, "f](g)");
    assert_looking(page_markdown, text, STYLE_QUOTE, "> h");
}

Test(page_markdown, marks_stay_so_that_nothing_needs_colour)
{
    assert_made(page_markdown, 60, "## Plan\nuse `__init__.py`, **not** \\*this\\*\n",
                "## Plan\nuse `__init__.py`, **not** \\*this\\*\n");
}

Test(page_markdown, lines_of_the_text_stay_lines)
{
    assert_made(page_markdown, 60, "one\ntwo\n\nthree", "one\ntwo\n\nthree\n");
}

Test(page_markdown, items_hang_and_keep_their_numbers)
{
    assert_made(page_markdown, 16,
                "- one two three four\n  - five six seven\n7. eight nine ten\n- [x] a b c d e f",
                "- one two three\n  four\n  - five six\n    seven\n7. eight nine\n   ten\n"
                "- [x] a b c d e\n      f\n");
}

Test(page_markdown, quotes_are_marked_on_every_line)
{
    assert_made(page_markdown, 12, "> one two three\n> > four five six",
                "> one two\n> three\n> > four\n> > five six\n");
}

Test(page_markdown, code_is_broken_where_the_line_ends_and_marked)
{
    assert_made(page_markdown, 15, "```sh\nrm -rf /tmp/a b\n```\n",
                "```sh\n  rm -rf /tmp/a\n+  b\n```\n");
    assert_looking(page_markdown, "```\n*a* <b>\n```\n", STYLE_CODE, "*a* <b>");
}

Test(page_markdown, what_markdown_hides_is_shown)
{
    assert_shows("a <!-- rm -rf / --> b", "<!-- rm -rf / -->");
    assert_shows("<!--\nhidden\n-->", "\nhidden\n");
    assert_shows("text\n\n[x]: http://evil.example 'title'\n", "[x]: http://evil.example 'title'");
    assert_shows("[//]: # (a comment)", "[//]: # (a comment)");
    assert_shows("[t](http://u 'the title')", "[t](http://u 'the title')");
    assert_shows("&#114;m &lt;", "&#114;m &lt;");
    assert_shows("```sh hidden words\nx\n```", "```sh hidden words");
    assert_shows("<span hidden>x</span>", "<span hidden>x</span>");
    assert_shows("|a|b|\n|---|---|\n|c|d|more|than|columns|", "more");
    assert_shows("|a|b|\n|---|---|\n|c|d|more|than|columns|", "columns");
    assert_shows("# head #### \nx", "# head ####");
    assert_shows("1. one\n9. two", "9. two");
}

Test(page_markdown, a_link_says_where_it_leads)
{
    assert_shows("[safe][x] and [x]\n\n[x]: http://evil.example",
                 "[safe][x] <http://evil.example>");
    assert_shows("[safe][x] and [x]\n\n[x]: http://evil.example", "and [x] <http://evil.example>");
    assert_shows("[good.example][x]\n\n[x]: http://evil.example/good.example",
                 "[good.example][x] <http://evil.example/good.example>");
    assert_shows("[a][http://good]\n\n[http://good]: http://g", "[a][http://good] <http://g>");
    assert_shows("[![alt](src.png)](http://there)", "[![alt](src.png)](http://there)");
    assert_made(page_markdown, 80, "see http://a.example/b or www.b.example, c@d.example\n",
                "see http://a.example/b or www.b.example, c@d.example\n");
}

Test(page_markdown, one_address_is_not_repeated_without_end)
{
    struct document page = {0};
    struct page_options options = narrow(80);
    struct str text = {0};

    for (int i = 0; i < 3000; i++)
        str_puts(&text, "[x] ");
    str_puts(&text, "\n\n[x]: http://");
    str_pad(&text, 'a', 20000);
    page_markdown(&page, str_span(&text), &options);
    cr_assert(page.text.len < 6 * text.len, "%zu of %zu", page.text.len, text.len);
    str_free(&text);
    page_free(&page);
}

Test(page_markdown, tables_stand_in_columns_where_they_fit)
{
    assert_made(page_markdown, 40, "| Name | N |\n|---|--:|\n| a | 1 |\n| long `x` | 1234 |\n\nend",
                "Name     |    N\n"
                "---------+-----\n"
                "a        |    1\n"
                "long `x` | 1234\n"
                "\n"
                "end\n");
    assert_made(page_markdown, 40, "> |a|b|\n> |---|---|\n> |cc|d|\n",
                "> a  | b\n> ---+--\n> cc | d\n");
}

Test(page_markdown, tables_are_records_where_they_do_not_fit)
{
    assert_made(page_markdown, 16, "| Name | What |\n|---|---|\n| a | one two three four |\n",
                "| Name | What |\n\nName: a\nWhat: one two\n  three four\n");
}

Test(page_markdown, rules_are_drawn)
{
    assert_made(page_markdown, 10, "a\n\n***\nb", "a\n\n----------\nb\n");
    assert_made(page_markdown, 10, "Title\n---\nb", "Title\n---\nb\n");
}

Test(page_markdown, very_long_texts_are_shown_without_looks)
{
    struct document page = {0};
    struct page_options options = narrow(80);
    struct str text = {0};

    while (text.len <= PAGE_MARKDOWN_MOST)
        str_puts(&text, "*a* `b`\n");
    page_markdown(&page, str_span(&text), &options);
    struct str code = page_looking(&page, STYLE_CODE);
    cr_assert(code.len == 0);
    cr_assert(page.line_count == 1 + text.len / 8);
    str_free(&code);
    str_free(&text);
    page_free(&page);
}

/* The parser reports the ends of such marks, but not their starts. */
Test(page_markdown, marks_inside_an_address_do_not_colour_what_follows)
{
    assert_looking(page_markdown, "[x](*)**\n\nplain", STYLE_EMPHASIS, "");
    assert_made(page_markdown, 40, "[x](![)](u)\n\nplain", "[x](![)](u)\n\nplain\n");
    assert_looking(page_markdown, "[x](![)](u)\n\nplain", STYLE_PLAIN, "plain");
}

Test(page_markdown, nothing_is_shown_of_nothing)
{
    assert_made(page_markdown, 10, "", "");
}
