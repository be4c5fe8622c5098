/* Lists: their mail, the preview next to and below them, and commands whose output has a screen of
 * its own. */
#include "tests/screens/harness/stage.h"

TestSuite(lists, .fini = stage_close, .timeout = 300);

Test(lists, everybodys_mail_or_ones_own)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"w7", "doc-3", 60, "between agents", "A text.", false});
    stage_start(NULL);
    terminal_wait_text(stage.terminal, "between agents");
    stage_go("/ w h i c h Enter", "?:help");
    stage_go("o", "tagged:0  mine");
    terminal_wait_gone(stage.terminal, "between agents");
    stage_wait_selected("which page first?");
    stage_go("o", "tagged:0  all");
    terminal_wait_text(stage.terminal, "between agents");
    stage_wait_selected("which page first?");
    stage_command("scope mine", "tagged:0  mine");
    stage_command("scope nonsense", "the scope is mine, all or snoozed");
    stage_quit();
}

Test(lists, the_preview_is_shown_hidden_and_gone_to)
{
    stage_open(MAILBOX_CLAUDE | MAILBOX_LONG, NULL);
    stage_go("/ l o n g Enter", "?:help");
    stage_wait_selected("a long report");
    stage_go("^W", "there is no other pane; p shows a preview");
    stage_go("p", "Line 1 of the report");
    stage_go("^W", "in the preview (^W)");
    stage_go("G", "Line 60 of the report");
    stage_wait_selected("a long report"); /* keys do not move there */
    stage_go("g g", "Line 1 of the report");
    terminal_key(stage.terminal, "^W");
    terminal_wait_gone(stage.terminal, "in the preview");
    terminal_key(stage.terminal, "k");
    terminal_wait_gone(stage.terminal, "Line 1 of the report"); /* it follows */
    terminal_key(stage.terminal, "j");
    terminal_wait_text(stage.terminal, "Line 1 of the report");
    stage_go("v", "\"from\": \"w7\"");
    stage_go("v", "From w7");
    terminal_key(stage.terminal, "p");
    terminal_wait_gone(stage.terminal, "From w7");
    /* next to the list the preview appears automatically */
    terminal_resize(stage.terminal, 30, 120);
    terminal_wait_idle(stage.terminal);
    cr_expect_not(terminal_has(stage.terminal, "From w7"));
    stage_go("p", "From w7");
    stage_quit();
}

Test(lists, the_other_pane_of_a_conversation_is_its_messages)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ q u e u e Enter Enter", "Times sort well");
    stage_go("^W", "in the list (^W)");
    stage_go("k", "Files. One a message");
    stage_wait_selected("Re: How shall the queue");
    stage_go("g g", "Files, or a database?");
    terminal_key(stage.terminal, "^W");
    terminal_wait_gone(stage.terminal, "in the list");
    stage_go("j", "Files, or a database?");
    stage_quit();
}

Test(lists, a_command_says_its_words_on_a_screen_of_its_own)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_command("sources", ":sources  100%  done");
    terminal_wait_text(stage.terminal, "12 messages, 7 unread, 0 archived");
    stage_go("q", "INBOX 9/9");
    /* with options, and a completed name */
    stage_go(": p e n d Tab", ":pending");
    terminal_type(stage.terminal, " --all\r");
    terminal_wait_text(stage.terminal, ":pending --all  100%  done");
    terminal_wait_text(stage.terminal, "docs.example.org");
    stage_go("q", "INBOX 9/9");
    /* a failed command */
    stage_command("show nonesuch", "no message has the id \"nonesuch\"");
    terminal_wait_text(stage.terminal, "nothing found");
    stage_go("q", "INBOX 9/9");
    stage_command("messages --nonsense", "misused");
    stage_go("q", "INBOX 9/9");
    /* leaving the screen ends a command that still runs */
    stage_command("watch --from-start from:w7", "running; q ends it");
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"team-lead", "w7", 30, "while it runs", "A.", false});
    terminal_wait_text(stage.terminal, "while it runs");
    stage_go("q", "INBOX 10/10");
    stage_quit();
}

Test(lists, what_a_command_changes_is_seen_in_the_list)
{
    stage_open(MAILBOX_ADR, NULL);
    terminal_wait_text(stage.terminal, "Reviewed: parser");
    stage_command("archive MSG-0000000000f1", "done");
    stage_go("q", "INBOX 5/5");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    stage_quit();
}

/* --- new mail keeps the selection --- */

static void urgent_question_arrives(void)
{
    mailbox_put(&stage.mailbox, "project/workspace/mailboxes/user/inbox/MSG-00000000a001.json", 1,
                span_of("{\"id\":\"MSG-00000000a001\",\"from_agent\":\"swarm_dev/aaron\","
                        "\"to_agent\":\"user\",\"type\":\"request\",\"subject\":\"just come\","
                        "\"body\":\"Now?\",\"priority\":4,\"status\":\"unread\","
                        "\"created_at\":\"2026-02-12T13:10:00\"}"));
}

static void message_is_sent(const char *text)
{
    stage_run((const char *const[]){"send", "--to", "swarm_dev/critic", "--subject", text, "--body",
                                    "text", NULL});
}

static void another_message_is_sent(void)
{
    message_is_sent("just come");
}

static void question_is_archived(void)
{
    urgent_question_arrives();
    stage_run((const char *const[]){"archive", "MSG-00000000a001", NULL});
}

static void earlier_answer_arrives(void)
{
    mailbox_put(&stage.mailbox,
                "project/workspace/mailboxes/swarm_dev_architect/inbox/MSG-00000000a002.json", 1,
                span_of("{\"id\":\"MSG-00000000a002\",\"from_agent\":\"swarm_dev/critic\","
                        "\"to_agent\":\"swarm_dev/architect\",\"type\":\"response\","
                        "\"subject\":\"just come\",\"body\":\"A heap.\",\"priority\":2,"
                        "\"status\":\"unread\",\"thread_id\":\"MSG-0000000000a1\","
                        "\"reply_to\":\"MSG-0000000000a1\","
                        "\"created_at\":\"2026-02-12T10:00:00\"}"));
}

Test(lists, what_arrives_moves_the_cursor_in_no_list)
{
    static const struct {
        const char *keys, *seen, *selected, *arrived;
        void (*arrive)(void);
    } all[] = {
        {"1", "INBOX", "The disk of the build", "just come", urgent_question_arrives},
        {"2", "AGENTS", "implementer", "aaron", urgent_question_arrives},
        {"3", "DECIDE", "The disk of the build", "just come", urgent_question_arrives},
        {"4", "just sent", "just sent", "just come", another_message_is_sent},
        {"5", "ARCHIVE", "numbers", "just come", question_is_archived},
        {"6", "FLOW", "user  ", "aaron", urgent_question_arrives},
        {"/ q u e u e Enter Enter ^W", "in the list", "Which names shall", "just come",
         earlier_answer_arrives},
        {"S m a y Enter", "afternoon", "afternoon", "", urgent_question_arrives},
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mailbox_make(&stage.mailbox, MAILBOX_ADR);
        message_is_sent("just sent");
        stage_start(&(struct terminal_options){.rows = 40});
        stage_go(all[i].keys, all[i].seen);
        stage_wait_selected(all[i].selected);
        all[i].arrive();
        terminal_wait_text(stage.terminal, all[i].arrived);
        terminal_wait_idle(stage.terminal);
        stage_wait_selected(all[i].selected);
        stage_quit();
        stage_close();
    }
}
