/* Handoffs on the screen: the conversation and the page show the status of each, which follows only
 * the words of its recipient. */
#include "tests/screens/harness/golden.h"
#include "tests/screens/harness/stage.h"

TestSuite(handoffs, .fini = stage_close, .timeout = 300);

enum { MINUTE = 60 };

static void tell(const char *box, const char *from, int ago_s, const char *summary,
                 const char *text)
{
    mailbox_tell(&stage.mailbox, &(struct mailbox_said){box, from, ago_s, summary, text, true});
}

/* Opens a chain: the lead hands off to builder-1, who hands it on to infra-4, who accepts it. */
static void open_chain(void)
{
    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    tell("builder-1", "team-lead", 180 * MINUTE, "Handoff: lexer",
         "Work handoff from team-lead to builder-1.\n\n**Work Completed:** the words");
    tell("infra-4", "builder-1", 50 * MINUTE, "Handoff: lexer",
         "Work handoff from builder-1 to infra-4.\n\n**Work Completed:** the numbers");
    tell("builder-1", "infra-4", 45 * MINUTE, "Re: Handoff: lexer", "Accepted. After lunch.");
    stage_start(NULL);
    stage_go("/ l e x e r Enter", "?:help");
}

Test(handoffs, the_conversation_and_the_page_say_how_far_it_has_come)
{
    open_chain();
    stage_wait_selected("lexer");
    stage_go("Enter", "[stalled 45m]");
    stage_go("^P", "before: team-lead, builder-1");
    terminal_wait_idle(stage.terminal);
    golden_check(stage.terminal, "handoff-thread-24x80");
    stage_check_drawn();
    stage_quit();
}

Test(handoffs, what_the_taker_says_moves_it_while_it_is_looked_at)
{
    open_chain();
    stage_go("Enter", "[stalled 45m]");
    stage_go("^P", "stalled 45m: accepted 45m ago by infra-4");
    tell("builder-1", "w7", 3 * MINUTE, "Re: Handoff: lexer", "Completed: by somebody else");
    tell("infra-4", "builder-1", 3 * MINUTE, "Re: Handoff: lexer", "Completed: so I say");
    terminal_wait_text(stage.terminal, "msg 1/3");
    cr_expect(terminal_has(stage.terminal, "[stalled 45m]"));
    tell("builder-1", "infra-4", 2 * MINUTE, "Re: Handoff: lexer", "Still at it.");
    terminal_wait_text(stage.terminal, "[in progress]");
    terminal_wait_text(stage.terminal, "in progress for 2m by infra-4");
    tell("builder-1", "infra-4", MINUTE, "Re: Handoff: lexer", "Completed: all of it.");
    terminal_wait_text(stage.terminal, "[completed]");
    terminal_wait_text(stage.terminal, "completed 1m ago by infra-4");
    stage_quit();
}
