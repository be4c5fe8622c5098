/* Mail arrives, changes and vanishes in the middle of any action: the selection, the action and the
 * typed text stay. */
#include "tests/screens/decide/deciding.h"

#include <stdio.h>
#include <unistd.h>

TestSuite(arriving, .fini = stage_close, .timeout = 300);

#define USER "project/workspace/mailboxes/user/inbox/"

/* Writes a letter from the architect in the conversation about the queue, or in a new one. */
static void write_letter(const char *id, const char *thread, const char *subject)
{
    char path[128], text[1024];

    snprintf(path, sizeof path, USER "%s.json", id);
    snprintf(text, sizeof text,
             "{\"id\": \"%s\", \"from_agent\": \"swarm_dev/architect\", \"to_agent\": \"user\", "
             "\"swarm_name\": null, \"type\": \"request\", \"subject\": \"%s\", \"body\": \"A "
             "text.\", \"payload\": {}, \"priority\": 4, \"created_at\": \"2026-02-12T14:02:00\", "
             "\"expires_at\": null, \"status\": \"unread\", \"read_at\": null, "
             "\"completed_at\": null, \"reply_to\": null, \"thread_id\": \"%s\", \"context\": {}, "
             "\"attachments\": [], \"tags\": []}",
             id, subject, thread);
    mailbox_put(&stage.mailbox, path, 60, span_of(text));
}

static void new_letter(void)
{
    write_letter("MSG-0000000000c1", "THR-0000000000c1", "something new and urgent");
}

static void remove_file(const char *path)
{
    cr_assert_eq(unlinkat(stage.mailbox.tmp.fd, path, 0), 0);
}

static void open_at(const char *search, const char *selected)
{
    stage_open(MAILBOX_CLAUDE | MAILBOX_ADR, NULL);
    terminal_key(stage.terminal, "/");
    terminal_type(stage.terminal, search);
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "?:help");
    stage_wait_selected(selected);
}

Test(arriving, the_cursor_stays_with_its_conversation)
{
    open_at("queue", "architect   ASK     Which names");
    new_letter();
    terminal_wait_text(stage.terminal, "something new and urgent");
    stage_wait_selected("Which names");
    remove_file(USER "MSG-0000000000c1.json");
    terminal_wait_gone(stage.terminal, "something new and urgent");
    stage_wait_selected("Which names");
    /* its own conversation grows, and now waits for somebody else */
    write_letter("MSG-0000000000c2", "THR-0000000000a1", "And a second question");
    terminal_wait_text(stage.terminal, "[4]");
    stage_wait_selected("architect");
    stage_quit();
}

Test(arriving, between_two_keys_the_selection_stays)
{
    open_at("queue", "Which names");
    stage_go("z", "a:fold");
    new_letter();
    terminal_wait_text(stage.terminal, "something new and urgent");
    terminal_wait_text(stage.terminal, "a:fold");
    stage_go("a", "Re: How shall the queue");
    stage_wait_selected("Which names");
    terminal_keys(stage.terminal, "z a");
    terminal_wait_gone(stage.terminal, "Re: How shall the queue");
    stage_go("g", "a:reply-all");
    remove_file(USER "MSG-0000000000c1.json");
    terminal_wait_gone(stage.terminal, "something new and urgent");
    stage_go("a", "REPLY TO ALL of swarm_dev/architect: Which names");
    stage_go("Esc", "INBOX");
    stage_quit();
}

Test(arriving, what_vanishes_between_two_keys_is_not_acted_on)
{
    open_at("Reviewed", "Reviewed: parser");
    stage_go("g", "a:reply-all");
    remove_file(USER "MSG-0000000000f1.json");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    stage_go("a", "what was selected has changed meanwhile; nothing was done");
    cr_expect(terminal_has(stage.terminal, "INBOX"));
    stage_quit();
}

Test(arriving, a_prompt_about_what_vanished_does_nothing_to_another)
{
    struct str after = {0};

    open_at("Reviewed", "Reviewed: parser");
    stage_go("M", "mark as: ");
    remove_file(USER "MSG-0000000000f1.json");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    terminal_type(stage.terminal, "completed\r");
    terminal_wait_gone(stage.terminal, "mark as: ");
    terminal_wait_idle(stage.terminal);
    stage_snapshot(&after);
    cr_expect_not(strstr(str_c(&after), "\"completed_at\": \""));
    str_free(&after);
    stage_quit();
}

