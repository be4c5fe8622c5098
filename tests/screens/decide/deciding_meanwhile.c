/* Deciding while others write: an approval covers only the request that was on the screen
 * unchanged, nothing moves under the keys, and answers from elsewhere are reported. */
#include "base/time.h"
#include "deciding.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TestSuite(settling, .fini = stage_close, .timeout = 300);
TestSuite(deciding_elsewhere, .fini = stage_close, .timeout = 300);

/* --- between the key and the sending --- */

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
    /* nor the first request: the agent may have read either of them */
    put_named("ls");
    terminal_wait_gone(stage.terminal, "ls -l");
    terminal_wait_idle(stage.terminal);
    terminal_key(stage.terminal, "Enter");
    stage_go("a o", "it cannot be granted: its request id was shown with other bytes before");
    stage_go("a d", "why not: "); /* a refusal is valid for both */
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
    put_answer("bob", "p-1", false);
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

/* --- requests that change, vanish or arrive --- */

/* A request in the lead's inbox. */
struct entry {
    const char *id, *command;
    int ago_s;
};

/* Replaces the lead's inbox with these entries. */
static void put_entries(const struct entry *entries, size_t count)
{
    struct str file = {0};

    str_putc(&file, '[');
    for (size_t i = 0; i < count; i++) {
        str_addf(&file,
                 "%s{\"from\":\"bob\",\"text\":\"{\\\"type\\\":\\\"permission_request\\\","
                 "\\\"request_id\\\":\\\"%s\\\",\\\"agent_id\\\":\\\"bob\\\",\\\"tool_name\\\":"
                 "\\\"Bash\\\",\\\"tool_use_id\\\":\\\"t\\\",\\\"description\\\":\\\"d\\\","
                 "\\\"input\\\":{\\\"command\\\":\\\"%s\\\"},\\\"permission_suggestions\\\":[]}\","
                 "\"timestamp\":\"",
                 i ? "," : "", entries[i].id, entries[i].command);
        time_add_utc(&file, mailbox_when(entries[i].ago_s));
        str_puts(&file, "\",\"read\":false}");
    }
    str_putc(&file, ']');
    mailbox_put(&stage.mailbox, INBOXES "team-lead.json", 1, str_span(&file));
    str_free(&file);
}

#define PUT(...)                                                                                   \
    put_entries((const struct entry[]){__VA_ARGS__},                                               \
                sizeof((const struct entry[]){__VA_ARGS__}) / sizeof(struct entry))

Test(settling, a_yes_does_not_count_before_the_request_could_be_read)
{
    deciding_make_team("1h");
    mailbox_config(&stage.mailbox, "[decide]\nhold = 1h\nsettle = 20s\n");
    PUT({"p-1", "ls", 2 * MINUTE}, {"p-2", "make", MINUTE});
    stage_start(NULL);
    terminal_key(stage.terminal, "3");
    terminal_wait_text(stage.terminal, "end of the request");
    terminal_wait_text(stage.terminal, "settling");
    terminal_type(stage.terminal, "ao");
    terminal_wait_text(stage.terminal, "not counted: it was on the screen for less than 20.0s");
    cr_expect_not(terminal_has(stage.terminal, "HELD"));
    /* refusing and moving work at once */
    terminal_type(stage.terminal, "ad");
    terminal_wait_text(stage.terminal, "why not: ");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "why not: ");
    terminal_type(stage.terminal, "]");
    terminal_wait_text(stage.terminal, "2 of 2");
    check_nothing();
    stage_quit();
}

Test(settling, the_time_starts_again_when_another_screen_was_there)
{
    deciding_make_team("1h");
    mailbox_config(&stage.mailbox, "[decide]\nhold = 1h\nsettle = 3s\n");
    PUT({"p-1", "ls", MINUTE});
    deciding_start("DECIDE 1");
    terminal_key(stage.terminal, "1");
    terminal_wait_text(stage.terminal, "INBOX");
    terminal_key(stage.terminal, "3");
    terminal_wait_text(stage.terminal, "settling");
    terminal_type(stage.terminal, "ao");
    terminal_wait_text(stage.terminal, "not counted: ");
    check_nothing();
    stage_quit();
}

Test(settling, a_request_that_is_withdrawn_stays_in_place_as_gone)
{
    deciding_make_team("1s");
    PUT({"p-1", "ls", 3 * MINUTE}, {"p-2", "rm -rf ~", 2 * MINUTE}, {"p-3", "make", MINUTE});
    deciding_start("DECIDE 3");
    PUT({"p-2", "rm -rf ~", 2 * MINUTE}, {"p-3", "make", MINUTE});
    deciding_wait_change("GONE: its message is not in the mailbox any more");
    terminal_wait_text(stage.terminal, "DECIDE 2");
    cr_expect(terminal_has(stage.terminal, "Command    ls"));
    golden_check(stage.terminal, "deciding-gone");
    stage_go("a o", "it is gone: nothing was decided; ] goes on");
    stage_go("]", "Command    rm -rf ~");
    stage_go("]", "Command    make");
    terminal_wait_text(stage.terminal, "2 of 2");
    cr_expect_not(terminal_has(stage.terminal, "GONE"));
    stage_go("a o", "held: grant Bash: make");
    terminal_wait_text(stage.terminal, SENT);
    check_answer(INBOXES "bob.json", "\\\"command\\\":\\\"make\\\"");
    cr_expect_eq(stage_times_in(INBOXES "bob.json", "success"), 1);
    stage_quit();
}

