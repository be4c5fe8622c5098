/* Steps in every test of forms: opening, writing a message, leaving. */
#include "forms.h"

void forms_start(const struct terminal_options *options)
{
    stage.terminal = mailbox_start(&stage.mailbox, options);
    terminal_wait_text(stage.terminal, "needs you");
    terminal_wait_text(stage.terminal, "since"); /* proves that agents are loaded, too */
    terminal_wait_idle(stage.terminal);          /* and that there are no others */
}

void forms_open(unsigned parts)
{
    mailbox_make(&stage.mailbox, parts);
    forms_start(NULL);
}

void forms_write_message(void)
{
    terminal_type(stage.terminal, "m");
    terminal_wait_text(stage.terminal, "NEW MESSAGE");
    terminal_type(stage.terminal, "buil");
    terminal_key(stage.terminal, "Tab");
    terminal_wait_text(stage.terminal, "[builder-1");
    terminal_keys(stage.terminal, "Enter");
    terminal_type(stage.terminal, "about the tests");
    terminal_keys(stage.terminal, "Enter");
    terminal_type(stage.terminal, "please run them twice");
    terminal_wait_text(stage.terminal, "please run them twice");
}

void forms_leave(void)
{
    terminal_wait_idle(stage.terminal); /* the whole screen is drawn */
    terminal_wait_text(stage.terminal, "needs you");
    stage_quit();
}

void forms_check_kept(void)
{
    terminal_free(stage.terminal);
    forms_start(NULL);
    terminal_type(stage.terminal, "R");
    terminal_wait_text(stage.terminal, "please run them twice");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_text(stage.terminal, "kept as a draft");
    forms_leave();
}
