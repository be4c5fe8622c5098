/* Tests line edits: breaking text into rows, and the cursor in them. */
#include "line_edit_support.h"

static struct edit edit;

static void stop(void)
{
    edit_free(&edit);
}

TestSuite(edit_rows, .fini = stop);

/* Compares the rows as they are drawn, separated by '/'. */
static void expect_rows(const char *text, size_t columns, const char *wanted)
{
    struct str got = {0};

    edit_set(&edit, span_of(text));
    struct edit_layout layout = edit_layout(&edit, columns);
    for (size_t row = 0; row < layout.rows; row++) {
        if (row)
            str_putc(&got, '/');
        edit_draw(&edit, row, &got);
    }
    assert_span(str_span(&got), wanted);
    str_free(&got);
}

static void expect_cursor(size_t row, size_t column)
{
    struct edit_layout layout = edit_layout(&edit, edit.columns);

    cr_assert(layout.row == row && layout.column == column, "at %zu,%zu instead of %zu,%zu",
              layout.row, layout.column, row, column);
}

Test(edit_rows, words_stay_whole_and_long_ones_are_broken)
{
    expect_rows("", 5, "");
    expect_rows("one two three", 7, "one two/three");
    expect_rows("one two three", 8, "one two /three");
    expect_rows("one two three", 6, "one /two /three");
    expect_rows("abcdefghij", 4, "abcd/efgh/ij");
    expect_rows("ab cdefghij", 4, "ab /cdef/ghij");
    expect_rows("a\n\nb\n", 4, "a//b/");
    expect_rows("\xd1\x84\xd1\x84 \xd1\x84\xd1\x84", 3, "\xd1\x84\xd1\x84 /\xd1\x84\xd1\x84");
    expect_rows("ab  \xd1\x84", 2, "ab/\xd1\x84");
}

Test(edit_rows, blanks_at_a_break_hang)
{
    expect_rows("one    two", 3, "one/two");
    expect_rows("one    two", 5, "one  /two");
    expect_rows("one      ", 4, "one ");
    expect_rows("      x", 4, "    /x");
}

Test(edit_rows, tabs_reach_to_the_next_multiple_of_eight)
{
    expect_rows("a\tb\t\tc", 40, "a       b               c");
    expect_rows("a\tb", 6, "a     /b");
    expect_rows("12345678\tx", 9, "12345678 /x");
}

Test(edit_rows, what_is_drawn_is_clean)
{
    expect_rows("a\x1b[b\xe2\x80\xae", 40, "a^[[b<U+202E>");
    expect_rows("ab\x1b", 3, "ab/^[");
    expect_rows(" " MARK "b", 40, " " MARK "b");
    edit.ascii = true;
    expect_rows(E_ACUTE, 40, "e<U+0301>");
}

Test(edit_rows, a_joined_emoji_can_be_broken_and_shows_no_joiner)
{
    expect_rows(WOMAN JOINER LAPTOP, 40, WOMAN LAPTOP);
    expect_rows(WOMAN JOINER LAPTOP, 2, WOMAN "/" LAPTOP);
    expect_rows(WOMAN JOINER, 40, WOMAN "<U+200D>");
}

Test(edit_rows, wide_characters_never_cross_the_edge)
{
    expect_rows(KANJI KANJI KANJI, 5, KANJI KANJI "/" KANJI);
    expect_rows("a " KANJI KANJI "b", 5, "a " KANJI "/" KANJI "b");
    expect_rows("ab" KANJI "cd", 4, "ab" KANJI "/cd");
    expect_rows(KANJI "a", 1, KANJI "/a");
    expect_rows(E_ACUTE E_ACUTE E_ACUTE, 2, E_ACUTE E_ACUTE "/" E_ACUTE);
}

Test(edit_rows, the_cursor_has_a_place_behind_a_full_row)
{
    expect_rows("abcd", 4, "abcd");
    expect_cursor(0, 4);
    expect_rows("abcd\n", 4, "abcd/");
    expect_cursor(1, 0);
    expect_rows("abcd      ", 4, "abcd");
    expect_cursor(0, 4);
    expect_rows("abcdef", 4, "abcd/ef");
    edit_act(&edit, ACTION_LEFT);
    edit_act(&edit, ACTION_LEFT);
    expect_cursor(1, 0);
    edit_act(&edit, ACTION_LEFT);
    expect_cursor(0, 3);
}

Test(edit_rows, up_and_down_keep_the_column)
{
    expect_rows("abcdef\nx\n" KANJI KANJI KANJI "\nabcdef", 6,
                "abcdef/x/" KANJI KANJI KANJI "/abcdef");
    edit_act(&edit, ACTION_LEFT);
    expect_cursor(3, 5);
    edit_act(&edit, ACTION_UP);
    expect_cursor(2, 4);
    edit_act(&edit, ACTION_UP);
    expect_cursor(1, 1);
    edit_act(&edit, ACTION_UP);
    expect_cursor(0, 5);
    cr_assert_eq(edit_act(&edit, ACTION_UP), EDIT_NOTHING);
    expect_cursor(0, 5);
    edit_act(&edit, ACTION_DOWN);
    edit_act(&edit, ACTION_LEFT);
    expect_cursor(1, 0);
    edit_act(&edit, ACTION_DOWN);
    expect_cursor(2, 0);
    edit_act(&edit, ACTION_DOWN);
    cr_assert_eq(edit_act(&edit, ACTION_DOWN), EDIT_NOTHING);
}

Test(edit_rows, up_and_down_go_by_rows_of_the_last_width)
{
    expect_rows("one two three", 4, "one /two /thre/e");
    expect_cursor(3, 1);
    edit_act(&edit, ACTION_UP);
    expect_cursor(2, 1);
    edit_layout(&edit, 8);
    expect_cursor(1, 1);
    edit_act(&edit, ACTION_UP);
    expect_edit(&edit, "o|ne two three");
}

Test(edit_rows, before_the_first_layout_rows_are_lines)
{
    edit_set(&edit, span_of("one two\nthree"));
    cr_assert_eq(edit_act(&edit, ACTION_UP), EDIT_DONE);
    expect_edit(&edit, "one t|wo\nthree");
}

Test(edit_rows, the_cursor_can_be_put_anywhere)
{
    expect_rows("one two\n" KANJI KANJI, 4, "one /two/" KANJI KANJI);
    edit_go(&edit, 0, 99);
    expect_cursor(0, 3); /* the end of a row is the start of the next */
    edit_go(&edit, 1, 99);
    expect_cursor(1, 3);
    edit_go(&edit, 2, 3);
    expect_cursor(2, 2);
    edit_go(&edit, 99, 99);
    expect_cursor(2, 4);
}

Test(edit_rows, no_width_is_refused)
{
    expect_rows("ab c", 0, "a/b/c");
    assert_span(edit_row(&edit, 7), "");
    struct str none = {0};
    cr_assert_eq(edit_draw(&edit, 7, &none), 0);
    cr_assert_eq(none.len, 0);
}
