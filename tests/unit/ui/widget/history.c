/* Tests history: the lines that are kept, and walking through them. */
#include "tests/unit/support.h"

#include "ui/widget/history.h"

#include <stdio.h>

static struct history history;
static struct history_walk walk;

static void stop(void)
{
    history_free(&history);
    history_walk_free(&walk);
}

TestSuite(history, .fini = stop);

static void add(const char *line)
{
    history_add(&history, HISTORY_COMMAND, span_of(line));
}

static struct span older(const char *now)
{
    return history_older(&history, HISTORY_COMMAND, &walk, span_of(now));
}

static struct span newer(const char *now)
{
    return history_newer(&history, HISTORY_COMMAND, &walk, span_of(now));
}

static void expect_text(const char *wanted)
{
    struct str text = {0};

    history_text(&history, &text);
    assert_span(str_span(&text), wanted);
    str_free(&text);
}

Test(history, lines_are_walked_up_and_down)
{
    add("one");
    add("two");
    assert_span(older("ty"), "");
    cr_assert_null(older("ty").at);
    assert_span(older(""), "two");
    assert_span(older("two"), "one");
    cr_assert_null(older("one").at);
    assert_span(newer("one"), "two");
    assert_span(newer("two"), "");
    cr_assert_not_null(walk.shown.at);
    cr_assert_null(newer("").at);
    assert_span(older(""), "two");
}

Test(history, only_lines_with_the_typed_start_are_visited)
{
    add("filter a");
    add("archive");
    add("filter b");
    add("agents");
    assert_span(older("fi"), "filter b");
    assert_span(older("filter b"), "filter a");
    cr_assert_null(older("filter a").at);
    assert_span(newer("filter a"), "filter b");
    assert_span(newer("filter b"), "fi");
}

Test(history, an_edited_line_starts_a_new_walk)
{
    add("archive");
    add("agents");
    add("filter");
    assert_span(older(""), "filter");
    assert_span(older("filter"), "agents");
    assert_span(older("a"), "agents");
    assert_span(older("agents"), "archive");
    assert_span(newer("archive"), "agents");
    assert_span(newer("agents"), "a");
    cr_assert_null(newer("ag").at);
}

Test(history, the_line_that_is_shown_is_passed_over)
{
    add("one");
    add("two");
    add("one");
    assert_span(older("one"), "");
    assert_span(older(""), "one");
    assert_span(older("one"), "two");
    assert_span(older("two"), "one");
}

Test(history, the_answer_may_be_given_back_as_it_is)
{
    add("one");
    add("two");
    struct span line = older("t");
    line = history_newer(&history, HISTORY_COMMAND, &walk, line);
    assert_span(line, "t");
    line = history_older(&history, HISTORY_COMMAND, &walk, line);
    assert_span(line, "two");
}

Test(history, kinds_are_apart)
{
    add("one");
    history_add(&history, HISTORY_SEARCH, span_of("needle"));
    assert_span(older(""), "one");
    history_walk_free(&walk);
    assert_span(history_older(&history, HISTORY_SEARCH, &walk, span_of("")), "needle");
    cr_assert_null(history_older(&history, HISTORY_FILTER, &walk, span_of("")).at);
}

Test(history, what_is_not_worth_keeping_is_left_out)
{
    struct str longest = {0};

    str_pad(&longest, 'x', HISTORY_LINE_MOST + 1);
    add("one");
    add("one");
    add("");
    history_add(&history, HISTORY_COMMAND, (struct span){0});
    history_add(&history, HISTORY_COMMAND, str_span(&longest));
    expect_text("command one\n");
    str_free(&longest);
}

Test(history, the_oldest_lines_go_first)
{
    char line[32];

    for (int i = 0; i < HISTORY_LINES + 3; i++) {
        snprintf(line, sizeof line, "line %d", i);
        add(line);
    }
    cr_assert_eq(history.lists[HISTORY_COMMAND].count, HISTORY_LINES);
    assert_span(str_span(&history.lists[HISTORY_COMMAND].lines[0]), "line 3");
}

Test(history, its_text_brings_it_back)
{
    const char *text = "command  one two\ncommand filter from:x\nsearch \x1b[\xff\nagent ann\n";

    history_add_lines(&history, span_of(text));
    expect_text(text);
    history_add_lines(&history, span_of("unknown x\ncommand\n\ncommander x\ncommand \nfilter y"));
    expect_text("command  one two\ncommand filter from:x\nsearch \x1b[\xff\nfilter y\nagent ann\n");
}

Test(history, what_has_several_lines_comes_back_with_them)
{
    struct str text = {0};

    history_add(&history, HISTORY_REASON, span_of("not yet:\nthe tests first"));
    history_text(&history, &text);
    cr_assert_eq(memchr(text.at, '\n', text.len), text.at + text.len - 1, "it is one line there");
    history_free(&history);
    history_add_lines(&history, str_span(&text));
    assert_span(history_older(&history, HISTORY_REASON, &walk, span_of("")),
                "not yet:\nthe tests first");
    str_free(&text);
}

Test(history, of_a_line_that_is_still_typed_only_the_latest_state_is_kept)
{
    add("one");
    history_renew(&history, HISTORY_COMMAND, span_of(""), span_of("tw"));
    history_renew(&history, HISTORY_COMMAND, span_of("tw"), span_of("two"));
    expect_text("command one\ncommand two\n");
    /* another entry was added in between */
    history_renew(&history, HISTORY_COMMAND, span_of("one"), span_of("one more"));
    expect_text("command one\ncommand two\ncommand one more\n");
}
