/* The fields of a form: their names, missing and wrong values, and their layout. */
#include "forms.h"
#include "tests/screens/harness/golden.h"

TestSuite(forms_fields, .fini = stage_close, .timeout = 300);

Test(forms_fields, a_paste_is_text_and_does_nothing)
{
    forms_open(MAILBOX_CLAUDE);
    forms_write_message();
    terminal_paste(stage.terminal, "\n:quit\nQ\x18 two");
    terminal_wait_text(stage.terminal, "Q^X two");
    terminal_wait_row(stage.terminal, 6, ":quit");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "kept as a draft");
    forms_leave();
}

Test(forms_fields, missing_fields_are_named_and_gone_to)
{
    forms_open(MAILBOX_CLAUDE);
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "missing: To");
    terminal_keys(stage.terminal, "Down Down ^X");
    terminal_wait_text(stage.terminal, "still missing: To");
    terminal_type(stage.terminal, "x");
    terminal_wait_text(stage.terminal, "[x");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_fields, only_what_the_layout_can_carry_is_asked_for)
{
    forms_open(MAILBOX_CLAUDE | MAILBOX_ADR);
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "Tags");
    terminal_type(stage.terminal, "builder-1");
    terminal_wait_gone(stage.terminal, "Tags");
    terminal_keys(stage.terminal, "^U");
    terminal_type(stage.terminal, "architect");
    terminal_wait_text(stage.terminal, "Tags");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_fields, files_that_are_not_there_are_told)
{
    forms_open(MAILBOX_ADR);
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "Files");
    terminal_keys(stage.terminal, "Down Down Down Down");
    terminal_type(stage.terminal, "nowhere.c");
    terminal_wait_text(stage.terminal, "? no such file] 2[+]");
    terminal_wait_text(stage.terminal, "warn: Files 1");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_fields, somebody_new_needs_the_word_of_the_person)
{
    forms_open(MAILBOX_CLAUDE);
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "NEW MESSAGE");
    terminal_type(stage.terminal, "newcomer");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_text(stage.terminal, "Create");
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "mailbox with Create");
    terminal_key(stage.terminal, "Space");
    terminal_wait_text(stage.terminal, "[x] a new mailbox");
    terminal_key(stage.terminal, "^P");
    terminal_wait_text(stage.terminal, "there is no such mailbox yet");
    terminal_keys(stage.terminal, "q");
    terminal_wait_text(stage.terminal, "NEW MESSAGE");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_fields, one_field_fills_a_narrow_screen)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    forms_start(&(struct terminal_options){.rows = 10, .cols = 40});
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "1/3");
    cr_assert_not(terminal_has(stage.terminal, "Subject"));
    terminal_key(stage.terminal, "Down");
    terminal_wait_text(stage.terminal, "2/3");
    terminal_wait_text(stage.terminal, "Subject");
    terminal_resize(stage.terminal, 24, 80);
    terminal_wait_text(stage.terminal, "*To");
    terminal_resize(stage.terminal, 1, 1);
    terminal_wait_idle(stage.terminal);
    terminal_resize(stage.terminal, 24, 80);
    terminal_wait_text(stage.terminal, "*To");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_fields, looks_as_it_is_drawn)
{
    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    forms_start(NULL);
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "Tags");
    golden_check(stage.terminal, "form-compose");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}
