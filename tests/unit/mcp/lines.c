/* Tests splitting the bytes of a client into lines, and the addresses of resources. */
#include "mcp/session.h"
#include "mcp/tools.h"
#include "tests/unit/support.h"

static void expect_next(struct lines *lines, struct span *bytes, const char *text)
{
    struct span line;

    cr_assert_eq(lines_next(lines, bytes, &line), LINE_WHOLE);
    assert_span(line, text);
}

Test(mcp_lines, are_cut_at_newlines_however_the_bytes_come)
{
    struct lines lines = {0};
    struct span first = span_of("one\ntw"), second = span_of("o\n\nthree"), line;

    expect_next(&lines, &first, "one");
    cr_assert_eq(lines_next(&lines, &first, &line), LINE_NONE);
    expect_next(&lines, &second, "two");
    expect_next(&lines, &second, "");
    cr_assert_eq(lines_next(&lines, &second, &line), LINE_NONE);
    assert_span(lines_rest(&lines), "three");
    lines_free(&lines);
}

Test(mcp_lines, one_that_is_too_long_is_told_once_and_the_next_is_whole)
{
    struct lines lines = {0};
    struct str many = {0};
    struct span line, end = span_of("x\nnext\n");
    int told = 0;

    str_pad(&many, 'a', 1 << 20);
    for (int i = 0; i < 6; i++) {
        struct span bytes = str_span(&many);
        while (bytes.len)
            told += lines_next(&lines, &bytes, &line) == LINE_TOO_LONG;
    }
    cr_assert_eq(told, 1);
    cr_assert_eq(lines_rest(&lines).len, 0);
    expect_next(&lines, &end, "next");
    str_free(&many);
    lines_free(&lines);
}

Test(mcp_lines, the_longest_that_may_be_comes_through)
{
    struct lines lines = {0};
    struct str text = {0};
    struct span line;

    str_pad(&text, 'a', LINE_MAX_BYTES);
    str_puts(&text, "\n");
    str_pad(&text, 'b', LINE_MAX_BYTES + 1);
    str_puts(&text, "\nc\n");
    struct span bytes = str_span(&text);
    cr_assert_eq(lines_next(&lines, &bytes, &line), LINE_WHOLE);
    cr_assert_eq(line.len, LINE_MAX_BYTES);
    cr_assert_eq(lines_next(&lines, &bytes, &line), LINE_TOO_LONG);
    expect_next(&lines, &bytes, "c");
    str_free(&text);
    lines_free(&lines);
}

static void expect_uri(const char *id, const char *uri)
{
    struct str text = {0}, back = {0};
    enum uri_kind kind;

    uri_add(&text, URI_THREAD, span_of(id));
    assert_span(str_span(&text), uri);
    cr_assert(uri_read(str_span(&text), &kind, &back));
    cr_assert_eq(kind, URI_THREAD);
    assert_span(str_span(&back), id);
    str_free(&text);
    str_free(&back);
}

Test(mcp_uri, an_id_comes_back_as_it_was)
{
    expect_uri("MSG-0123456789ab", "swarmutt://thread/MSG-0123456789ab");
    expect_uri("a/b c#2%41?", "swarmutt://thread/a%2Fb%20c%232%2541%3F");
    expect_uri("\xc3\xa4", "swarmutt://thread/%C3%A4");
}

Test(mcp_uri, what_is_none_is_refused)
{
    static const char *const wrong[] = {"",
                                        "swarmutt://message/",
                                        "swarmutt://message",
                                        "swarmutt://other/x",
                                        "file:///etc/passwd",
                                        "swarmutt://message/%",
                                        "swarmutt://message/%4",
                                        "swarmutt://message/%zz",
                                        "swarmutt://message/a%00b",
                                        "swarmutt://message/%ff"};
    struct str id = {0};
    enum uri_kind kind;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_not(uri_read(span_of(wrong[i]), &kind, &id), "%s", wrong[i]);
    str_free(&id);
}
