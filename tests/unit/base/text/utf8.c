/* Tests UTF-8: well-formed characters are decoded whole, everything else byte by byte. */
#include "tests/unit/support.h"

#include "base/text/utf8.h"

static void expect_codes(const char *text, size_t len, const int32_t *codes, size_t count)
{
    struct span rest = {text, len};

    for (size_t i = 0; i < count; i++) {
        cr_assert(rest.len > 0, "ends before code %zu", i);
        int32_t code = utf8_next(&rest);
        cr_assert(code == codes[i], "code %zu: expected %x, got %x", i, (unsigned)codes[i],
                  (unsigned)code);
    }
    cr_assert_eq(rest.len, 0);
}

#define expect(text, ...)                                                                          \
    expect_codes(text, sizeof text - 1, (const int32_t[]){__VA_ARGS__},                            \
                 sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

Test(utf8, decodes_one_to_four_bytes)
{
    expect("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 'a', 0xe9, 0x20ac, 0x1f600);
    expect("\0", 0);
    expect("\xf4\x8f\xbf\xbf", 0x10ffff);
}

Test(utf8, every_code_point_comes_back_as_it_was_added)
{
    for (int32_t code = 0; code <= 0x10ffff; code++) {
        struct str s = {0};
        utf8_add(&s, code);
        struct span rest = str_span(&s);
        cr_assert(utf8_next(&rest) == code && rest.len == 0, "U+%04X", (unsigned)code);
        cr_assert(utf8_valid(str_span(&s)) == (code < 0xd800 || code > 0xdfff), "U+%04X",
                  (unsigned)code);
        str_free(&s);
    }
}

Test(utf8, invalid_bytes_come_out_one_by_one)
{
    expect("\x80", UTF8_INVALID);
    expect("\xff\xfe", UTF8_INVALID, UTF8_INVALID);
    expect("a\xe2\x82z", 'a', UTF8_INVALID, UTF8_INVALID, 'z');
    expect("\xf0\x9f\x98", UTF8_INVALID, UTF8_INVALID, UTF8_INVALID);
    expect("\xc3", UTF8_INVALID);
}

Test(utf8, forms_longer_than_needed_are_invalid)
{
    expect("\xc0\xaf", UTF8_INVALID, UTF8_INVALID);
    expect("\xe0\x80\xaf", UTF8_INVALID, UTF8_INVALID, UTF8_INVALID);
    expect("\xf0\x80\x80\xaf", UTF8_INVALID, UTF8_INVALID, UTF8_INVALID, UTF8_INVALID);
}

Test(utf8, code_points_beyond_unicode_are_invalid)
{
    expect("\xf4\x90\x80\x80", UTF8_INVALID, UTF8_INVALID, UTF8_INVALID, UTF8_INVALID);
    expect("\xf8\x88\x80\x80\x80", UTF8_INVALID, UTF8_INVALID, UTF8_INVALID, UTF8_INVALID,
           UTF8_INVALID);
}

Test(utf8, a_surrogate_in_three_bytes_comes_out_as_itself)
{
    expect("\xed\xa0\x80", 0xd800);
    expect("\xed\xbf\xbf", 0xdfff);
    expect("\xed\xa0\xbd\xed\xb8\x80", 0xd83d, 0xde00);
    expect("\xed\xa0", UTF8_INVALID, UTF8_INVALID);
}

Test(utf8, a_text_is_valid_when_all_of_it_is_and_no_surrogate_stands_in_it)
{
    cr_assert(utf8_valid(span_of("")));
    cr_assert(utf8_valid((struct span){0}));
    cr_assert(utf8_valid((struct span){"a\0b", 3}));
    cr_assert(utf8_valid(span_of("plain text, long enough for several words, then \xc3\xa9")));
    cr_assert_not(utf8_valid(span_of("plain text, long enough for several words, then \xc3")));
    cr_assert_not(utf8_valid(span_of("\xed\xa0\x80")));
    cr_assert_not(utf8_valid(span_of("\xff")));
}

Test(utf8, an_invalid_byte_is_found_wherever_it_stands)
{
    char text[40];

    for (size_t len = 1; len <= sizeof text; len++) {
        for (size_t i = 0; i < len; i++) {
            memset(text, 'x', sizeof text);
            cr_assert(utf8_valid((struct span){text, len}));
            text[i] = '\xe9';
            cr_assert_not(utf8_valid((struct span){text, len}), "byte %zu of %zu", i, len);
        }
    }
}

Test(utf8, the_start_counts_code_points_and_never_splits_one)
{
    struct span text = span_of("a\xc3\xa9\xe2\x82\xac\xffz");

    assert_span(utf8_start(text, 0), "");
    assert_span(utf8_start(text, 1), "a");
    assert_span(utf8_start(text, 2), "a\xc3\xa9");
    assert_span(utf8_start(text, 3), "a\xc3\xa9\xe2\x82\xac");
    assert_span(utf8_start(text, 4), "a\xc3\xa9\xe2\x82\xac\xff");
    assert_span(utf8_start(text, 5), text.at);
    assert_span(utf8_start(text, 1000), text.at);
    assert_span(utf8_start((struct span){0}, 3), "");
}
