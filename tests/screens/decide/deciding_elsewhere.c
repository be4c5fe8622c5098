/* Requests that somebody answers in the person's name, not from here. */
#include "deciding.h"

TestSuite(deciding_elsewhere, .fini = stage_close, .timeout = 300);

#define NOT_HERE "answered in your name, not from here"

/* Once all that is there has been looked through. */
static void answer(const char *box, const char *from, const char *request)
{
    struct str text = {0};

    if (stage.terminal)
        terminal_wait_idle(stage.terminal);
    str_addf(&text,
             "{\"type\":\"permission_response\",\"request_id\":\"%s\",\"subtype\":\"success\","
             "\"response\":{\"updated_input\":{\"command\":\"ls\"},\"permission_updates\":[]}}",
             request);
    mailbox_tell(&stage.mailbox, &(struct mailbox_said){box, from, 1, NULL, str_c(&text), false});
    str_free(&text);
}

Test(deciding_elsewhere, an_agent_that_approves_itself_is_seen_and_put_away)
{
    deciding_make_team("1s");
    deciding_ask("bob", 3 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 2 * MINUTE, PERMISSION("p-2", "ann", "make"));
    deciding_start("DECIDE 2");
    answer("bob", "team-lead", "p-1");
    terminal_wait_text(stage.terminal, "DECIDE 1  not from here:1");
    terminal_wait_row(stage.terminal, 2, NOT_HERE ": Bash: ls");
    stage_go("g g ]", "The answer that was found");
    terminal_wait_text(stage.terminal, "team-lead said yes in teams/dev/inboxes/bob.json");
    /* nothing can be decided on it */
    stage_go("a o", "it was answered in your name, not from here: d puts it away");
    stage_go("t", "only requests are tagged here");
    stage_go("d", "DECIDE 1");
    terminal_wait_gone(stage.terminal, NOT_HERE);
    stage_quit();
}

Test(deciding_elsewhere, it_is_an_alarm_where_the_config_says_so)
{
    deciding_make_team("1s");
    mailbox_config(&stage.mailbox, "[decide]\nhold = 1s\nanswers-elsewhere = alarm\n");
    deciding_ask("bob", 3 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 2 * MINUTE, PERMISSION("p-2", "ann", "make"));
    deciding_start("DECIDE 2");
    answer("bob", "team-lead", "p-1");
    terminal_wait_text(stage.terminal, "ALARM   " NOT_HERE ": ");
    stage_go("g g [", "ALARM from bob");
    stage_quit();
}

Test(deciding_elsewhere, what_was_answered_before_the_first_use_is_history)
{
    deciding_make_team("1s");
    deciding_ask("bob", 3 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 2 * MINUTE, PERMISSION("p-2", "ann", "make"));
    answer("bob", "team-lead", "p-1");
    deciding_start("DECIDE 1");
    stage_go("] ] [", "that was the first request");
    cr_expect_not(terminal_has(stage.terminal, NOT_HERE));
    /* what comes later is not, though it is as old as the other one by its own word */
    answer("ann", "team-lead", "p-2");
    terminal_wait_text(stage.terminal, NOT_HERE);
    stage_quit();
}
