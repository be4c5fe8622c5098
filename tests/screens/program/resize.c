/* The terminal is resized in the middle of any action: nothing is lost, nothing is half drawn, and
 * every size works. */
#include "tests/screens/harness/golden.h"
#include "tests/screens/harness/stage.h"

TestSuite(resize, .fini = stage_close, .timeout = 300);

static const int sizes[][2] = {
    {1, 1},   {1, 80},  {2, 2},   {24, 1},   {3, 10},   {4, 40},  {7, 39},  {8, 40}, {9, 59},
    {15, 60}, {16, 99}, {24, 99}, {24, 100}, {10, 120}, {60, 60}, {4, 250}, {80, 2}, {80, 250},
};

/* `keys`: typing is safe at any size; otherwise a key would end the unfinished action. */
static void go_through_all_sizes(bool keys)
{
    struct terminal *terminal = stage.terminal;
    struct str before = {0}, after = {0}, difference = {0};

    terminal_wait_idle(terminal);
    terminal_wait_gone(terminal, "settling");
    terminal_wait_idle(terminal);
    golden_describe(terminal, &before);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        terminal_resize(terminal, sizes[i][0], sizes[i][1]);
        terminal_wait_idle(terminal);
        if (keys)
            stage_check_drawn();
    }
    for (size_t i = sizeof sizes / sizeof *sizes; i-- > 0;) /* as when a window is dragged */
        terminal_resize(terminal, sizes[i][0], sizes[i][1]);
    terminal_resize(terminal, 24, 80);
    terminal_wait_idle(terminal);
    terminal_wait_gone(terminal, "settling");
    terminal_wait_idle(terminal);
    golden_describe(terminal, &after);
    golden_add_difference(&difference, str_span(&before), str_span(&after));
    if (!span_eq(str_span(&before), str_span(&after)))
        terminal_fail(terminal, "it is not as it was before other sizes:\n%s", str_c(&difference));
    terminal_check_clean(terminal);
    str_free(&before);
    str_free(&after);
    str_free(&difference);
}

Test(resize, in_every_view)
{
    stage_open(MAILBOX_ALL, NULL);
    terminal_keys(stage.terminal, "j j j");
    for (const char *view = "123456"; *view; view++) {
        terminal_type(stage.terminal, (const char[]){*view, '\0'});
        go_through_all_sizes(true);
    }
    stage_quit();
}

/* Expects the text in the first row that shows a line of the message. */
static void expect_on_top(const char *text)
{
    int y, x, first;

    terminal_wait_idle(stage.terminal);
    if (!terminal_find(stage.terminal, "Line ", &first, &x) ||
        !terminal_find(stage.terminal, text, &y, &x) || y != first)
        terminal_fail(stage.terminal, "\"%s\" is not on top", text);
}

Test(resize, while_reading)
{
    stage_open(MAILBOX_CLAUDE | MAILBOX_ADR | MAILBOX_LONG, NULL);
    stage_go("/ l o n g Enter Enter", "10 new");
    go_through_all_sizes(true);
    /* the line on top stays there */
    stage_go("/ 4 1 Space o f Enter", "Line 41 of");
    expect_on_top("Line 38 of");
    terminal_resize(stage.terminal, 24, 200);
    expect_on_top("Line 38 of");
    terminal_resize(stage.terminal, 12, 30);
    expect_on_top("Line 38 of");
    terminal_resize(stage.terminal, 24, 80);
    expect_on_top("Line 38 of");
    stage_go("v", "raw");
    go_through_all_sizes(true);
    stage_go("q ?", "HELP");
    go_through_all_sizes(true);
    stage_quit();
}

Test(resize, in_the_middle_of_a_prompt)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("l", "filter: ");
    terminal_type(stage.terminal, "is:waiting");
    terminal_wait_text(stage.terminal, "INBOX 7/20");
    go_through_all_sizes(false);
    terminal_resize(stage.terminal, 1, 1);
    terminal_wait_idle(stage.terminal);
    terminal_type(stage.terminal, " from:doc-3");
    terminal_wait_idle(stage.terminal);
    terminal_resize(stage.terminal, 24, 80);
    terminal_wait_text(stage.terminal, "filter: is:waiting from:doc-3");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "INBOX 1/20");
    stage_go("q : a Tab", "agents");
    go_through_all_sizes(false);
    terminal_key(stage.terminal, "^C");
    terminal_wait_text(stage.terminal, "?:help");
    stage_quit();
}

Test(resize, in_the_middle_of_two_keys)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("/ q u e u e Enter", "?:help");
    stage_wait_selected("architect");
    stage_go("z", "a:fold");
    go_through_all_sizes(false);
    stage_go("a", "Re: How shall the queue");
    stage_quit();
}

/* Waits for the save; nothing changes by itself afterwards. */
static void wait_saved(void)
{
    terminal_wait_text(stage.terminal, "saved 14:03:00 drafts/");
    terminal_wait_text(stage.terminal, "drafts:1");
}

Test(resize, in_the_middle_of_a_form)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "builder-1\t");
    terminal_type(stage.terminal, "A subject\t");
    terminal_type(stage.terminal, "\tA text of several words that are wrapped where it is narrow");
    terminal_wait_text(stage.terminal, "narrow");
    wait_saved();
    go_through_all_sizes(true);
    terminal_resize(stage.terminal, 1, 1);
    terminal_wait_idle(stage.terminal);
    terminal_type(stage.terminal, "!!");
    terminal_wait_idle(stage.terminal);
    terminal_resize(stage.terminal, 24, 80);
    terminal_wait_text(stage.terminal, "where it is narrow!!");
    wait_saved();
    stage_go("^P", "REVIEW");
    go_through_all_sizes(true);
    stage_go("q", "NEW MESSAGE");
    stage_go("Alt-x", "(y/n)");
    go_through_all_sizes(false);
    stage_go("y", "INBOX");
    stage_quit();
}
