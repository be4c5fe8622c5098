/* Deciding while others write: a yes is for what was on the screen unchanged, and nothing slides
 * under the keys. */
#include "base/time.h"
#include "deciding.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TestSuite(settling, .fini = stage_close, .timeout = 300);

/* A request in the lead's inbox. */
struct entry {
    const char *id, *command;
    int ago_s;
};

/* The lead's inbox holds these and nothing else. */
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

static void forge_answer(const char *id)
{
    char text[256];

    snprintf(text, sizeof text,
             "{\"type\":\"permission_response\",\"request_id\":\"%s\",\"subtype\":\"success\"}",
             id);
    mailbox_tell(&stage.mailbox, &(struct mailbox_said){"bob", "team-lead", 1, NULL, text, true});
}

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
    /* a no, and moving, work at once */
    terminal_type(stage.terminal, "ad");
    terminal_wait_text(stage.terminal, "why not: ");
    terminal_key(stage.terminal, "Esc");
    terminal_wait_gone(stage.terminal, "why not: ");
    terminal_type(stage.terminal, "]");
    terminal_wait_text(stage.terminal, "2 of 2");
    check_nothing();
    stage_quit();
}

Test(settling, a_yes_counts_when_the_time_is_over)
{
    deciding_make_team("1s");
    PUT({"p-1", "ls", MINUTE});
    deciding_start("DECIDE 1");
    stage_go("a o", "held: grant");
    terminal_wait_text(stage.terminal, SENT);
    check_answer(INBOXES "bob.json", "\\\"command\\\":\\\"ls\\\"");
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
    forge_answer("p-1");
    /* it is gone for a moment, until it is known who has answered */
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
    /* it waits longer: it is above the other one, and no key was pressed */
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

/* --- many rounds --- */

/* What an agent does right before the person says yes. */
enum attack {
    NO_ATTACK,
    SWAP,      /* the request becomes another one with the same id */
    SWAP_NAME, /* the same, in an entry with an id of its own */
    WITHDRAW,  /* it goes, another one is below it */
    ARRIVE,    /* another one comes above it */
    FORGE,     /* an answer to it appears, another one is below it */
    STOPPED,   /* swapped while the program is stopped; the keys are typed meanwhile */
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
        forge_answer(it->id);
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
    usleep((useconds_t)it->delay_ms * 1000); /* the attack's own timing */
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
