/* Tests the derived state of all messages. */
#include "tests/unit/mail/handoff/handoff_status_support.h"

#include "store/sight.h"

enum { CHAINS = 900, FEW_CHAINS = 5 };

TestSuite(sight, .fini = clear);

static const char *name_of(const char *what, int number)
{
    char text[32];
    int len = snprintf(text, sizeof text, "%s-%d", what, number);

    return arena_copy(&arena, (struct span){text, (size_t)len}).at;
}

/* Adds handoffs, each with the answers of its taker; every third has none. */
static void say_much(int chains)
{
    for (int i = 0; i < chains; i++) {
        const char *id = name_of("offer", i), *taker = name_of("agent", i % 7);
        offer(id, "ann", taker, 60)->requires_response = i % 2;
        if (i % 3) {
            reply(name_of("taken", i), taker, id, 50, WORK_ACCEPTED);
            reply(name_of("done", i), taker, id, 40, WORK_COMPLETED);
        }
    }
    model_add(&model, &batch);
}

static void assert_same_numbers(const uint32_t *got, const uint32_t *want, const char *what)
{
    for (size_t i = 0; i < model.count; i++)
        cr_assert_eq(got[i], want[i], "%s of message %zu", what, i);
}

static void assert_as_by_itself(const struct sight *sight)
{
    struct requests asks;

    requests_build(&asks, &model, NOW_US);
    threads_build(&threads, &model, &asks);
    agent_directory_handoffs(NULL, &model, &threads, NOW_US, &handoffs);
    cr_assert_eq(sight->asks.count, asks.count);
    assert_same_numbers(sight->asks.of, asks.of, "the request");
    assert_same_numbers(sight->asks.answers, asks.answers, "what is answered by it");
    cr_assert_eq(sight->threads.count, threads.count);
    assert_same_numbers(sight->threads.of, threads.of, "the thread");
    cr_assert_eq(sight->handoffs.count, handoffs.count);
    assert_same_numbers(sight->handoffs.of, handoffs.of, "the handoff");
    for (size_t i = 0; i < handoffs.count; i++)
        cr_assert_eq(sight->handoffs.items[i].state, handoffs.items[i].state);
    requests_free(&asks);
}

static void check(int chains)
{
    struct sight sight;

    say_much(chains);
    sight_build(&sight, &model, NULL, NOW_US, false);
    cr_assert_eq(sight.conversations.count, (size_t)chains);
    cr_assert_eq(sight.handoffs.count, (size_t)chains);
    assert_as_by_itself(&sight);
    sight_free(&sight);
}

Test(sight, of_few_messages_is_what_each_part_is_by_itself)
{
    check(FEW_CHAINS);
}

Test(sight, of_many_messages_that_two_threads_share_is_the_same)
{
    check(CHAINS);
}
