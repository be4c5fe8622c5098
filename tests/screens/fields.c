/* Single fields of a form: what a key does there, and what it never does. */
#include "stage.h"

#include <signal.h>

static struct stage stage;

static void close_all(void)
{
    stage_close(&stage);
}

TestSuite(fields, .fini = close_all, .timeout = 300);

static void leave(void)
{
    stage_go(&stage, "Alt-x", "(y/n)");
    stage_go(&stage, "y", "INBOX");
    stage_quit(&stage);
}

Test(fields, letters_on_a_choice_or_a_switch_change_nothing_and_say_so)
{
    stage_open(&stage, MAILBOX_ADR, NULL);
    stage_go(&stage, "/ d i s k Enter r", "REPLY to");
    stage_go(&stage, "Up Up Up", "[ ] the message that is answered, below"); /* Quote, Archive */
    terminal_type(stage.terminal, "run the tests"); /* with blanks, too, nothing is half done */
    terminal_wait_text(stage.terminal, "Space or arrows change it");
    terminal_wait_idle(stage.terminal);
    stage_go(&stage, "Alt-x y m", "NEW MESSAGE");
    stage_go(&stage, "Down Down", "[normal]");
    terminal_type(stage.terminal, "urgent");
    terminal_wait_text(stage.terminal, "Space or arrows change it");
    terminal_wait_text(stage.terminal, "[normal]");
    stage_go(&stage, "Right", "[high]");
    stage_go(&stage, "Space", "[urgent]");
    stage_go(&stage, "Left Left", "[normal]");
    leave();
}

Test(fields, tab_shows_who_there_is_before_it_takes_somebody)
{
    stage_open(&stage, MAILBOX_CLAUDE, NULL);
    stage_go(&stage, "m", "missing: To");
    stage_go(&stage, "Tab", "tester-2");
    terminal_wait_idle(stage.terminal);
    terminal_wait_text(stage.terminal, "missing: To");
    terminal_wait_text(stage.terminal, "*To      [ agents, with commas between");
    stage_go(&stage, "Tab", "missing: none");
    stage_go(&stage, "^U", "missing: To");
    stage_go(&stage, "Tab t e s t Tab", "[tester-2");
    leave();
}

Test(fields, who_is_at_home_there_comes_first)
{
    stage_open(&stage, STAGE_USUAL, NULL);
    stage_go(&stage, "m", "missing: To");
    /* tm1 rests, and would come first; somebody of the same team is meant */
    terminal_type(stage.terminal, "builder-1, ");
    terminal_key(stage.terminal, "Tab");
    terminal_wait_idle(stage.terminal);
    terminal_key(stage.terminal, "Tab");
    terminal_wait_text(stage.terminal, "[builder-1, w7");
    leave();
}

Test(fields, what_is_missing_is_read_on_a_small_screen)
{
    stage_open(&stage, MAILBOX_CLAUDE, NULL);
    stage_go(&stage, "m", "missing: To");
    terminal_resize(stage.terminal, 10, 40);
    terminal_wait_row(stage.terminal, 8, "missing: To   nothing to save");
    stage_go(&stage, "x", "not saved yet");
    leave();
}

Test(fields, a_draft_that_is_recalled_says_again_which_files_are_not_there)
{
    stage_open(&stage, MAILBOX_ADR, NULL);
    stage_go(&stage, "m Down Down Down Down", "Files");
    terminal_type(stage.terminal, "nowhere.c");
    terminal_wait_text(stage.terminal, "? no such file] 2[+]");
    terminal_wait_text(stage.terminal, "saved 14:03:00 drafts/");
    terminal_signal(stage.terminal, SIGKILL);
    terminal_free(stage.terminal);
    stage_start(&stage, NULL);
    stage_go(&stage, "R", "nowhere.c ? no such file]");
    terminal_wait_text(stage.terminal, "Files 1; no text yet");
    leave();
}

Test(fields, a_handoff_quotes_what_was_said_and_not_how_programs_write_it)
{
    stage_open(&stage, MAILBOX_CLAUDE, NULL);
    stage_go(&stage, "/ M i g r a t e Enter", "?:help");
    stage_wait_selected(&stage, "builder-1");
    stage_go(&stage, "H", "HANDOFF from builder-1");
    terminal_resize(stage.terminal, 60, 100);
    terminal_wait_text(stage.terminal, "> Plan for approval: Migrate the auth module");
    terminal_wait_text(stage.terminal, "> 2. Run the tests of the module");
    terminal_wait_text(stage.terminal, "> Plan rejected: please narrow scope");
    cr_expect_not(terminal_has(stage.terminal, "plan_approval_request"));
    leave();
}

Test(fields, what_waits_to_be_sent_is_told_without_a_subject_it_does_not_have)
{
    stage_open(&stage, MAILBOX_ROO, NULL);
    stage_go(&stage, "m", "NEW MESSAGE");
    terminal_type(stage.terminal, "code\r");
    terminal_keys(stage.terminal, "Down Down Down Down Down");
    terminal_type(stage.terminal, "and then the tests");
    stage_go(&stage, "^X", "REVIEW");
    stage_go(&stage, "^X", "INBOX");
    stage_go(&stage, "4", "outbox (1)");
    terminal_wait_text(stage.terminal, "(no subject)");
    terminal_wait_idle(stage.terminal);
    stage_go(&stage, "g g", "waits: to code, since");
    stage_quit(&stage);
}
