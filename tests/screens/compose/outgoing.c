/* The view of drafts, of the outbox and of sent mail, with entries in all of them: retrying, giving
 * up, and concurrent changes by others. */
#include "store/state/state.h"
#include "tests/screens/harness/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TestSuite(outgoing, .fini = stage_close, .timeout = 300);

#define BOXES "project/workspace/mailboxes/"
#define SLOT "project/.roo/mailbox/to-code.md"

static void send_by_command(const char *to, const char *subject)
{
    stage_run(
        (const char *const[]){"send", "--to", to, "--subject", subject, "--body", "A text.", NULL});
}

static const char lost_letter[] =
    "{\"id\": \"MSG-00000000f00d\", \"from_agent\": \"user\", \"to_agent\": \"critic\", "
    "\"swarm_name\": null, \"type\": \"request\", \"subject\": \"Numbers\", \"body\": \"Which?\", "
    "\"payload\": {}, \"priority\": 2, \"created_at\": \"2026-02-12T14:00:00\", \"expires_at\": "
    "null, \"status\": \"unread\", \"read_at\": null, \"completed_at\": null, \"reply_to\": null, "
    "\"thread_id\": null, \"context\": {}, \"attachments\": [], \"tags\": []}";

/* Adds an outbox entry in that state, as a program leaves it that has ended. */
static void leave_entry(enum outbox_state state_number, const char *problem)
{
    struct str root = {0}, home = {0};
    struct err err;

    str_addf(&root, "%s/workspace/mailboxes", stage.mailbox.project);
    str_addf(&home, "%s/home/state", stage.mailbox.tmp.path);
    cr_assert_eq(setenv("XDG_STATE_HOME", str_c(&home), 1), 0);
    struct state *state = state_open(true, &err);
    cr_assert_not_null(state, "%s", err.text);
    struct outbox_entry entry = {.format = span_of("adr"),
                                 .root = str_span(&root),
                                 .box = span_of("critic"),
                                 .id = span_of("MSG-00000000f00d"),
                                 .from = span_of("user"),
                                 .to = span_of("critic"),
                                 .subject = span_of("Numbers"),
                                 .name = span_of("MSG-00000000f00d.json"),
                                 .bytes = span_of(lost_letter),
                                 .created_us = mailbox_when(180),
                                 .due_us = mailbox_when(180),
                                 .state = state_number,
                                 .problem = span_of(problem)};
    cr_assert(outbox_record(state, &entry, 1, mailbox_when(180), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err), "%s", err.text);
    state_close(state);
    str_free(&root);
    str_free(&home);
}

Test(outgoing, what_was_interrupted_is_sent_when_the_person_says_so)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    leave_entry(OUTBOX_RECORDED, "");
    stage_start(NULL);
    terminal_wait_text(stage.terminal, "unsent:1");
    stage_go("4", "DRAFTS 0  outbox 1");
    stage_wait_selected("failed     critic      Numbers");
    terminal_wait_text(stage.terminal, "sending was interrupted, and it was not found");
    terminal_wait_text(stage.terminal, "gr tries once more, X gives it up");
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, BOXES "critic"));
    stage_go("g r", "written again");
    terminal_wait_text(stage.terminal, "DRAFTS 0  outbox 0");
    terminal_wait_gone(stage.terminal, "unsent:");
    stage_wait_selected("delivered  critic      Numbers");
    struct str letter = tmp_read(&stage.mailbox.tmp, BOXES "critic/inbox/MSG-00000000f00d.json");
    cr_expect_str_eq(str_c(&letter), lost_letter);
    str_free(&letter);
    stage_go("g r", "only what is in the outbox can be sent again");
    cr_expect_eq(tmp_count(&stage.mailbox.tmp, BOXES "critic/inbox"), 1);
    stage_quit();
}

Test(outgoing, what_nobody_can_confirm_stands_in_the_outbox_until_it_is_given_up)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    leave_entry(OUTBOX_UNCONFIRMED, "its mailbox is gone");
    stage_start(NULL);
    terminal_wait_text(stage.terminal, "unsent:1");
    stage_go("4", "DRAFTS 0  outbox 1");
    stage_wait_selected("unconfirmed critic      Numbers");
    terminal_wait_text(stage.terminal, "Its reader may have it already");
    stage_go("X", "(y/n)");
    stage_go("y", "given up: it is not written any more");
    terminal_wait_text(stage.terminal, "DRAFTS 0  outbox 0");
    stage_wait_selected("unconfirmed critic      Numbers");
    stage_quit();
}

