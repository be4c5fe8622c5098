/* Tests alerts: what begins to wait or is stuck is reported once, and again only after it was
 * over. */
#include "conversation_support.h"

#include "mail/thread/alert.h"

static size_t waiting, stuck;

static void take_waiting(void *context, const struct message *message, struct span name)
{
    (void)context;
    cr_assert(message->mine && name.len);
    waiting++;
}

static void take_stuck(void *context, const struct agents *agents, const struct agent *agent,
                       const struct model *model)
{
    (void)context;
    (void)agents;
    (void)model;
    cr_assert(agent->state == AGENT_STUCK);
    stuck++;
}

static const struct alert_calls calls = {.waiting = take_waiting, .stuck = take_stuck};

Test(alarm, each_is_told_once_and_what_is_over_may_come_again)
{
    struct agent items[] = {{.name = {"bob", 3}, .state = AGENT_STUCK},
                            {.name = {"eve", 3}, .state = AGENT_IDLE}};
    struct agents agents = {.items = items, .count = 2}, nobody = {0};
    struct alerts_reported told = {0};
    struct requests nothing = {0};
    struct talking t = {0};

    ask(&t, KIND_PLAN, "bob", "lead", "a plan", 3);
    ask(&t, KIND_PLAN, "bob", "carol", "not for the person", 2);
    build(&t);
    alerts_report(&told, &t.model, &t.asks, &agents, &calls, NULL);
    cr_assert(waiting == 1 && stuck == 1);
    alerts_report(&told, &t.model, &t.asks, &agents, &calls, NULL);
    cr_assert(waiting == 1 && stuck == 1);
    alerts_report(&told, &t.model, &nothing, &nobody, &calls, NULL);
    alerts_report(&told, &t.model, &t.asks, &agents, &calls, NULL);
    cr_assert(waiting == 2 && stuck == 2);
    alerts_reported_free(&told);
    finish(&t);
}

Test(alarm, what_is_there_at_the_start_can_be_taken_for_told)
{
    struct alerts_reported told = {0};
    struct agents nobody = {0};
    struct talking t = {0};

    ask(&t, KIND_PLAN, "bob", "lead", "a plan", 3);
    build(&t);
    alerts_report(&told, &t.model, &t.asks, &nobody, NULL, NULL);
    alerts_report(&told, &t.model, &t.asks, &nobody, &calls, NULL);
    cr_assert_eq(waiting, 0);
    alerts_reported_free(&told);
    finish(&t);
}
