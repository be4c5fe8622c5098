/* Tests screens as plain lines: numbers before rows that can be chosen, and no frame. */
#include "tests/unit/support.h"

#include "ui/plain/plain.h"

static struct grid grid;
static struct str out;

static void clear(void)
{
    grid_free(&grid);
    str_free(&out);
}

TestSuite(plain_text, .fini = clear);

static struct area start(int rows, int columns)
{
    grid = (struct grid){.plain = true};
    grid_resize(&grid, rows, columns);
    return grid_area(&grid);
}

static void put_row(const struct area *area, int y, const char *text, const char *key)
{
    grid_puts(&grid, area, y, 0, STYLE_PLAIN, text);
    if (key)
        grid_stop(&grid, area, y, span_of(key));
}

Test(plain_text, rows_that_can_be_chosen_have_numbers)
{
    struct area area = start(10, 40);

    put_row(&area, 0, "needs you (1)", NULL);
    put_row(&area, 1, "a plan", "one");
    put_row(&area, 2, "a question", "two");
    cr_assert_not(plain_add_rows(&out, &grid));
    cr_assert_str_eq(str_c(&out), "needs you (1)\n  1. a plan\n  2. a question\n");
}

Test(plain_text, what_stands_for_bytes_that_are_no_utf8_is_not_cut_to_one_of_its_own)
{
    struct area area = start(1, 20);

    put_row(&area, 0, "a\xff\x80z\x1b", NULL);
    plain_add_rows(&out, &grid);
    cr_assert_str_eq(str_c(&out), "a\xef\xbf\xbd\xef\xbf\xbdz^[\n");
}

Test(plain_text, rules_and_walls_are_not_drawn)
{
    struct area area = start(3, 20);

    grid_rule(&grid, &area, 0, STYLE_BORDER);
    grid_wall(&grid, &area, 5, STYLE_BORDER);
    put_row(&area, 1, "text", NULL);
    plain_add_rows(&out, &grid);
    cr_assert_str_eq(str_c(&out), "text\n");
}

Test(plain_text, room_that_a_screen_leaves_is_one_line_and_blank_lines_of_a_text_stay)
{
    struct area area = start(40, 20);

    put_row(&area, 1, "a", NULL);
    put_row(&area, 4, "b", NULL);
    put_row(&area, 30, "c", NULL);
    plain_add_rows(&out, &grid);
    cr_assert_str_eq(str_c(&out), "a\n\n\nb\n\nc\n");
}

Test(plain_text, a_grid_that_is_used_to_its_end_may_have_more)
{
    struct area area = start(2, 20);

    put_row(&area, 0, "a", NULL);
    cr_assert_not(plain_add_rows(&out, &grid));
    put_row(&area, 1, "b", NULL);
    cr_assert(plain_add_rows(&out, &grid));
}

Test(plain_text, nothing_of_a_hostile_text_reaches_the_terminal)
{
    struct area area = start(2, 60);

    put_row(&area, 0, "\x1b[31mred\xe2\x80\xae", "key\x1b");
    plain_add_rows(&out, &grid);
    cr_assert_str_eq(str_c(&out), "  1. ^[[31mred<U+202E>\n");
}

Test(plain_text, the_selected_row_is_told_by_its_key)
{
    struct area area = start(4, 20);
    struct span key;

    put_row(&area, 1, "a", "one");
    put_row(&area, 2, "b", "two");
    cr_assert_not(plain_selected(&grid, &key));
    grid_cursor(&grid, &area, 2, 0);
    cr_assert(plain_selected(&grid, &key) && span_is(key, "two"));
}

Test(plain_text, rows_with_what_was_found)
{
    struct area area = start(4, 20);

    put_row(&area, 0, "a plan", NULL);
    put_row(&area, 1, "no", NULL);
    cr_assert_not(plain_add_found(&out, &grid));
    grid_over(&grid, &area, 0, 2, 4, STYLE_FOUND);
    cr_assert(plain_add_found(&out, &grid));
    cr_assert_str_eq(str_c(&out), "a plan\n");
}

static void assert_line(struct str *input, bool ended, const char *want)
{
    struct str line = {0};
    bool is = plain_take_line(input, ended, &line);

    cr_assert_eq(is, want != NULL);
    if (want)
        cr_assert_str_eq(str_c(&line), want);
    str_free(&line);
}

Test(plain_text, lines_come_whole_and_the_last_needs_no_end)
{
    str_puts(&out, "one\r\n\ntw");
    assert_line(&out, false, "one");
    assert_line(&out, false, "");
    assert_line(&out, false, NULL);
    str_puts(&out, "o");
    assert_line(&out, true, "two");
    assert_line(&out, true, NULL);
}

static void assert_number(const char *line, bool is, size_t want, const char *rest)
{
    struct span text = span_of(line);
    size_t number = 0;

    cr_assert_eq(plain_take_number(&text, &number), is, "%s", line);
    cr_assert_eq(number, want, "%s", line);
    cr_assert(span_is(text, rest), "%s", line);
}

Test(plain_text, a_number_and_what_is_to_be_done_with_its_row)
{
    assert_number("12", true, 12, "");
    assert_number(" 3  mark read ", true, 3, "mark read");
    assert_number("3x", false, 0, "3x");
    assert_number("archive 3", false, 0, "archive 3");
    assert_number("99999999999999999999999", true, 9999, "");
}