Test(settling, the_last_request_that_is_withdrawn_goes_when_the_person_moves_on)
{
    deciding_make_team("1s");
    PUT({"p-1", "ls", MINUTE});
    deciding_start("DECIDE 1");
    PUT({"p-1", "ls", MINUTE}); /* the same bytes are no change */
    terminal_wait_idle(stage.terminal);
    cr_expect_not(terminal_has(stage.terminal, "changed since you looked"));
    put_entries(NULL, 0);
    deciding_wait_change("GONE: ");
    stage_go("Enter", "nothing waits for you");
    stage_quit();
}

Test(settling, a_forged_answer_does_not_move_the_page)
{
    deciding_make_team("1s");
    PUT({"p-1", "ls", 2 * MINUTE}, {"p-2", "rm -rf ~", MINUTE});
    deciding_start("DECIDE 2");
    put_answer("bob", "p-1", true);
    /* it vanishes for a moment, until the author of the answer is known */
    deciding_wait_change("changed since you looked");
    stage_wait_selected("answered in your name, not from here: Bash: ls");
    terminal_wait_idle(stage.terminal);
    cr_expect(terminal_has(stage.terminal, "Command    ls"));
    stage_go("a o", "it was answered in your name, not from here");
    stage_quit();
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, LEDGER));
}

Test(settling, a_change_is_acknowledged_by_moving_and_never_by_deciding)
{
    deciding_make_team("1s");
    PUT({"p-1", "ls", MINUTE});
    deciding_start("DECIDE 1");
    put_entries(NULL, 0);
    deciding_wait_change("GONE: ");
    PUT({"p-1", "ls", MINUTE});
    deciding_wait_change("changed since you looked");
    stage_go("a o", "changed since you looked, and not counted");
    stage_go("a o", "changed since you looked, and not counted");
    terminal_key(stage.terminal, "j");
    terminal_wait_gone(stage.terminal, "changed since you looked");
    check_nothing();
    stage_go("a o", "held: grant");
    terminal_wait_text(stage.terminal, SENT);
    stage_quit();
}

Test(settling, a_request_that_arrives_does_not_take_the_place_of_what_is_read)
{
    deciding_make_team("1h");
    PUT({"p-1", "ls", 2 * MINUTE});
    deciding_start("DECIDE 1");
    /* it has waited longer: it is above the other one, and no key was pressed */
    PUT({"p-1", "ls", 2 * MINUTE}, {"p-2", "rm -rf ~", 90 * MINUTE});
    terminal_wait_text(stage.terminal, "DECIDE 2");
    terminal_wait_text(stage.terminal, "2 of 2");
    stage_wait_selected("Bash: ls");
    cr_expect(terminal_has(stage.terminal, "Command    ls"));
    stage_go("a o", "held: grant Bash: ls of bob");
    wait_dead_time();
    stage_go("u", "taken back");
    stage_quit();
}

Test(settling, an_urgent_adr_request_does_not_take_the_place_of_what_is_read)
{
    static const char asks[] =
        "{\"id\":\"MSG-00000000a001\",\"from_agent\":\"swarm_dev/critic\",\"to_agent\":\"user\","
        "\"type\":\"request\",\"subject\":\"May I drop the database?\",\"body\":\"Now?\","
        "\"priority\":4,\"status\":\"unread\",\"requires_response\":true,"
        "\"created_at\":\"2026-02-12T13:40:00\"}";

    mailbox_make(&stage.mailbox, MAILBOX_ADR);
    stage_start(NULL);
    stage_go("3", "The disk of the build is full");
    stage_wait_selected("The disk of the build is full");
    mailbox_put(&stage.mailbox, "project/workspace/mailboxes/user/inbox/MSG-00000000a001.json", 1,
                span_of(asks));
    terminal_wait_row(stage.terminal, 1, "May I drop the database?");
    terminal_wait_idle(stage.terminal);
    stage_wait_selected("The disk of the build is full");
    cr_expect(terminal_has(stage.terminal, "Nothing can be built"));
    stage_quit();
}

/* --- answers in the person's name from elsewhere --- */

#define NOT_HERE "answered in your name, not from here"

Test(deciding_elsewhere, an_agent_that_approves_itself_is_seen_and_put_away)
{
    deciding_make_team("1s");
    deciding_ask("bob", 3 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 2 * MINUTE, PERMISSION("p-2", "ann", "make"));
    deciding_start("DECIDE 2");
    terminal_wait_idle(stage.terminal);
    put_answer("bob", "p-1", true);
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
    terminal_wait_idle(stage.terminal);
    put_answer("bob", "p-1", true);
    terminal_wait_text(stage.terminal, "ALARM   " NOT_HERE ": ");
    stage_go("g g [", "ALARM from bob");
    stage_quit();
}