Test(outgoing, what_waits_for_its_place_is_given_up_after_a_question)
{
    mailbox_make(&stage.mailbox, MAILBOX_ROO);
    struct str before = tmp_read(&stage.mailbox.tmp, SLOT);
    send_by_command("code", "Cache");
    stage_start(NULL);
    stage_go("4", "DRAFTS 0  outbox 1");
    stage_wait_selected("waits      code        Cache");
    stage_go("g r", "it still waits: the message before it was not taken yet");
    stage_go("j X", "it is not sent yet: it can be given up in the outbox above");
    stage_wait_selected("queued     code        Cache");
    stage_go("k", "?:help");
    stage_wait_selected("waits      code        Cache");
    stage_go("X", "Give up the message to code, \"Cache\"? (y/n)");
    stage_go("Enter", "nothing was done");
    stage_go("X", "(y/n)");
    stage_go("y", "given up: it is not written any more");
    terminal_wait_text(stage.terminal, "DRAFTS 0  outbox 0");
    struct str after = tmp_read(&stage.mailbox.tmp, SLOT);
    cr_expect(span_eq(str_span(&before), str_span(&after)));
    str_free(&before);
    str_free(&after);
    stage_quit();
}

Test(outgoing, what_waits_for_its_place_is_written_once_it_is_free)
{
    mailbox_make(&stage.mailbox, MAILBOX_ROO);
    send_by_command("code", "Cache");
    stage_start(NULL);
    stage_go("4", "DRAFTS 0  outbox 1");
    stage_wait_selected("waits      code        Cache");
    cr_assert_eq(unlinkat(stage.mailbox.tmp.fd, SLOT, 0), 0);
    terminal_keys(stage.terminal, "g r");
    terminal_wait_gone(stage.terminal, "now waits");
    cr_expect_eq(stage_times_in(SLOT, "A text."), 1);
    cr_expect_eq(stage_times_in(SLOT, "from: orchestrator"), 1);
    terminal_wait_gone(stage.terminal, "unsent:");
    stage_quit();
}

static void write_draft(struct terminal *terminal, const char *to, const char *subject)
{
    terminal_key(terminal, "m");
    terminal_wait_text(terminal, "NEW MESSAGE");
    terminal_wait_idle(terminal);
    terminal_type(terminal, to);
    terminal_key(terminal, "Down");
    terminal_type(terminal, subject);
    terminal_wait_text(terminal, subject);
    terminal_wait_text(terminal, "saved 14:03:00 drafts/");
}

Test(outgoing, a_draft_is_thrown_away_after_a_question)
{
    stage_open(MAILBOX_ADR, NULL);
    write_draft(stage.terminal, "architect", "Later");
    stage_go("^O", "kept as a draft");
    write_draft(stage.terminal, "critic", "Never");
    stage_go("^O", "kept as a draft");
    terminal_wait_text(stage.terminal, "drafts:2");
    stage_go("4", "DRAFTS 2  outbox 0");
    stage_wait_selected("compose    critic      Never"); /* the newest comes first */
    stage_go("X", "Throw away the draft to critic, \"Never\"? (y/n)");
    stage_go("Enter", "nothing was done");
    stage_go("/ l a t e r Enter", "?:help");
    stage_wait_selected("Later");
    stage_go("k", "?:help");
    stage_wait_selected("Never");
    stage_go("X", "(y/n)");
    stage_go("y", "thrown away");
    terminal_wait_text(stage.terminal, "DRAFTS 1  outbox 0");
    stage_wait_selected("compose    architect   Later");
    stage_go("Enter", "NEW MESSAGE");
    terminal_wait_text(stage.terminal, "[architect");
    terminal_wait_text(stage.terminal, "[Later");
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "DRAFTS 0");
    stage_quit();
}

#define SENT BOXES "swarm_dev_critic/inbox/MSG-0000000000d1.json"

