/* Single fields of a form: the effect of keys there, and what no key does. */
#include "tests/screens/harness/stage.h"

#include <signal.h>

TestSuite(fields, .fini = stage_close, .timeout = 300);

static void leave(void)
{
    stage_go("Alt-x", "(y/n)");
    stage_go("y", "INBOX");
    stage_quit();
}

Test(fields, letters_on_a_choice_or_a_switch_change_nothing_and_say_so)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ d i s k Enter r", "REPLY to");
    stage_go("Up Up Up", "[ ] the message that is answered, below"); /* Quote, Archive */
    terminal_type(stage.terminal, "run the tests"); /* with blanks, too, nothing is completed */
    terminal_wait_text(stage.terminal, "Space or arrows change it");
    terminal_wait_idle(stage.terminal);
    stage_go("Alt-x y m", "NEW MESSAGE");
    stage_go("Down Down", "[normal]");
    terminal_type(stage.terminal, "urgent");
    terminal_wait_text(stage.terminal, "Space or arrows change it");
    terminal_wait_text(stage.terminal, "[normal]");
    stage_go("Right", "[high]");
    stage_go("Space", "[urgent]");
    stage_go("Left Left", "[normal]");
    leave();
}

Test(fields, tab_shows_who_there_is_before_it_takes_somebody)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("m", "missing: To");
    stage_go("Tab", "tester-2");
    terminal_wait_idle(stage.terminal);
    terminal_wait_text(stage.terminal, "missing: To");
    terminal_wait_text(stage.terminal, "*To      [ agents, with commas between");
    stage_go("Tab", "missing: none");
    stage_go("^U", "missing: To");
    stage_go("Tab t e s t Tab", "[tester-2");
    leave();
}

Test(fields, who_is_at_home_there_comes_first)
{
    stage_open(STAGE_USUAL, NULL);
    stage_go("m", "missing: To");
    /* tm1 is idle, and would come first; but a member of the same team is more likely */
    terminal_type(stage.terminal, "builder-1, ");
    terminal_key(stage.terminal, "Tab");
    terminal_wait_idle(stage.terminal);
    terminal_key(stage.terminal, "Tab");
    terminal_wait_text(stage.terminal, "[builder-1, w7");
    leave();
}

Test(fields, what_is_missing_is_read_on_a_small_screen)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("m", "missing: To");
    terminal_resize(stage.terminal, 10, 40);
    terminal_wait_row(stage.terminal, 8, "missing: To   nothing to save");
    stage_go("x", "not saved yet");
    leave();
}

Test(fields, a_draft_that_is_recalled_says_again_which_files_are_not_there)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("m Down Down Down Down", "Files");
    terminal_type(stage.terminal, "nowhere.c");
    terminal_wait_text(stage.terminal, "? no such file] 2[+]");
    terminal_wait_text(stage.terminal, "saved 14:03:00 drafts/");
    terminal_signal(stage.terminal, SIGKILL);
    terminal_free(stage.terminal);
    stage_start(NULL);
    stage_go("R", "nowhere.c ? no such file]");
    terminal_wait_text(stage.terminal, "Files 1; no text yet");
    leave();
}

Test(fields, a_handoff_quotes_what_was_said_and_not_how_programs_write_it)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    stage_go("/ M i g r a t e Enter", "?:help");
    stage_wait_selected("builder-1");
    stage_go("H", "HANDOFF from builder-1");
    terminal_resize(stage.terminal, 60, 100);
    terminal_wait_text(stage.terminal, "> Plan for approval: Migrate the auth module");
    terminal_wait_text(stage.terminal, "> 2. Run the tests of the module");
    terminal_wait_text(stage.terminal, "> Plan rejected: please narrow scope");
    cr_expect_not(terminal_has(stage.terminal, "plan_approval_request"));
    leave();
}

Test(fields, what_waits_to_be_sent_is_told_without_a_subject_it_does_not_have)
{
    stage_open(MAILBOX_ROO, NULL);
    stage_go("m", "NEW MESSAGE");
    terminal_type(stage.terminal, "code\r");
    terminal_keys(stage.terminal, "Down Down Down Down Down");
    terminal_type(stage.terminal, "and then the tests");
    stage_go("^X", "REVIEW");
    stage_go("^X", "INBOX");
    stage_go("4", "outbox (1)");
    terminal_wait_text(stage.terminal, "(no subject)");
    terminal_wait_idle(stage.terminal);
    stage_go("g g", "waits: to code, since");
    stage_quit();
}
