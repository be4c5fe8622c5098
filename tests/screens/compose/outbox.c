/* The outbox while the screens are open: messages are checked again, and go out when their slot is
 * free, without a key. */
#include "tests/screens/harness/stage.h"

#include <unistd.h>

TestSuite(outbox, .fini = stage_close, .timeout = 300);

static const char code_slot[] = "project/.roo/mailbox/to-code.md";

/* Writes a message and sends it. */
static void send_to(const char *to, const char *text)
{
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, to);
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "Subject");
    terminal_type(stage.terminal, text);
    stage_send(text, "sent to ");
}

static void expect_in_slot(const char *text)
{
    struct str bytes = tmp_read(&stage.mailbox.tmp, code_slot);

    cr_expect(strstr(str_c(&bytes), text), "%s", str_c(&bytes));
    str_free(&bytes);
}

/* Takes the message, as its reader does. */
static void empty_slot(void)
{
    cr_assert_eq(unlinkat(stage.mailbox.tmp.fd, code_slot, 0), 0);
}

Test(outbox, a_message_that_waits_goes_out_when_its_place_is_free)
{
    stage_open(MAILBOX_ROO, NULL);
    send_to("code", "the second message");
    stage_go("4", "outbox (1)");
    terminal_wait_text(stage.terminal, "waits");
    terminal_wait_text(stage.terminal, "unsent:1");
    empty_slot();
    terminal_wait_text(stage.terminal, "outbox (0)");
    expect_in_slot("the second message");
    terminal_wait_gone(stage.terminal, "unsent:");
    terminal_wait_text(stage.terminal, "delivered");
    stage_quit();
}

Test(outbox, several_messages_that_wait_go_out_one_after_the_other)
{
    stage_open(MAILBOX_ROO, NULL);
    send_to("code", "the second message");
    send_to("code", "the third message");
    stage_go("4", "outbox (2)");
    empty_slot();
    terminal_wait_text(stage.terminal, "outbox (1)");
    expect_in_slot("the second message");
    empty_slot();
    terminal_wait_text(stage.terminal, "outbox (0)");
    expect_in_slot("the third message");
    stage_quit();
}

Test(outbox, a_message_that_was_written_counts_as_sent_a_moment_later)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    send_to("builder-1", "please run them twice");
    stage_go("4", "written");
    terminal_wait_text(stage.terminal, "outbox (0)");
    stage_quit();
}
