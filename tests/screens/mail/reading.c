/* Screens of a message: they show its real content and effect, not what its sender calls it, and
 * all of it can be reached. */
#include "tests/screens/harness/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

TestSuite(reading, .fini = stage_close, .timeout = 300);

Test(reading, a_permission_is_called_by_what_will_happen)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){
                     "team-lead", "w7", 30, "harmless",
                     "{\"type\":\"permission_request\",\"request_id\":\"perm-1\",\"agent_id\":"
                     "\"w7\",\"tool_name\":\"Bash\",\"tool_use_id\":\"t\",\"description\":"
                     "\"harmless\",\"input\":{\"command\":\"echo safe; rm -rf /\"},"
                     "\"permission_suggestions\":[]}",
                     false});
    stage_start(NULL);
    stage_go("/ w 7 Enter", "PERM    Bash: echo safe; rm -rf /");
    cr_expect_not(terminal_has(stage.terminal, "harmless"));
    stage_go("2", "Bash: echo safe; rm");
    cr_expect_not(terminal_has(stage.terminal, "harmless"));
    stage_go("3", "PERM    Bash: echo safe; rm -rf /");
    stage_quit();
}

enum { DESCRIPTORS_TAKEN = 40 };

/* Makes the program unable to open more files; returns the old limit. It was started with all the
 * low descriptors taken, so none becomes free when it closes one of its own. */
static rlim_t limit_files(void)
{
    struct rlimit before;
    int pid = terminal_pid(stage.terminal);

    cr_assert_eq(prlimit(pid, RLIMIT_NOFILE, NULL, &before), 0);
    struct rlimit after = {DESCRIPTORS_TAKEN, before.rlim_max};
    cr_assert_eq(prlimit(pid, RLIMIT_NOFILE, &after, NULL), 0);
    return before.rlim_cur;
}

Test(reading, a_message_that_cannot_even_be_asked_for_is_not_waited_for)
{
    char start[128];
    const char *program = getenv("SWARMUTT");
    const char *const args[] = {"-c", start, program ? program : "./swarmutt", NULL};

    snprintf(start, sizeof start,
             "for i in {3..%d}; do eval \"exec $i</dev/null\"; done\nexec \"$0\" --readonly",
             DESCRIPTORS_TAKEN - 1);
    stage_open(MAILBOX_CLAUDE, &(struct terminal_options){.program = "/bin/bash", .args = args});
    stage_go("/ w h i c h Enter", "?:help");
    stage_wait_selected("which page first?");
    terminal_wait_idle(stage.terminal);
    rlim_t before = limit_files();
    stage_go("Enter", "cannot open this directory");
    terminal_wait_gone(stage.terminal, "reading");
    cr_assert_eq(prlimit(terminal_pid(stage.terminal), RLIMIT_NOFILE,
                         &(struct rlimit){before, before}, NULL),
                 0);
    terminal_key(stage.terminal, "q");
    terminal_wait_idle(stage.terminal);
    stage_go("Enter", "I would take the first.");
    stage_quit();
}

Test(reading, the_title_gives_up_the_clock_before_what_is_new_and_who_is_stuck)
{
    stage_open(STAGE_USUAL, NULL);
    terminal_wait_row(stage.terminal, 0, "14 new  5 stuck   14:03");
    terminal_resize(stage.terminal, 24, 76);
    terminal_wait_idle(stage.terminal);
    terminal_wait_row(stage.terminal, 0, "14 new  5 stuck");
    terminal_wait_gone(stage.terminal, "14:03");
    terminal_resize(stage.terminal, 24, 66);
    terminal_wait_idle(stage.terminal);
    terminal_wait_row(stage.terminal, 0, "5 stuck");
    terminal_wait_gone(stage.terminal, "14 new");
    terminal_resize(stage.terminal, 24, 60);
    terminal_wait_row(stage.terminal, 0, "14 new  5 stuck");
    terminal_wait_gone(stage.terminal, "2Agents");
    terminal_resize(stage.terminal, 10, 40);
    terminal_wait_row(stage.terminal, 0, "14 new  5 stuck");
    terminal_resize(stage.terminal, 24, 80);
    terminal_wait_row(stage.terminal, 0, "14:03");
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "builder-1");
    stage_go("Esc", "4Drafts(1)");
    terminal_wait_row(stage.terminal, 0, "14 new  5 stuck");
    stage_quit();
}