/* Writes a letter of the person, and the answer to it, to the mailboxes. */
static void put_letter(const char *path, const char *id, const char *from, const char *to,
                       const char *status, const char *reply_to)
{
    struct str text = {0};

    str_addf(&text,
             "{\"id\": \"%s\", \"from_agent\": \"%s\", \"to_agent\": \"%s\", \"swarm_name\": null, "
             "\"type\": \"request\", \"subject\": \"About the numbers\", \"body\": \"A text.\", "
             "\"payload\": {}, \"priority\": 2, \"created_at\": \"2026-02-12T14:0%d:00\", "
             "\"expires_at\": null, \"status\": \"%s\", \"read_at\": null, \"completed_at\": null, "
             "\"reply_to\": %s, \"thread_id\": \"THR-0000000000d1\", \"context\": {}, "
             "\"attachments\": [], \"tags\": []}",
             id, from, to, *reply_to == 'n' ? 0 : 1, status, reply_to);
    mailbox_put(&stage.mailbox, path, 60, str_span(&text));
    str_free(&text);
}

Test(outgoing, what_becomes_of_what_was_sent_is_told_as_it_happens)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    put_letter(SENT, "MSG-0000000000d1", "user", "swarm_dev/critic", "unread", "null");
    stage_start(NULL);
    stage_go("4", "sent 2");
    stage_wait_selected("delivered  critic      About the numbers");
    put_letter(SENT, "MSG-0000000000d1", "user", "swarm_dev/critic", "processing", "null");
    stage_wait_selected("processing critic      About the numbers");
    terminal_wait_text(stage.terminal, "State:   processing");
    put_letter(BOXES "user/inbox/MSG-0000000000d2.json", "MSG-0000000000d2", "swarm_dev/critic",
               "user", "unread", "\"MSG-0000000000d1\"");
    stage_wait_selected("answered   critic      About the numbers");
    stage_go("X", "it was sent: it is not ours to throw away any more");
    stage_go("Enter", "msg 1/2");
    terminal_wait_text(stage.terminal, "From user  To swarm_dev/critic");
    stage_go("q", "DRAFTS 0  outbox 0  sent 2");
    stage_wait_selected("About the numbers");
    stage_quit();
}

/* Reads the numbers from the headings: the status line may still show an error. */
Test(outgoing, what_another_process_does_is_there_at_once)
{
    char holder[64];

    stage_open(MAILBOX_ADR | MAILBOX_ROO, NULL);
    stage_go("4", "became of it (2)");
    stage.other = mailbox_start(&stage.mailbox, NULL);
    terminal_wait_text(stage.other, "watch ok");
    write_draft(stage.other, "architect", "By another");
    snprintf(holder, sizeof holder, "open in process %d", terminal_pid(stage.other));
    terminal_wait_text(stage.terminal, holder);
    terminal_wait_text(stage.terminal, " drafts (1) ");
    stage_go("g g", " drafts (1) ");
    stage_wait_selected("By another");
    /* it can be neither opened nor discarded while it is open there */
    snprintf(holder, sizeof holder, "process %d has it open: it can be thrown away there",
             terminal_pid(stage.other));
    stage_go("X", holder);
    stage_go("Enter", "open");
    cr_expect_not(terminal_has(stage.terminal, "NEW MESSAGE"));
    terminal_key(stage.other, "^O");
    terminal_wait_text(stage.other, "kept as a draft");
    terminal_wait_gone(stage.terminal, "open in process");
    /* a draft discarded here vanishes there */
    terminal_wait_idle(stage.other);
    terminal_key(stage.other, "4");
    terminal_wait_text(stage.other, " drafts (1) ");
    stage_go("X", "(y/n)");
    stage_go("y", "thrown away");
    terminal_wait_text(stage.terminal, " drafts (0)");
    terminal_wait_text(stage.other, " drafts (0)");
    /* and both show mail that a command sends or queues */
    send_by_command("critic", "By a command");
    terminal_wait_text(stage.terminal, "became of it (3)");
    terminal_wait_text(stage.other, "became of it (3)");
    send_by_command("code", "It waits");
    terminal_wait_text(stage.terminal, "became of it (4)");
    terminal_wait_text(stage.terminal, " outbox (1) ");
    terminal_wait_text(stage.other, "became of it (4)");
    terminal_wait_idle(stage.other);
    terminal_key(stage.other, "Q");
    cr_expect_eq(terminal_end(stage.other), 0);
    stage_quit();
}
