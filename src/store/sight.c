/* Sight: what is made of all messages together. */
#include "store/sight.h"

#include "base/beside.h"
#include "base/mem.h"

#include <stdlib.h>

size_t sight_hints(const struct agents *agents, struct talk_hint *hints)
{
    bool *told = mem_zero(agents->circle_count + 1, sizeof *told);
    size_t count = 0;

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        bool circle = agent->circle != AGENT_NONE;
        if (agent->state != AGENT_STUCK || (circle && told[agent->circle]))
            continue; /* the first of a circle names all of it */
        if (circle)
            told[agent->circle] = true;
        if (agent->evidence != AGENT_NONE)
            hints[count++] = (struct talk_hint){agent->evidence, agent->name, agent->why,
                                                agent->since_us, &agent->why_ages};
    }
    free(told);
    return count;
}

/* Of many messages one thread makes a share of it. */
struct making {
    struct sight *sight;
    struct agents_world *world;
    int64_t now_us;
};

static void *make_asks(void *context)
{
    struct making *making = context;

    asks_build(&making->sight->asks, making->sight->model, making->now_us);
    return NULL;
}

static void *make_handoffs(void *context)
{
    struct making *making = context;
    struct sight *sight = making->sight;

    agents_world_handoffs(making->world, sight->model, &sight->threads, making->now_us,
                          &sight->handoffs);
    return NULL;
}

void sight_build(struct sight *sight, const struct model *model, struct agents_world *world,
                 int64_t now_us, bool expired)
{
    struct making making = {sight, world, now_us};
    struct beside beside;

    *sight = (struct sight){.model = model};
    beside_do(&beside, model->count, make_asks, &making);
    struct thread_sets *sets = thread_sets_new(model);
    beside_wait(&beside);
    threads_number(&sight->threads, sets, &sight->asks);
    beside_do(&beside, model->count, make_handoffs, &making);
    if (world)
        agents_world_build(world, model, &sight->asks, now_us, &sight->agents);
    struct talk_hint *hints = mem_zero(sight->agents.count + 1, sizeof *hints);
    struct talk_input input = {.model = model,
                               .threads = &sight->threads,
                               .asks = &sight->asks,
                               .hints = hints,
                               .hint_count = sight_hints(&sight->agents, hints),
                               .now_us = now_us,
                               .expired = expired};
    talks_build(&sight->talks, &input);
    beside_wait(&beside);
    free(hints);
}

void sight_free(struct sight *sight)
{
    courses_free(&sight->handoffs);
    agents_free(&sight->agents);
    talks_free(&sight->talks);
    threads_free(&sight->threads);
    asks_free(&sight->asks);
    *sight = (struct sight){0};
}

struct sight_counts sight_count_talks(const struct talks *talks)
{
    const struct asks *asks = talks->asks;
    struct sight_counts counts = {0};

    for (size_t i = 0; i < asks->count; i++)
        counts.waiting +=
            asks->items[i].open && message_for_us(talks->model->messages[asks->items[i].message]);
    for (size_t i = 0; i < talks->count; i++)
        counts.unread += talks->items[i].archived ? 0 : talks->items[i].unread_mine;
    for (size_t i = 0; i < talks->model->count; i++)
        counts.unreadable +=
            talks->model->messages[i]->unread_bytes && !talks->model->messages[i]->place->archived;
    return counts;
}

struct sight_counts sight_count(const struct sight *sight)
{
    struct sight_counts counts = sight_count_talks(&sight->talks);

    counts.stuck = sight->agents.in_state[AGENT_STUCK];
    return counts;
}