Test(reading, a_command_that_found_something_does_not_say_that_it_found_nothing)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_command("doctor", "damaged");
    terminal_wait_text(stage.terminal, "problems are left");
    cr_expect_not(terminal_has(stage.terminal, "nothing found"));
    stage_go("q", "INBOX");
    stage_command("check from:nobody", "nothing found");
    stage_go("q", "INBOX");
    stage_quit();
}

Test(reading, a_message_is_seen_raw_from_every_list_of_mail)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ d i s k Enter", "?:help");
    stage_wait_selected("critic");
    stage_go("v", "\"id\": \"MSG-0000000000e5\"");
    stage_go("q", "INBOX");
    stage_go("5 v", "\"id\": \"MSG-0000000000f3\"");
    stage_go("q", "ARCHIVE");
    stage_go("p", "All of them went up.");
    stage_go("v", "\"id\": \"MSG-0000000000f3\"");
    stage_go("^W", "in the preview (^W)");
    stage_go("G", "\"tags\": []");
    stage_go("^W p", "ARCHIVE 1/1");
    terminal_wait_gone(stage.terminal, "\"tags\"");
    stage_quit();
}

Test(reading, the_panes_of_an_agents_page_are_gone_through)
{
    stage_open(STAGE_USUAL, &(struct terminal_options){.rows = 24, .cols = 120});
    stage_go("2 / i n f r a Enter Enter", "AGENT ");
    stage_go("^W", "in the preview (^W)");
    terminal_key(stage.terminal, "^W");
    terminal_wait_gone(stage.terminal, "in the preview");
    stage_go("p ^W", "there is no other pane; p shows a preview");
    stage_go("p", "From ");
    stage_quit();
}

Test(reading, a_damaged_message_is_found_by_its_file_and_says_all_that_is_wrong)
{
    stage_open(MAILBOX_ADR, NULL);
    terminal_wait_text(stage.terminal, "damaged MSG-00000000dead.json");
    stage_go("/ M S G - 0 0 0 0 0 0 0 0 d e a d Enter", "?:help");
    stage_wait_selected("damaged");
    stage_go("Enter", "MSG-00000000dead.json > line 1, column 42");
    terminal_wait_text(stage.terminal, "it ends too early"); /* in the rows below the title */
    terminal_wait_text(stage.terminal, "v shows the bytes of its file");
    stage_go("v", "{\"id\": \"MSG-00000000dead\", \"from_agent\":");
    stage_go("v", "v shows the bytes of its file");
    stage_quit();
}

Test(reading, an_answer_of_ones_own_is_not_new)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("/ w h i c h Enter Enter", "Which page shall I write first?");
    stage_go("r", "REPLY to doc-3");
    terminal_type(stage.terminal, "install");
    stage_go("^X", "REVIEW");
    stage_go("^X", "sent to doc-3");
    terminal_wait_text(stage.terminal, "msg 1/2");
    terminal_wait_idle(stage.terminal);
    cr_expect_not(terminal_has(stage.terminal, "new below"));
    mailbox_tell(&stage.mailbox, &(struct mailbox_said){"team-lead", "doc-3", 0,
                                                        "Re: which page first?", "done", false});
    terminal_wait_text(stage.terminal, "new below: 1 (Tab)");
    stage_go("q", "INBOX");
    stage_quit();
}

Test(reading, the_flow_begins_with_who_talks)
{
    int busy, silent, x;

    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    /* the first by its name, whose request of another day still waits */
    mailbox_put(&stage.mailbox, "home/.claude/teams/asleep/inboxes/team-lead.json", 200000,
                span_of("[\n  {\n    \"from\": \"snorer\",\n    \"text\": "
                        "\"{\\\"type\\\":\\\"plan_approval_request\\\",\\\"from\\\":\\\"snorer\\\","
                        "\\\"planContent\\\":\\\"# Sleep\\\",\\\"planFilePath\\\":\\\"p\\\","
                        "\\\"requestId\\\":\\\"plan-1\\\"}\",\n    \"timestamp\": "
                        "\"2026-02-10T10:00:00.000Z\",\n    \"read\": true\n  }\n]"));
    stage_start(NULL);
    stage_go("6", "tester-2");
    terminal_wait_text(stage.terminal, "snorer");
    terminal_wait_idle(stage.terminal);
    cr_assert(terminal_find(stage.terminal, "tester-2", &busy, &x));
    cr_assert(terminal_find(stage.terminal, "snorer", &silent, &x));
    cr_expect_gt(silent, busy);
    stage_quit();
}
