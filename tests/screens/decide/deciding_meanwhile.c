/* Deciding by keys: what happens between the key and the sending, and before. */
#include "deciding.h"

Test(deciding, a_request_that_changes_between_two_keys_is_not_granted)
{
    deciding_make_team("1h");
    put_named("ls");
    deciding_start("DECIDE 1");
    stage_go("a", "o:once");
    put_named("rm -rf ~");
    terminal_wait_text(stage.terminal, "rm -rf ~");
    terminal_key(stage.terminal, "o");
    terminal_wait_idle(stage.terminal);
    cr_expect_not(terminal_has(stage.terminal, "HELD"), "it was swapped");
    check_nothing();
    stage_quit();
}

Test(deciding, a_request_that_changes_while_something_is_typed_is_not_decided)
{
    static const struct {
        const char *keys, *prompt, *typed;
    } asked[] = {{"a s", "type grant:", "grant\r"},
                 {"a p", "pattern:", "rm:*\r"},
                 {"a d", "why not:", "no\r"}};

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        deciding_make_team("1h");
        put_named("ls");
        deciding_start("DECIDE 1");
        stage_go(asked[i].keys, asked[i].prompt);
        put_named("rm -rf ~");
        terminal_wait_text(stage.terminal, "Command    rm -rf ~");
        terminal_type(stage.terminal, asked[i].typed);
        terminal_wait_text(stage.terminal,
                           "the request has changed meanwhile; nothing was decided");
        check_nothing();
        stage_quit();
        stage_close();
    }
}

Test(deciding, a_request_id_that_was_shown_with_other_bytes_is_not_granted)
{
    deciding_make_team("1h");
    put_named("ls");
    deciding_start("all of it is shown");
    put_named("ls -l");
    deciding_wait_change("changed since you looked");
    terminal_wait_text(stage.terminal, "REFUSED: its request id was shown with other bytes before");
    golden_check(stage.terminal, "deciding-changed");
    stage_go("a o", "it cannot be granted: its request id was shown with other bytes before");
    terminal_key(stage.terminal, "Enter");
    terminal_wait_gone(stage.terminal, "changed since you looked");
    stage_go("a o", "it cannot be granted: its request id was shown with other bytes before");
    /* nor what was there first: the agent may have read either of them */
    put_named("ls");
    terminal_wait_gone(stage.terminal, "ls -l");
    terminal_wait_idle(stage.terminal);
    terminal_key(stage.terminal, "Enter");
    stage_go("a o", "it cannot be granted: its request id was shown with other bytes before");
    stage_go("a d", "why not: "); /* a no is for either */
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "why not: ");
    check_nothing();
    stage_quit();
}

Test(deciding, a_request_that_changes_while_it_is_held_is_not_granted)
{
    deciding_make_team("3s");
    put_named("ls");
    deciding_start("DECIDE 1");
    stage_go("a o", "held: grant");
    put_named("rm -rf ~");
    terminal_wait_text(stage.terminal, "NOT DECIDED");
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, INBOXES "bob.json"));
    terminal_wait_text(stage.terminal, "DECIDE 1");
    terminal_wait_text(stage.terminal, "rm -rf ~");
    stage_quit();
}

Test(deciding, a_request_that_is_taken_back_while_it_is_held_is_not_granted)
{
    deciding_make_team("3s");
    put_named("ls");
    deciding_start("DECIDE 1");
    stage_go("a o", "held: grant");
    mailbox_put(&stage.mailbox, INBOXES "team-lead.json", 1, span_of("[]"));
    terminal_wait_text(stage.terminal, "NOT DECIDED");
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, INBOXES "bob.json"));
    stage_quit();
}

Test(deciding, a_request_that_is_only_marked_while_it_is_held_is_granted)
{
    deciding_make_team("2s");
    put_named("ls");
    deciding_start("DECIDE 1");
    stage_go("a o", "held: grant");
    put_request("ls", true);
    terminal_wait_text(stage.terminal, SENT);
    stage_quit();
}

Test(deciding, an_answer_of_somebody_else_while_it_is_held_is_the_only_one)
{
    deciding_make_team("3s");
    put_named("ls");
    deciding_start("DECIDE 1");
    stage_go("a o", "held: grant");
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){
                     "bob", "team-lead", 1, NULL,
                     "{\"type\":\"permission_response\",\"request_id\":\"p-1\",\"subtype\":"
                     "\"error\",\"error\":\"no\"}",
                     false});
    terminal_wait_text(stage.terminal, "NOT DECIDED");
    struct str file = inbox_of(INBOXES "bob.json");
    cr_expect_null(strstr(str_c(&file), "success"), "%s", str_c(&file));
    str_free(&file);
    stage_quit();
}

Test(deciding, what_is_held_can_be_taken_back)
{
    deciding_make_team("1h");
    deciding_ask("bob", 2 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_start("DECIDE 1");
    stage_go("a o", "HELD 1");
    wait_dead_time();
    stage_go("a o", "it is decided already, and held");
    stage_go("u", "taken back, nothing was sent");
    terminal_wait_gone(stage.terminal, "HELD");
    check_nothing();
    stage_go("u", "there is nothing to take back");
    stage_quit();
    check_nothing();
}

Test(deciding, what_is_typed_in_the_same_breath_is_not_heard)
{
    deciding_make_team("1h");
    deciding_ask("bob", 2 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 1 * MINUTE, PERMISSION("p-2", "ann", "ls -l"));
    deciding_start("DECIDE 2");
    terminal_type(stage.terminal, "aouao]aoQy");
    terminal_wait_text(stage.terminal, "HELD 1");
    terminal_wait_idle(stage.terminal);
    cr_expect(terminal_has(stage.terminal, "1 of 2"));
    cr_expect(terminal_has(stage.terminal, "HELD 1"));
    check_nothing();
    wait_dead_time();
    stage_go("u", "taken back");
    stage_quit();
}

Test(deciding, leaving_asks_for_what_is_held_and_sends_it)
{
    deciding_make_team("1h");
    deciding_ask("bob", 2 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_start("DECIDE 1");
    stage_go("a o", "HELD 1");
    wait_dead_time();
    stage_go("Q", "1 decision is held: send it now, and leave?");
    stage_go("n", "HELD 1");
    check_nothing();
    stage_go("Q", "1 decision is held: send it now, and leave?");
    terminal_key(stage.terminal, "y");
    cr_assert_eq(terminal_end(stage.terminal), 0);
    check_answer(INBOXES "bob.json", "\\\"subtype\\\":\\\"success\\\"");
}
