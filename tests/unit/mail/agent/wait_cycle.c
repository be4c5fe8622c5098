/* Tests circles: agents that wait for each other. */
#include "agent_support.h"

#define ASK(from_, to_)                                                                            \
    {                                                                                              \
        60, from_, to_, "?", KIND_QUESTION, STATUS_READ, true                                      \
    }

/* Compares the sentences of the agents in circles, "NAME: WHY", in the order of their names. */
static void assert_circles(const struct said *said, size_t circles, const char *want)
{
    struct telling telling;
    struct str got = {0};

    tell(&telling, &(struct story){.said = said});
    for (size_t i = 0; i < telling.agents.count; i++) {
        const struct agent *agent = &telling.agents.items[i];
        if (agent->circle == AGENT_NONE)
            continue;
        cr_assert_eq(agent->state, AGENT_STUCK);
        cr_assert_lt(agent->circle, telling.agents.circle_count);
        str_addf(&got, "%.*s: %.*s\n", (int)agent->name.len, agent->name.at, (int)agent->why.len,
                 agent->why.at);
    }
    cr_assert_str_eq(str_c(&got), want, "expected\n%s\ngot\n%s", want, str_c(&got));
    cr_assert_eq(telling.agents.circle_count, circles);
    str_free(&got);
    tell_no_more(&telling);
}

Test(agent_circle, two_that_wait_for_each_other_are_one)
{
    const struct said said[] = {ASK("a", "b"), ASK("b", "a"), {0}};

    assert_circles(said, 1,
                   "a: waits in a circle: a -> b -> a\n"
                   "b: waits in a circle: a -> b -> a\n");
}

Test(agent_circle, three_are_told_in_the_order_of_waiting)
{
    const struct said said[] = {ASK("c", "a"), ASK("a", "b"), ASK("b", "c"), ASK("d", "a"), {0}};

    assert_circles(said, 1,
                   "a: waits in a circle: a -> b -> c -> a\n"
                   "b: waits in a circle: a -> b -> c -> a\n"
                   "c: waits in a circle: a -> b -> c -> a\n");
}

Test(agent_circle, one_that_waits_for_itself_is_one)
{
    const struct said said[] = {ASK("a", "a"), ASK("b", "a"), {0}};

    assert_circles(said, 1, "a: waits in a circle: a -> a\n");
}

Test(agent_circle, a_chain_is_none)
{
    const struct said said[] = {ASK("a", "b"), ASK("b", "c"), ASK("a", "c"), {0}};

    assert_circles(said, 0, "");
}

Test(agent_circle, two_that_share_an_agent_are_told_once)
{
    const struct said said[] = {ASK("a", "b"), ASK("b", "a"), ASK("b", "c"), ASK("c", "b"), {0}};

    assert_circles(said, 1,
                   "a: waits in a circle: a -> b -> a\n"
                   "b: waits in a circle: a -> b -> a\n"
                   "c: waits on a circle: a -> b -> a\n");
}

Test(agent_circle, two_apart_are_two)
{
    const struct said said[] = {ASK("a", "b"), ASK("b", "a"), ASK("b", "c"),
                                ASK("c", "d"), ASK("d", "c"), {0}};

    assert_circles(said, 2,
                   "a: waits in a circle: a -> b -> a\n"
                   "b: waits in a circle: a -> b -> a\n"
                   "c: waits in a circle: c -> d -> c\n"
                   "d: waits in a circle: c -> d -> c\n");
}

Test(agent_circle, what_shows_it_is_an_ask_of_the_circle_and_not_an_older_one)
{
    const struct said said[] = {{600, "a", "x", "older", KIND_QUESTION, STATUS_READ, true},
                                {60, "a", "b", "of the circle", KIND_QUESTION, STATUS_READ, true},
                                {30, "b", "a", "back", KIND_QUESTION, STATUS_READ, true},
                                {300, "c", "x", "older", KIND_QUESTION, STATUS_READ, true},
                                {20, "c", "a", "beside it", KIND_QUESTION, STATUS_READ, true},
                                {10, "b", "c", "to it", KIND_QUESTION, STATUS_READ, true},
                                {0}};
    static const char *const shown[] = {"of the circle", "back", "beside it"};
    static const char *const waits_on[] = {"b", "a", "a"};
    struct telling telling;
    size_t found = 0;

    tell(&telling, &(struct story){.said = said});
    for (size_t i = 0; i < telling.agents.count; i++) {
        const struct agent *agent = &telling.agents.items[i];
        if (agent->circle == AGENT_NONE)
            continue;
        size_t which = (size_t)(agent->name.at[0] - 'a');
        cr_assert_lt(which, COUNT_OF(shown));
        const struct message *message = telling.model.messages[agent->evidence];
        assert_span(message->subject, shown[which]);
        assert_span(agent->waits_on, waits_on[which]);
        cr_assert_eq(agent->since_us, message->created_us);
        cr_assert_eq(agent->waits_us, message->created_us);
        found++;
    }
    cr_assert_eq(found, COUNT_OF(shown));
    tell_no_more(&telling);
}

Test(agent_circle, an_answer_breaks_it)
{
    const struct said said[] = {{60, "a", "b", "?", KIND_QUESTION, STATUS_READ, true, .id = "q"},
                                ASK("b", "a"),
                                {30, "b", "a", "!", .reply_to = "q"},
                                {0}};

    assert_circles(said, 0, "");
}

Test(agent_circle, the_person_is_never_part_of_one)
{
    const struct said said[] = {ASK("a", "you"), ASK("you", "a"), {0}};

    assert_circles(said, 0, "");
}

enum { LONG = 10000 };

/* Makes a chain of agents n0 to n9999, each waiting for the next one, and the last for `last`. */
static void tell_chain(struct telling *telling, const char *last)
{
    char from[16], to[16];

    *telling = (struct telling){0};
    for (size_t i = 0; i < LONG; i++) {
        snprintf(from, sizeof from, "n%zu", i);
        snprintf(to, sizeof to, "n%zu", i + 1);
        struct said said = ASK(from, i + 1 < LONG ? to : last);
        say(&telling->batch, &said, i);
    }
    model_add(&telling->model, &telling->batch);
    requests_build(&telling->asks, &telling->model, NOW_US);
    struct agents_input input = {.model = &telling->model,
                                 .asks = &telling->asks,
                                 .now_us = NOW_US,
                                 .limits = &agent_limits_default,
                                 .identify = identify_plainly};
    agents_build(&telling->agents, &input);
}

Test(agent_circle, a_chain_of_ten_thousand_is_none)
{
    struct telling telling;

    tell_chain(&telling, "end");
    cr_assert_eq(telling.agents.count, LONG + 1);
    cr_assert_eq(telling.agents.circle_count, 0);
    tell_no_more(&telling);
}

Test(agent_circle, one_of_ten_thousand_is_told_in_short)
{
    struct telling telling;

    tell_chain(&telling, "n0");
    cr_assert_eq(telling.agents.circle_count, 1);
    const struct agent_circle *circle = &telling.agents.circles[0];
    cr_assert_eq(circle->count, LONG);
    for (size_t i = 0; i < LONG; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%zu", i);
        assert_span(telling.agents.items[circle->members[i]].name, name);
    }
    assert_span(telling.agents.items[0].why,
                "waits in a circle: n0 -> n1 -> n2 -> n3 -> n4 -> n5 -> 9994 more -> n0");
    tell_no_more(&telling);
}
