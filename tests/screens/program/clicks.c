/* Single clicks and the wheel on every screen, with the mouse enabled; no effect without. */
#include "tests/screens/harness/golden.h"
#include "tests/screens/harness/stage.h"

TestSuite(clicks, .fini = stage_close, .timeout = 300);

enum { LEFT = 1, WHEEL_UP = 4, WHEEL_DOWN = 5 };

static void start(unsigned parts, int rows, int cols)
{
    stage_open(parts, &(struct terminal_options){.rows = rows, .cols = cols});
    stage_go("%", "the mouse is ours");
    cr_assert(terminal_mouse(stage.terminal));
    stage_go("^L", "?:help");
}

static void click_on(const char *text)
{
    int y, x;

    if (!terminal_find(stage.terminal, text, &y, &x))
        terminal_fail(stage.terminal, "there is no \"%s\" to click on", text);
    terminal_click(stage.terminal, LEFT, y, x);
    terminal_wait_idle(stage.terminal);
}

static void turn(int wheel, int times)
{
    for (int i = 0; i < times; i++)
        terminal_click(stage.terminal, wheel, 10, 10);
    terminal_wait_idle(stage.terminal);
}

Test(clicks, mean_nothing_while_the_mouse_is_the_terminals)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_wait_selected("HOST");
    click_on("which page first?");
    turn(WHEEL_DOWN, 3);
    stage_wait_selected("HOST");
    stage_go("%", "the mouse is ours");
    click_on("which page first?");
    stage_wait_selected("which page first?");
    stage_go("%", "the mouse is the terminal's again");
    click_on("tester-2");
    stage_wait_selected("which page first?");
    stage_quit();
}

Test(clicks, go_to_a_row_and_open_nothing)
{
    struct str before = {0}, after = {0};

    start(MAILBOX_CLAUDE, 24, 80);
    click_on("which page first?");
    stage_wait_selected("which page first?");
    click_on("tester-2");
    stage_wait_selected("tester-2");
    /* headings, the title, the foot and empty lines are not rows */
    golden_describe(stage.terminal, &before);
    click_on("unread (");
    click_on("2Agents");
    terminal_click(stage.terminal, LEFT, 20, 40);
    click_on("INBOX");
    click_on("d:archive");
    golden_describe(stage.terminal, &after);
    cr_expect(span_eq(str_span(&before), str_span(&after)), "%s", str_c(&after));
    stage_quit();
    str_free(&before);
    str_free(&after);
}

Test(clicks, the_wheel_goes_from_row_to_row)
{
    start(MAILBOX_CLAUDE, 24, 80);
    turn(WHEEL_DOWN, 1);
    stage_wait_selected("tester-2");
    turn(WHEEL_DOWN, 3);
    stage_wait_selected("which page first?");
    turn(WHEEL_UP, 2);
    stage_wait_selected("builder-1");
    turn(WHEEL_UP, 20);
    stage_wait_selected("HOST");
    stage_quit();
}

Test(clicks, the_wheel_goes_through_a_text)
{
    start(MAILBOX_CLAUDE | MAILBOX_LONG, 24, 80);
    stage_go("/ l o n g Enter Enter", "Line 1 of the report");
    turn(WHEEL_DOWN, 40);
    terminal_wait_gone(stage.terminal, "Line 1 of the report");
    terminal_wait_text(stage.terminal, "Line 21 of the report");
    turn(WHEEL_UP, 40);
    terminal_wait_text(stage.terminal, "Line 1 of the report");
    stage_go("q ?", "HELP");
    turn(WHEEL_DOWN, 5);
    terminal_wait_gone(stage.terminal, "next row or line");
    stage_quit();
}

Test(clicks, choose_an_agent_in_the_sidebar)
{
    start(MAILBOX_CLAUDE, 30, 120);
    click_on(" infra-4 stuck?");
    terminal_wait_text(stage.terminal, "agent:infra-4");
    click_on(" All ");
    terminal_wait_text(stage.terminal, "INBOX 9/9");
    cr_expect_not(terminal_has(stage.terminal, "agent:"));
    stage_quit();
}

Test(clicks, go_to_a_row_in_every_view)
{
    start(MAILBOX_CLAUDE | MAILBOX_ADR, 24, 80);
    stage_go("2", "AGENTS ");
    click_on("infra-4");
    stage_wait_selected("infra-4");
    turn(WHEEL_UP, 1);
    stage_wait_selected("reviewer");
    stage_go("6", "FLOW ");
    click_on("builder-1");
    stage_wait_selected("builder-1");
    turn(WHEEL_DOWN, 1);
    stage_wait_selected("doc-3");
    stage_go("m", "NEW MESSAGE");
    stage_go("o n e ^O", "kept as a draft");
    stage_go("4", "DRAFTS 1");
    click_on("answered");
    stage_wait_selected("answered");
    turn(WHEEL_UP, 20);
    stage_wait_selected("compose");
    stage_go("5", "ARCHIVE 1/1");
    click_on("The week's numbers");
    stage_wait_selected("The week's numbers");
    stage_quit();
}

Test(clicks, go_to_a_field_of_a_form)
{
    start(MAILBOX_CLAUDE, 24, 80);
    stage_go("m", "NEW MESSAGE");
    click_on("Subject");
    terminal_type(stage.terminal, "clicked");
    terminal_wait_text(stage.terminal, "[clicked");
    click_on("Body");
    terminal_type(stage.terminal, "and below");
    terminal_wait_text(stage.terminal, " and below");
    click_on("*To");
    terminal_type(stage.terminal, "w7");
    terminal_wait_text(stage.terminal, "[w7");
    cr_expect(terminal_has(stage.terminal, "[clicked"));
    stage_go("Alt-x", "(y/n)");
    /* only keys answer a question */
    click_on("Subject");
    terminal_wait_text(stage.terminal, "(y/n)");
    stage_go("y", "thrown away");
    stage_quit();
}
