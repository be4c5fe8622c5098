/* Deciding by keys: several at once. */
#include "deciding.h"

static bool has_sent_two(struct terminal *terminal, void *context)
{
    static const char verified[] = "\"event\":\"verified\"";
    struct str ledger = inbox_of(LEDGER);
    const char *first = strstr(str_c(&ledger), verified);
    bool both = first && strstr(first + 1, verified);

    (void)terminal;
    (void)context;
    str_free(&ledger);
    return both;
}

Test(deciding, several_are_decided_after_their_list_was_read)
{
    deciding_make_team("1s");
    deciding_ask("bob", 3 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 2 * MINUTE, PERMISSION("p-2", "ann", "ls -l"));
    deciding_ask("bob", 1 * MINUTE, PERMISSION("p-3", "bob", "ls\\u202e"));
    deciding_start("DECIDE 3");
    stage_go("t t t", "tagged:3");
    stage_go("a s", "that is for one request at a time");
    stage_go("a p", "that is for one request at a time");
    stage_go("a m", "that is for one request at a time");
    stage_go("a o", "3 REQUESTS: nothing is decided yet");
    terminal_wait_text(stage.terminal, "1 of 3: ");
    golden_check(stage.terminal, "deciding-batch");
    stage_go("a d", "this list is for grant");
    stage_go("a o", "read the list to its end first");
    check_nothing();
    stage_go("G", "LEFT OUT");
    terminal_wait_idle(stage.terminal);
    stage_go("a o", "2 decisions are held");
    terminal_wait_text(stage.terminal, "DECIDE 1");
    terminal_wait(stage.terminal, "has sent both", has_sent_two, NULL);
    terminal_wait_idle(stage.terminal);
    check_answer(INBOXES "bob.json", "\\\"request_id\\\":\\\"p-1\\\",\\\"subtype\\\":\\\"success");
    check_answer(INBOXES "ann.json", "\\\"request_id\\\":\\\"p-2\\\",\\\"subtype\\\":\\\"success");
    struct str file = inbox_of(INBOXES "bob.json");
    cr_expect_null(strstr(str_c(&file), "p-3"), "%s", str_c(&file));
    str_free(&file);
    stage_quit();
}

/* Goes to the list of what is tagged, and to its end. */
static void read_list(const char *keys)
{
    stage_go("t t", "tagged:2");
    stage_go(keys, "2 REQUESTS: nothing is decided yet");
    stage_go("G", "2 of 2: ");
    terminal_wait_idle(stage.terminal);
    stage_go(keys, "why not, to all of them:");
}

Test(deciding, several_plans_are_rejected_for_one_reason_that_has_to_be_given)
{
    deciding_make_team("1s");
    deciding_ask("bob", 3 * MINUTE, PLAN("r-1", "all of it"));
    deciding_ask("ann", 2 * MINUTE, PLAN_OF("r-2", "ann", "half of it"));
    deciding_start("DECIDE 2");
    read_list("a r");
    stage_go("Enter", "say why: the agents are to know what to change");
    check_nothing();
    terminal_type(stage.terminal, "too long\r");
    terminal_wait(stage.terminal, "has sent both", has_sent_two, NULL);
    terminal_wait_idle(stage.terminal);
    check_answer(INBOXES "bob.json", "\\\"approved\\\":false,\\\"feedback\\\":\\\"too long\\\"");
    check_answer(INBOXES "ann.json", "\\\"approved\\\":false,\\\"feedback\\\":\\\"too long\\\"");
    stage_quit();
}

Test(deciding, several_permissions_are_denied_without_a_word)
{
    deciding_make_team("1s");
    deciding_ask("bob", 3 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 2 * MINUTE, PERMISSION("p-2", "ann", "ls -l"));
    deciding_start("DECIDE 2");
    read_list("a d");
    stage_go("Enter", "2 decisions are held");
    terminal_wait(stage.terminal, "has sent both", has_sent_two, NULL);
    terminal_wait_idle(stage.terminal);
    check_answer(INBOXES "bob.json", "\\\"request_id\\\":\\\"p-1\\\",\\\"subtype\\\":\\\"error");
    check_answer(INBOXES "ann.json", "\\\"request_id\\\":\\\"p-2\\\",\\\"subtype\\\":\\\"error");
    stage_quit();
}
