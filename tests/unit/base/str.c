/* Tests text: spans that may contain any byte, and strings that grow. */
#include "tests/unit/support.h"

Test(str, spans_are_equal_when_every_byte_is)
{
    cr_assert(span_eq((struct span){"a\0b", 3}, (struct span){"a\0b", 3}));
    cr_assert_not(span_eq((struct span){"a\0b", 3}, (struct span){"a\0c", 3}));
    cr_assert_not(span_eq(span_of("ab"), span_of("abc")));
    cr_assert(span_is(span_of("word"), "word"));
    cr_assert_not(span_is((struct span){"word\0", 5}, "word"));
}

Test(str, an_absent_span_has_no_bytes_and_no_place)
{
    struct span absent = span_of(NULL);

    cr_assert(absent.at == NULL && absent.len == 0);
    cr_assert(span_eq(absent, (struct span){0}));
    cr_assert_not(span_is(absent, "a"));
    cr_assert_eq(span_cmp(absent, span_of("")), 0);
    cr_assert(span_first_line(absent).at == NULL);
    cr_assert(span_trim(absent).at == NULL);
}

Test(str, a_span_starts_and_ends_with_parts_of_itself)
{
    struct span text = span_of("MSG-1.json");

    cr_assert(span_starts(text, span_of("MSG-")));
    cr_assert(span_starts(text, span_of("")));
    cr_assert(span_starts(text, text));
    cr_assert_not(span_starts(text, span_of("MSG-1.json.tmp")));
    cr_assert_not(span_starts(text, span_of("msg-")));
    cr_assert(span_ends(text, ".json"));
    cr_assert(span_ends(text, ""));
    cr_assert(span_ends(text, "MSG-1.json"));
    cr_assert_not(span_ends(text, "xMSG-1.json"));
    cr_assert_not(span_ends(text, ".jso"));
}

Test(str, words_are_taken_one_by_one)
{
    struct span text = span_of("  one\ttwo\n"), none = {0};

    assert_span(span_take_word(&text), "one");
    assert_span(span_take_word(&text), "two");
    assert_span(span_take_word(&text), "");
    assert_span(span_take_word(&text), "");
    assert_span(span_take_word(&none), "");
    text = (struct span){"a\0b c", 5};
    cr_assert(span_eq(span_take_word(&text), (struct span){"a\0b", 3}));
}

Test(str, spans_are_ordered_bytewise_and_the_shorter_first)
{
    static const char *const ordered[] = {"", "A", "AB", "B", "a", "a\x7f", "a\x80", "\xff"};
    const int count = sizeof ordered / sizeof *ordered;

    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            int order = span_cmp(span_of(ordered[i]), span_of(ordered[j]));
            cr_assert((order > 0) - (order < 0) == (i > j) - (i < j), "%d and %d", i, j);
        }
    }
}

Test(str, the_first_line_ends_before_the_newline)
{
    assert_span(span_first_line(span_of("one\ntwo\n")), "one");
    assert_span(span_first_line(span_of("one")), "one");
    assert_span(span_first_line(span_of("\ntwo")), "");
    assert_span(span_first_line(span_of("")), "");
}

Test(str, trimming_takes_blanks_off_both_ends_only)
{
    assert_span(span_trim(span_of(" \t\r\n a b \n\t ")), "a b");
    assert_span(span_trim(span_of("a")), "a");
    assert_span(span_trim(span_of(" \n ")), "");
    assert_span(span_trim(span_of("")), "");
}

Test(str, a_string_starts_empty_without_being_set_up)
{
    struct str s = {0};

    cr_assert_str_eq(str_c(&s), "");
    cr_assert(str_span(&s).at != NULL && str_span(&s).len == 0);
    str_clear(&s);
    str_free(&s);
}

Test(str, what_is_added_follows_what_is_there)
{
    struct str s = {0};

    str_puts(&s, "ab");
    str_putc(&s, 'c');
    str_add(&s, "def", 2);
    str_add_span(&s, span_of("f"));
    str_pad(&s, '-', 3);
    str_addf(&s, "%d%%", 50);
    cr_assert_str_eq(str_c(&s), "abcdef---50%");
    cr_assert_eq(s.len, 12);
    str_free(&s);
}

Test(str, adding_nothing_changes_nothing)
{
    struct str s = {0};

    str_puts(&s, "x");
    str_add(&s, NULL, 0);
    str_add_span(&s, (struct span){0});
    str_puts(&s, "");
    str_pad(&s, ' ', 0);
    str_addf(&s, "%s", "");
    cr_assert_str_eq(str_c(&s), "x");
    str_free(&s);
}

Test(str, holds_any_byte_and_is_always_terminated)
{
    struct str s = {0};

    str_add(&s, "a\0b", 3);
    str_putc(&s, '\0');
    cr_assert(s.len == 4 && memcmp(s.at, "a\0b\0", 5) == 0);
    str_clear(&s);
    cr_assert(s.len == 0 && s.at[0] == '\0');
    str_free(&s);
    cr_assert(s.at == NULL && s.len == 0 && s.cap == 0);
}

Test(str, grows_byte_by_byte_without_losing_any)
{
    struct str s = {0};

    for (int i = 0; i < 100000; i++)
        str_putc(&s, (char)('a' + i % 26));
    cr_assert_eq(s.len, 100000);
    for (int i = 0; i < 100000; i++)
        cr_assert(s.at[i] == 'a' + i % 26, "byte %d", i);
    str_free(&s);
}

Test(str, a_formatted_text_may_be_longer_than_all_before)
{
    struct str s = {0}, large = {0};

    str_pad(&large, 'x', 70000);
    str_puts(&s, "<");
    str_addf(&s, "%s>", str_c(&large));
    cr_assert_eq(s.len, 70002);
    cr_assert(s.at[1] == 'x' && s.at[70001] == '>' && s.at[70002] == '\0');
    str_free(&s);
    str_free(&large);
}

Test(str, room_can_be_written_to_before_it_counts)
{
    struct str s = {0};

    str_puts(&s, "ab");
    char *to = str_room(&s, 1000);
    memset(to, 'c', 1000);
    cr_assert_eq(s.len, 2);
    cr_assert(s.cap > 1002);
    str_free(&s);
}

static void expect_split(const char *text, const char *before, const char *behind)
{
    struct span left = {0}, right = {0};

    cr_assert_eq(span_split_last(span_of(text), '@', &left, &right), before != NULL, "%s", text);
    cr_assert(span_eq(left, span_of(before)) && span_eq(right, span_of(behind)), "%s", text);
}

Test(str, a_text_is_split_at_the_last_mark_with_something_on_both_sides)
{
    expect_split("bob@team", "bob", "team");
    expect_split("a@b@c", "a@b", "c");
    expect_split("bob", NULL, NULL);
    expect_split("@team", NULL, NULL);
    expect_split("bob@", NULL, NULL);
    expect_split("", NULL, NULL);
}
