/* Lists: whose mail they show, the preview beside and below them, and commands whose words come on
 * a screen of their own. */
#include "stage.h"

static struct stage stage;

static void close_all(void)
{
    stage_close(&stage);
}

TestSuite(lists, .fini = close_all, .timeout = 300);

Test(lists, everybodys_mail_or_ones_own)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"w7", "doc-3", 60, "between agents", "A text.", false});
    stage_start(&stage, NULL);
    terminal_wait_text(stage.terminal, "between agents");
    stage_go(&stage, "/ w h i c h Enter", "?:help");
    stage_go(&stage, "o", "tagged:0  mine");
    terminal_wait_gone(stage.terminal, "between agents");
    stage_wait_selected(&stage, "which page first?");
    stage_go(&stage, "o", "tagged:0  all");
    terminal_wait_text(stage.terminal, "between agents");
    stage_wait_selected(&stage, "which page first?");
    stage_command(&stage, "scope mine", "tagged:0  mine");
    stage_command(&stage, "scope nonsense", "the scope is mine, all or snoozed");
    stage_quit(&stage);
}

Test(lists, the_preview_is_shown_hidden_and_gone_to)
{
    stage_open(&stage, MAILBOX_CLAUDE | MAILBOX_LONG, NULL);
    stage_go(&stage, "/ l o n g Enter", "?:help");
    stage_wait_selected(&stage, "a long report");
    stage_go(&stage, "^W", "there is no other pane; p shows a preview");
    stage_go(&stage, "p", "Line 1 of the report");
    stage_go(&stage, "^W", "in the preview (^W)");
    stage_go(&stage, "G", "Line 60 of the report");
    stage_wait_selected(&stage, "a long report"); /* keys do not move there */
    stage_go(&stage, "g g", "Line 1 of the report");
    terminal_key(stage.terminal, "^W");
    terminal_wait_gone(stage.terminal, "in the preview");
    terminal_key(stage.terminal, "k");
    terminal_wait_gone(stage.terminal, "Line 1 of the report"); /* it goes along */
    terminal_key(stage.terminal, "j");
    terminal_wait_text(stage.terminal, "Line 1 of the report");
    stage_go(&stage, "v", "\"from\": \"w7\"");
    stage_go(&stage, "v", "From w7");
    terminal_key(stage.terminal, "p");
    terminal_wait_gone(stage.terminal, "From w7");
    /* beside the list it is there by itself */
    terminal_resize(stage.terminal, 30, 120);
    terminal_wait_idle(stage.terminal);
    cr_expect_not(terminal_has(stage.terminal, "From w7"));
    stage_go(&stage, "p", "From w7");
    stage_quit(&stage);
}

Test(lists, the_other_pane_of_a_conversation_is_its_messages)
{
    stage_open(&stage, MAILBOX_ADR, NULL);
    stage_go(&stage, "/ q u e u e Enter Enter", "Times sort well");
    stage_go(&stage, "^W", "in the list (^W)");
    stage_go(&stage, "k", "Files. One a message");
    stage_wait_selected(&stage, "Re: How shall the queue");
    stage_go(&stage, "g g", "Files, or a database?");
    terminal_key(stage.terminal, "^W");
    terminal_wait_gone(stage.terminal, "in the list");
    stage_go(&stage, "j", "Files, or a database?");
    stage_quit(&stage);
}

Test(lists, a_command_says_its_words_on_a_screen_of_its_own)
{
    stage_open(&stage, MAILBOX_CLAUDE, NULL);
    stage_command(&stage, "sources", ":sources  100%  done");
    terminal_wait_text(stage.terminal, "12 messages, 7 unread, 0 archived");
    stage_go(&stage, "q", "INBOX 9/9");
    /* with options, and a name that is completed */
    stage_go(&stage, ": p e n d Tab", ":pending");
    terminal_type(stage.terminal, " --all\r");
    terminal_wait_text(stage.terminal, ":pending --all  100%  done");
    terminal_wait_text(stage.terminal, "docs.example.org");
    stage_go(&stage, "q", "INBOX 9/9");
    /* how it failed */
    stage_command(&stage, "show nonesuch", "no message has the id \"nonesuch\"");
    terminal_wait_text(stage.terminal, "nothing found");
    stage_go(&stage, "q", "INBOX 9/9");
    stage_command(&stage, "messages --nonsense", "misused");
    stage_go(&stage, "q", "INBOX 9/9");
    /* one that goes on is ended with its screen */
    stage_command(&stage, "watch --from-start from:w7", "running; q ends it");
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"team-lead", "w7", 30, "while it runs", "A.", false});
    terminal_wait_text(stage.terminal, "while it runs");
    stage_go(&stage, "q", "INBOX 10/10");
    stage_quit(&stage);
}

Test(lists, what_a_command_changes_is_seen_in_the_list)
{
    stage_open(&stage, MAILBOX_ADR, NULL);
    terminal_wait_text(stage.terminal, "Reviewed: parser");
    stage_command(&stage, "archive MSG-0000000000f1", "done");
    stage_go(&stage, "q", "INBOX 5/5");
    terminal_wait_gone(stage.terminal, "Reviewed: parser");
    stage_quit(&stage);
}
