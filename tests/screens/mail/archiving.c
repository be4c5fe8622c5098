/* Archiving as a person does it: own mail at once, any other mail after a question, and always with
 * a report. */
#include "tests/screens/harness/stage.h"

TestSuite(archiving, .fini = stage_close, .timeout = 300);

static const char critic_inbox[] =
    "project/workspace/mailboxes/swarm_dev_critic/inbox/MSG-0000000000c1.json";
static const char critic_archive[] =
    "project/workspace/mailboxes/swarm_dev_critic/archive/MSG-0000000000c1.json";

/* Writes mail between two agents. */
static void put_theirs(void)
{
    mailbox_put(&stage.mailbox, critic_inbox, 600,
                span_of("{\n  \"id\": \"MSG-0000000000c1\",\n  \"from_agent\": "
                        "\"swarm_dev/architect\",\n  \"to_agent\": \"swarm_dev/critic\",\n  "
                        "\"swarm_name\": null,\n  \"type\": \"notification\",\n  \"subject\": "
                        "\"Drawings are done\",\n  \"body\": \"See doc.\",\n  \"payload\": {},\n  "
                        "\"priority\": 2,\n  \"created_at\": \"2026-02-12T13:53:00\",\n  "
                        "\"expires_at\": null,\n  \"status\": \"unread\",\n  \"read_at\": null,\n  "
                        "\"completed_at\": null,\n  \"reply_to\": null,\n  \"thread_id\": null,\n  "
                        "\"context\": {},\n  \"attachments\": [],\n  \"tags\": []\n}"));
}

static bool has(const char *path)
{
    return tmp_exists(&stage.mailbox.tmp, path);
}

static void open_with_theirs(void)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    put_theirs();
    stage_start(NULL);
}

Test(archiving, mail_that_an_agent_has_not_read_is_asked_about)
{
    open_with_theirs();
    stage_go("/ d r a w i n g s Enter", "?:help");
    stage_wait_selected("Drawings are done");
    stage_go("d", "it was written to critic, who has not read it? (y/n)");
    stage_go("Enter", "nothing was done");
    terminal_wait_idle(stage.terminal);
    cr_expect(has(critic_inbox) && !has(critic_archive));
    stage_go("d", "(y/n)");
    stage_go("y", "archived 1 message");
    cr_expect(!has(critic_inbox) && has(critic_archive));
    stage_go("u", "taken back");
    cr_expect(has(critic_inbox) && !has(critic_archive));
    stage_quit();
}

Test(archiving, what_is_left_of_many_is_said_and_stays_tagged)
{
    open_with_theirs();
    stage_command("filter disk or Reviewed or drawings", "INBOX 3/");
    stage_go("g g t t t", "tagged:3");
    stage_go("d", "(y/n)"); /* the escalation waits for an answer */
    stage_go("y", "archived 2 messages");
    terminal_wait_text(stage.terminal, "1 left: written to others");
    terminal_wait_text(stage.terminal, "tagged:1");
    stage_wait_selected("Drawings are done");
    cr_expect(has(critic_inbox));
    stage_go("d", "who has not read it? (y/n)");
    stage_go("y", "archived 1 message");
    terminal_wait_text(stage.terminal, "tagged:0");
    cr_expect(has(critic_archive));
    stage_quit();
}

Test(archiving, a_request_that_waits_is_asked_about)
{
    const char path[] = "project/workspace/mailboxes/user/inbox/MSG-0000000000e5.json";

    stage_open(MAILBOX_ADR, NULL);
    stage_go("3", "DECIDE 3");
    stage_go("d", "Archive it, though it still waits for your answer? (y/n)");
    stage_go("d", "nothing was done");
    cr_expect(has(path));
    stage_go("1 / d i s k Enter", "?:help");
    stage_wait_selected("critic");
    stage_go("d", "still waits for your answer? (y/n)");
    stage_go("n", "nothing was done");
    stage_go("Enter", "frees /var");
    stage_go("d", "still waits for your answer? (y/n)");
    stage_go("y", "archived 1 message");
    cr_expect_not(has(path));
    stage_go("q 3", "DECIDE 2");
    terminal_key(stage.terminal, "q");
    stage_quit();
}

Test(archiving, it_is_not_the_first_that_is_offered_for_a_request)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("3", "DECIDE 3");
    terminal_wait_row(stage.terminal, 23, "r:reply");
    cr_expect_not(terminal_has(stage.terminal, " d:archive r:reply"));
    stage_quit();
}

Test(archiving, nothing_is_offered_in_the_archive_that_it_refuses)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("5", "ARCHIVE 1");
    terminal_wait_row(stage.terminal, 23, "?:help");
    cr_expect_not(terminal_has(stage.terminal, "d:archive"));
    stage_quit();
}

Test(archiving, the_cursor_goes_to_what_is_taken_back)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("/ R e v i e w e d Enter", "?:help");
    stage_wait_selected("Reviewed: parser");
    stage_go("d", "archived 1 message");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    terminal_keys(stage.terminal, "g g");
    stage_wait_selected("validator");
    stage_go("u", "taken back");
    stage_wait_selected("Reviewed: parser");
    stage_quit();
}
