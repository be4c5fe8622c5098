/* The mouse, when it is enabled: a click selects a row, a second one opens it. */
#include "base/time.h"
#include "tests/screens/harness/stage.h"

#include <unistd.h>

TestSuite(mouse, .fini = stage_close, .timeout = 300);

static void open_with_mouse(unsigned parts)
{
    mailbox_make(&stage.mailbox, parts);
    mailbox_config(&stage.mailbox, "[general]\nmouse = yes\n");
    stage_start(NULL);
    cr_assert(terminal_mouse(stage.terminal));
}

static void click_on(const char *text)
{
    int y, x;

    cr_assert(terminal_find(stage.terminal, text, &y, &x), "%s", text);
    terminal_click(stage.terminal, 1, y, x);
}

/* Clicks twice like a person: the program has handled the first one when the second comes. Repeats
 * that on a machine that is too slow. */
static void click_twice_on(const char *text, const char *status)
{
    const int64_t together_us = 400000;

    for (;;) {
        int64_t begun_us = time_steady();
        click_on(text);
        terminal_wait_idle(stage.terminal);
        click_on(text);
        terminal_wait_idle(stage.terminal);
        if (!terminal_has(stage.terminal, status))
            return;
        cr_assert_geq(time_steady() - begun_us, together_us, "two clicks opened nothing");
        usleep((useconds_t)together_us);
    }
}

Test(mouse, a_click_selects_and_a_second_one_opens)
{
    open_with_mouse(MAILBOX_CLAUDE);
    click_on("which page first?");
    stage_wait_selected("which page first?");
    terminal_wait_idle(stage.terminal);
    cr_expect(terminal_has(stage.terminal, "INBOX"), "one click opens nothing");
    click_on("tester-2"); /* another row: not a double click */
    stage_wait_selected("tester-2");
    terminal_wait_idle(stage.terminal);
    cr_expect(terminal_has(stage.terminal, "INBOX"));
    click_twice_on("which page first?", "INBOX");
    terminal_wait_text(stage.terminal, "I would take the first.");
    stage_quit();
}

Test(mouse, two_clicks_that_come_at_once_open_too)
{
    open_with_mouse(MAILBOX_CLAUDE);
    click_on("which page first?");
    click_on("which page first?");
    terminal_wait_text(stage.terminal, "I would take the first.");
    stage_quit();
}

Test(mouse, a_click_on_a_message_of_a_conversation_reads_it)
{
    open_with_mouse(MAILBOX_ADR);
    stage_go("/ q u e u e Enter", "?:help");
    stage_go("Enter", "Times sort well");
    click_on("[answered]");
    terminal_wait_text(stage.terminal, "Files, or a database?");
    stage_wait_selected("[answered]");
    stage_quit();
}

Test(mouse, a_click_chooses_a_request_and_a_second_one_opens_its_conversation)
{
    open_with_mouse(MAILBOX_CLAUDE | MAILBOX_ADR);
    stage_go("3", "DECIDE 6");
    click_on("implementer");
    terminal_wait_text(stage.terminal, "HANDOFF from swarm_dev/implementer");
    click_twice_on("architect   ASK", "DECIDE");
    terminal_wait_text(stage.terminal, "Which names shall the files have?");
    terminal_wait_text(stage.terminal, "msg 3/3");
    stage_quit();
}
