/* Forms as a person uses them: text is kept, shown before it is sent, and sent once. */
#include "forms.h"

#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(forms, .fini = stage_close, .timeout = 300);

Test(forms, a_message_is_shown_to_the_byte_and_then_sent)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "REVIEW");
    terminal_wait_text(stage.terminal, "To      builder-1@dev");
    terminal_wait_text(stage.terminal, "\"text\": \"please run them twice\"");
    cr_assert_eq(stage_times_in(FORMS_BUILDER_BOX, "please run them twice"), 0);
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "sent to builder-1, ");
    cr_assert_eq(stage_times_in(FORMS_BUILDER_BOX, "please run them twice"), 1);
    cr_assert(terminal_has(stage.terminal, "INBOX"));
    terminal_type(stage.terminal, "R");
    terminal_wait_text(stage.terminal, "there is no draft to go on with");
    forms_leave();
}

Test(forms, nothing_but_send_sends)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_key(stage.terminal, "^P");
    terminal_wait_text(stage.terminal, "REVIEW");
    terminal_keys(stage.terminal, "Enter Space Enter y");
    terminal_wait_idle(stage.terminal);
    cr_assert_eq(stage_times_in(FORMS_BUILDER_BOX, "please run them twice"), 0);
    terminal_key(stage.terminal, "q");
    terminal_wait_text(stage.terminal, "NEW MESSAGE");
    terminal_keys(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "kept as a draft");
    forms_leave();
    cr_assert_eq(stage_times_in(FORMS_BUILDER_BOX, "please run them twice"), 0);
}

Test(forms, keys_that_come_twice_send_once)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "REVIEW");
    terminal_keys(stage.terminal, "^X ^X ^X ^X");
    terminal_wait_gone(stage.terminal, "NEW MESSAGE");
    terminal_wait_gone(stage.terminal, "REVIEW");
    terminal_wait_idle(stage.terminal);
    forms_leave();
    cr_assert_eq(stage_times_in(FORMS_BUILDER_BOX, "please run them twice"), 1);
}

Test(forms, several_recipients_get_a_message_each)
{
    forms_open(MAILBOX_ADR);
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "Tags");
    terminal_type(stage.terminal, "architect, critic");
    terminal_key(stage.terminal, "Down");
    terminal_type(stage.terminal, "to both");
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "2 messages, one for each recipient");
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "sent to architect, MSG-");
    terminal_wait_text(stage.terminal, "; critic, MSG-");
    forms_leave();
}

Test(forms, what_cannot_be_sent_stays_in_the_form)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "REVIEW");
    tmp_write(&stage.mailbox.tmp, FORMS_BUILDER_BOX, span_of("")); /* a directory replaces it */
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", stage.mailbox.tmp.path, FORMS_BUILDER_BOX);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkdir(path, 0700), 0);
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "not sent: ");
    terminal_wait_text(stage.terminal, "NEW MESSAGE");
    terminal_wait_text(stage.terminal, "please run them twice");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "kept as a draft");
    forms_leave();
}

Test(forms, what_was_left_comes_back)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_key(stage.terminal, "^O");
    terminal_wait_text(stage.terminal, "kept as a draft");
    forms_leave();
    forms_start(NULL);
    terminal_type(stage.terminal, "R");
    terminal_wait_text(stage.terminal, "[builder-1");
    terminal_wait_text(stage.terminal, "[about the tests");
    terminal_wait_text(stage.terminal, "please run them twice");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms, a_kill_loses_nothing_that_was_saved)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_wait_text(stage.terminal, "saved 14:03:00 drafts/");
    terminal_signal(stage.terminal, SIGKILL);
    forms_check_kept();
}

Test(forms, what_cannot_be_saved_is_not_left)
{
    struct str path = {0};
    sqlite3 *state;

    forms_open(MAILBOX_CLAUDE);
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "NEW MESSAGE");
    terminal_type(stage.terminal, "builder-1");
    terminal_wait_text(stage.terminal, "saved 14:03:00 drafts/");
    /* another process holds the lock of the state */
    str_addf(&path, "%s/home/state/swarmutt/state.db", stage.mailbox.tmp.path);
    cr_assert_eq(sqlite3_open(str_c(&path), &state), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(state, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    terminal_type(stage.terminal, ", w7");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "the draft is not saved");
    terminal_wait_text(stage.terminal, "[builder-1, w7");
    cr_assert_eq(sqlite3_exec(state, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(state);
    terminal_wait_idle(stage.terminal);
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "kept as a draft");
    terminal_type(stage.terminal, "R");
    terminal_wait_text(stage.terminal, "[builder-1, w7");
    terminal_key(stage.terminal, "Esc");
    str_free(&path);
    forms_leave();
}

Test(forms, throwing_away_asks_first)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_key(stage.terminal, "Alt-x");
    terminal_wait_text(stage.terminal, "Throw away");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "nothing was done");
    terminal_key(stage.terminal, "Alt-x");
    terminal_wait_text(stage.terminal, "Throw away");
    terminal_key(stage.terminal, "y");
    terminal_wait_text(stage.terminal, "thrown away");
    terminal_type(stage.terminal, "R");
    terminal_wait_text(stage.terminal, "there is no draft to go on with");
    forms_leave();
}

Test(forms, a_draft_is_open_in_one_program_only)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_wait_text(stage.terminal, "saved 14:03:00 drafts/");
    stage.other = mailbox_start(&stage.mailbox, NULL);
    terminal_wait_text(stage.other, "needs you");
    terminal_type(stage.other, "R");
    terminal_wait_text(stage.other, "open");
    cr_assert_not(terminal_has(stage.other, "please run them twice"));
    terminal_type(stage.other, "Q");
    cr_expect_eq(terminal_end(stage.other), 0);
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "kept as a draft");
    forms_leave();
}

Test(forms, one_that_finds_no_room_among_the_screens_is_not_opened)
{
    forms_open(MAILBOX_CLAUDE);
    for (int i = 0; i < 33; i++)
        terminal_type(stage.terminal, "?");
    terminal_wait_text(stage.terminal, "too many screens are open; leave some with q");
    terminal_type(stage.terminal, "m");
    terminal_wait_idle(stage.terminal);
    terminal_type(stage.terminal, "H");
    terminal_wait_idle(stage.terminal);
    cr_expect(!terminal_has(stage.terminal, "NEW MESSAGE") &&
              !terminal_has(stage.terminal, "HANDOFF from"));
    terminal_type(stage.terminal, "1"); /* quits all of them */
    forms_leave();
}
