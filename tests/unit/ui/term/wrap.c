/* Tests wrapping a line of text. */
#include "tests/unit/support.h"

#include "base/text/sanitize.h"
#include "ui/term/grid.h"

static void assert_rows(const char *text, int columns, unsigned clean, const char *want)
{
    struct span rest = span_of(text);
    struct str got = {0};

    while (rest.len) {
        struct span row = wrap_take(&rest, columns, clean);
        str_add_span(&got, row);
        str_putc(&got, '|');
    }
    cr_assert_str_eq(str_c(&got), want, "expected %s, got %s", want, str_c(&got));
    str_free(&got);
}

Test(wrap, rows_are_broken_behind_blanks)
{
    assert_rows("one two three", 8, 0, "one two|three|");
    assert_rows("one two three", 7, 0, "one two|three|");
    assert_rows("one two three", 6, 0, "one|two|three|");
    assert_rows("one", 3, 0, "one|");
    assert_rows("", 3, 0, "");
}

Test(wrap, a_long_word_is_broken_anywhere)
{
    assert_rows("abcdefgh", 3, 0, "abc|def|gh|");
    assert_rows("a bcdefgh", 3, 0, "a|bcd|efg|h|");
}

Test(wrap, wide_characters_and_marks_take_what_they_are_drawn_in)
{
    assert_rows("\u65e5\u672c\u8a9e", 5, 0, "\u65e5\u672c|\u8a9e|");
    assert_rows("e\u0301e\u0301e\u0301", 2, 0, "e\u0301e\u0301|e\u0301|");
    assert_rows("\u65e5", 1, 0, "\u65e5|");
}

Test(wrap, what_must_not_be_drawn_is_measured_as_it_is_shown)
{
    assert_rows("a\x1b"
                "b",
                3, 0, "a\x1b|b|");
    assert_rows("\u00e9\u00e9", 8, SANITIZE_ASCII, "\u00e9|\u00e9|");
}

Test(wrap, no_width_ends_all_the_same)
{
    assert_rows("ab c", 0, 0, "a|b|c|");
    assert_rows("ab", -5, 0, "a|b|");
}

static struct grid grid;

static void clear(void)
{
    grid_free(&grid);
}

TestSuite(wrap_put, .fini = clear);

static void assert_screen(const char *want)
{
    struct str got = {0};

    for (int y = 0; y < grid.rows; y++) {
        grid_add_row(&got, &grid, y);
        str_putc(&got, '|');
    }
    cr_assert_str_eq(str_c(&got), want);
    str_free(&got);
}

Test(wrap_put, what_does_not_fit_is_marked_in_the_last_row)
{
    grid_resize(&grid, 2, 8);
    struct area area = grid_area(&grid);
    cr_assert(wrap_put(&grid, &area, 0, 1, 2, STYLE_PLAIN, span_of("one two three four")) == 2);
    assert_screen(" one two| three ~|");
}

Test(wrap_put, no_more_rows_are_used_than_needed)
{
    grid_resize(&grid, 3, 8);
    struct area area = grid_area(&grid);
    cr_assert(wrap_put(&grid, &area, 1, 0, 2, STYLE_PLAIN, span_of("one")) == 1);
    cr_assert(wrap_put(&grid, &area, 0, 0, 2, STYLE_PLAIN, span_of("")) == 0);
    cr_assert(wrap_put(&grid, &area, 0, 20, 2, STYLE_PLAIN, span_of("x")) == 0);
    assert_screen("|one||");
}
