/* Forms and $EDITOR: the text goes there and back, and nothing is lost. */
#include "forms.h"

#include <signal.h>

TestSuite(forms_editor, .fini = stage_close, .timeout = 300);

Test(forms_editor, the_editor_gets_the_text_and_gives_it_back)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    forms_start(&(struct terminal_options){.env = stage_editor("printf 'as edited\\n' >> \"$1\"")});
    forms_write_message();
    terminal_key(stage.terminal, "^E");
    terminal_wait_text(stage.terminal, "as edited");
    cr_assert(terminal_has(stage.terminal, "please run them twice"));
    terminal_wait_text(stage.terminal, "saved 14:03:00 drafts/");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "kept as a draft");
    forms_leave();
}

Test(forms_editor, an_editor_that_fails_leaves_the_text_as_it_was)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    forms_start(&(struct terminal_options){.env = stage_editor("echo lost > \"$1\"; exit 1")});
    forms_write_message();
    terminal_key(stage.terminal, "^E");
    terminal_wait_text(stage.terminal, "ended with 1");
    cr_assert(terminal_has(stage.terminal, "please run them twice"));
    cr_assert_not(terminal_has(stage.terminal, "lost"));
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_editor, what_was_written_is_on_disk_before_the_editor_starts)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    forms_start(&(struct terminal_options){.env = stage_editor("kill -9 $PPID")});
    forms_write_message();
    terminal_key(stage.terminal, "^E");
    cr_assert_eq(terminal_end(stage.terminal), -SIGKILL);
    forms_check_kept();
}

Test(forms_editor, a_resize_under_the_editor_is_noticed)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    forms_start(&(struct terminal_options){
        .env = stage_editor("echo at-work; read line; echo 'done' >> \"$1\"")});
    forms_write_message();
    terminal_key(stage.terminal, "^E");
    terminal_wait_text(stage.terminal, "at-work");
    terminal_resize(stage.terminal, 30, 100);
    terminal_type(stage.terminal, "\n");
    terminal_wait_text(stage.terminal, "done");
    terminal_wait_row(stage.terminal, 28, "drafts/");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}