Test(deciding_elsewhere, what_was_answered_before_the_first_use_is_history)
{
    deciding_make_team("1s");
    deciding_ask("bob", 3 * MINUTE, PERMISSION("p-1", "bob", "ls"));
    deciding_ask("ann", 2 * MINUTE, PERMISSION("p-2", "ann", "make"));
    put_answer("bob", "p-1", true);
    deciding_start("DECIDE 1");
    stage_go("] ] [", "that was the first request");
    cr_expect_not(terminal_has(stage.terminal, NOT_HERE));
    /* a later request is not, though it claims the same age as the other one */
    terminal_wait_idle(stage.terminal);
    put_answer("ann", "p-2", true);
    terminal_wait_text(stage.terminal, NOT_HERE);
    stage_quit();
}

/* --- many rounds --- */

/* An attack by an agent right before the person approves. */
enum attack {
    NO_ATTACK,
    SWAP,      /* replaces the request by another one with the same id */
    SWAP_NAME, /* like SWAP, in an entry with an id of its own */
    WITHDRAW,  /* removes it; another one is below it */
    ARRIVE,    /* adds another one above it */
    FORGE,     /* forges an answer to it; another one is below it */
    STOPPED,   /* swaps while the program is stopped; the keys are typed meanwhile */
    ATTACKS
};

struct round {
    char id[32], other[32], harmless[32], evil[32];
    enum attack attack;
    int delay_ms;
};

static void attack(const struct round *it)
{
    switch (it->attack) {
    case STOPPED:
        terminal_signal(stage.terminal, SIGSTOP);
        terminal_wait_stopped(stage.terminal);
        PUT({it->id, it->evil, 5 * MINUTE});
        break;
    case SWAP:
        PUT({it->id, it->evil, 5 * MINUTE});
        break;
    case SWAP_NAME:
        put_request(it->evil, false);
        break;
    case WITHDRAW:
        PUT({it->other, it->evil, 4 * MINUTE});
        break;
    case ARRIVE:
        PUT({it->id, it->harmless, 5 * MINUTE}, {it->other, it->evil, 99 * MINUTE});
        break;
    case FORGE:
        put_answer("bob", it->id, true);
        break;
    case NO_ATTACK:
    case ATTACKS:
        break;
    }
}

static bool is_decided(struct terminal *terminal, void *context)
{
    (void)context;
    return !terminal_has(terminal, "HELD") && !terminal_has(terminal, "held: ");
}

static void play(const struct round *it)
{
    if (it->attack == WITHDRAW || it->attack == FORGE)
        PUT({it->id, it->harmless, 5 * MINUTE}, {it->other, it->evil, 4 * MINUTE});
    else if (it->attack == SWAP_NAME)
        put_request(it->harmless, false);
    else
        PUT({it->id, it->harmless, 5 * MINUTE});
    deciding_start("DECIDE");
    terminal_wait_text(stage.terminal, it->harmless);
    terminal_wait_gone(stage.terminal, "settling");
    attack(it);
    usleep((useconds_t)it->delay_ms * 1000); /* the timing of the attack */
    terminal_type(stage.terminal, "ao");
    if (it->attack == STOPPED)
        terminal_continue(stage.terminal);
    terminal_wait_idle(stage.terminal);
    terminal_wait_for(stage.terminal, "ceases to hold a decision", is_decided, NULL);
    struct str answers = inbox_of(INBOXES "bob.json");
    cr_expect_null(strstr(str_c(&answers), it->evil), "attack %d after %d ms was approved",
                   it->attack, it->delay_ms);
    if (it->attack == NO_ATTACK && !strstr(str_c(&answers), it->harmless))
        terminal_fail(stage.terminal, "the control was not approved");
    str_free(&answers);
    terminal_signal(stage.terminal, SIGTERM);
    terminal_end(stage.terminal);
}

static unsigned rounds_wanted(void)
{
    const char *rounds = getenv("SWARMUTT_DECIDE_ROUNDS");

    return rounds ? (unsigned)strtoul(rounds, NULL, 10) : 30;
}

Test(settling, what_was_not_shown_for_the_settle_time_is_never_approved, .timeout = 3600)
{
    for (unsigned i = 0; i < rounds_wanted(); i++) {
        struct round it = {.attack = (enum attack)(i % ATTACKS),
                           .delay_ms = (int)(i * 37 % 501)}; /* 0 to 500, spread over attacks */
        snprintf(it.id, sizeof it.id, it.attack == SWAP_NAME ? "p-1" : "p-%u", i);
        snprintf(it.other, sizeof it.other, "q-%u", i);
        snprintf(it.harmless, sizeof it.harmless, "echo harmless %u", i);
        snprintf(it.evil, sizeof it.evil, "echo evil %u", i);
        deciding_make_team("1s");
        mailbox_config(&stage.mailbox, "[decide]\nhold = 1s\nsettle = 1s\n");
        play(&it);
        stage_close();
    }
}
