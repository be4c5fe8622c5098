/* Prefilled forms: replies, forwards, handoffs and nudges. */
#include "forms.h"

TestSuite(forms_prepared, .fini = stage_close, .timeout = 300);

/* Selects a conversation between two agents. */
static void open_conversation(void)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"w7", "doc-3", 30, "shared words", "hello", false});
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"doc-3", "w7", 20, "Re: shared words", "yes", false});
    forms_start(NULL);
    terminal_wait_text(stage.terminal, "shared words");
    terminal_type(stage.terminal, "/shared words\r");
}

Test(forms_prepared, a_reply_is_prepared_as_the_layout_does_it)
{
    forms_open(MAILBOX_CLAUDE);
    terminal_type(stage.terminal, "/which page\r");
    terminal_type(stage.terminal, "r");
    terminal_wait_text(stage.terminal, "REPLY to doc-3: which page first?");
    terminal_wait_text(stage.terminal, "[Re: which page first?");
    terminal_type(stage.terminal, "install");
    terminal_keys(stage.terminal, "Up Space ^X");
    terminal_wait_text(stage.terminal, "doc-3 wrote on");
    terminal_key(stage.terminal, "^X");
    terminal_wait_text(stage.terminal, "sent to doc-3, ");
    forms_leave();
    cr_assert_eq(stage_times_in("home/.claude/teams/dev/inboxes/doc-3.json", "> I would take"), 1);
}

Test(forms_prepared, a_reply_to_all_leaves_nobody_but_the_person_out)
{
    open_conversation();
    terminal_type(stage.terminal, "ga");
    terminal_wait_text(stage.terminal, "REPLY TO ALL of");
    terminal_wait_text(stage.terminal, "[w7, doc-3");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_prepared, a_forwarded_message_has_its_head_and_all_its_text)
{
    forms_open(MAILBOX_CLAUDE);
    terminal_type(stage.terminal, "/which page\r");
    terminal_type(stage.terminal, "f");
    terminal_wait_text(stage.terminal, "FORWARD of doc-3: which page first?");
    terminal_wait_text(stage.terminal, "[Fwd: which page first?");
    terminal_wait_text(stage.terminal, "> From: doc-3");
    terminal_wait_text(stage.terminal, "> I would take the first.");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_prepared, who_hands_over_is_not_offered_as_who_takes_it)
{
    open_conversation();
    terminal_wait_text(stage.terminal, "?:help");
    terminal_type(stage.terminal, "H");
    terminal_wait_text(stage.terminal, "HANDOFF from w7");
    terminal_wait_idle(stage.terminal);  /* the state of the work has arrived */
    terminal_key(stage.terminal, "Tab"); /* opens the list of agents */
    terminal_wait_text(stage.terminal, " builder-1                        WAITS-YOU");
    terminal_key(stage.terminal, "Tab");
    terminal_wait_text(stage.terminal, "[doc-3"); /* a participant comes before all others */
    cr_expect(!terminal_has(stage.terminal, " w7                               WORKING"));
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, " infra-4 ");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}

Test(forms_prepared, a_template_of_the_config_starts_a_nudge)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    mailbox_config(&stage.mailbox, "[template ask]\nfor = nudge\nsubject = News of {agent}\n"
                                   "body = {agent}, what is in your way?\n");
    forms_start(NULL);
    terminal_type(stage.terminal, ":nudge infra-4\r");
    terminal_wait_text(stage.terminal, "NUDGE infra-4  (STUCK?");
    terminal_wait_text(stage.terminal, "[News of infra-4");
    terminal_wait_text(stage.terminal, "infra-4, what is in your way?");
    terminal_key(stage.terminal, "Esc");
    forms_leave();
}