Test(arriving, a_form_keeps_what_is_typed)
{
    open_at("Reviewed", "Reviewed: parser");
    stage_go("r", "REPLY to swarm_dev/reviewer: Reviewed: parser");
    terminal_type(stage.terminal, "Thanks for");
    terminal_wait_text(stage.terminal, "Thanks for");
    new_letter();
    terminal_wait_text(stage.terminal, "11 new");
    terminal_type(stage.terminal, " both remarks");
    terminal_wait_text(stage.terminal, "Thanks for both remarks");
    /* even the answered message may vanish */
    remove_file(USER "MSG-0000000000f1.json");
    terminal_wait_text(stage.terminal, "10 new");
    terminal_type(stage.terminal, ".");
    terminal_wait_text(stage.terminal, "Thanks for both remarks.");
    cr_expect(terminal_has(stage.terminal, "swarm_dev/reviewer"));
    cr_expect(terminal_has(stage.terminal, "Re: Reviewed: parser"));
    stage_go("^O", "INBOX");
    stage_go("R", "Thanks for both remarks.");
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "INBOX");
    stage_quit();
}

Test(arriving, a_prompt_stays_while_the_list_changes)
{
    stage_open(MAILBOX_CLAUDE | MAILBOX_ADR, NULL);
    stage_go("l", "filter: ");
    terminal_type(stage.terminal, "from:architect");
    terminal_wait_text(stage.terminal, "INBOX 1/");
    new_letter();
    terminal_wait_text(stage.terminal, "INBOX 2/");
    terminal_wait_text(stage.terminal, "filter: from:architect");
    terminal_type(stage.terminal, " urgent");
    terminal_wait_text(stage.terminal, "filter: from:architect urgent");
    terminal_wait_text(stage.terminal, "INBOX 1/");
    terminal_key(stage.terminal, "^C");
    terminal_wait_text(stage.terminal, "filter:none");
    stage_go("/", "/");
    terminal_type(stage.terminal, "which");
    stage_wait_selected("Which names");
    remove_file(USER "MSG-0000000000c1.json");
    terminal_wait_gone(stage.terminal, "something new and urgent");
    stage_wait_selected("Which names");
    terminal_type(stage.terminal, " page");
    stage_wait_selected("which page first?");
    terminal_wait_text(stage.terminal, "/which page");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "?:help");
    stage_wait_selected("which page first?");
    stage_quit();
}

Test(arriving, who_reads_is_told_of_what_comes_below)
{
    open_at("queue", "Which names");
    stage_go("Enter", "Times sort well");
    write_letter("MSG-0000000000c2", "THR-0000000000a1", "And a second question");
    terminal_wait_text(stage.terminal, "new below: 1 (Tab)");
    cr_expect(terminal_has(stage.terminal, "Times sort well"));
    stage_wait_selected("Which names");
    terminal_key(stage.terminal, "Tab");
    stage_wait_selected("And a second question");
    terminal_wait_gone(stage.terminal, "new below");
    terminal_wait_text(stage.terminal, "A text.");
    /* the message on the screen may vanish: it stays there */
    remove_file(USER "MSG-0000000000c2.json");
    terminal_wait_text(stage.terminal, "it is not there any more");
    cr_expect(terminal_has(stage.terminal, "A text."));
    stage_go("d", "there is no message to do that to");
    stage_go("q", "INBOX");
    stage_quit();
}

Test(arriving, a_decision_that_is_made_elsewhere_goes_away)
{
    open_at("queue", "Which names");
    stage_go("3 ]", "40m implementer");
    new_letter();
    terminal_wait_text(stage.terminal, "DECIDE 7");
    terminal_wait_text(stage.terminal, "HANDOFF from swarm_dev/implementer");
    remove_file(USER "MSG-0000000000b1.json");
    terminal_wait_text(stage.terminal, "DECIDE 6");
    deciding_wait_change("GONE: its message is not in the mailbox any more");
    terminal_key(stage.terminal, "]");
    terminal_wait_gone(stage.terminal, "HANDOFF from swarm_dev/implementer");
    stage_quit();
}
