/* Sight: what is made of all messages together. */
#include "store/sight.h"

#include "base/mem.h"

#include <stdlib.h>

static void *make_asks(void *context)
{
    struct sight_making *making = context;
    struct sight *sight = making->sight;

    asks_build(&sight->asks, sight->model, making->now_us);
    return NULL;
}

static void *make_handoffs(void *context)
{
    struct sight_making *making = context;
    struct sight *sight = making->sight;

    agents_world_handoffs(making->world, sight->model, &sight->threads, making->now_us,
                          &sight->handoffs);
    return NULL;
}

/* Agents that may be stuck: the conversation that shows it needs the person. */
static size_t find_hints(const struct agents *agents, struct talk_hint *hints)
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

void sight_begin(struct sight_making *making, const struct model *model, bool expired)
{
    struct sight *sight = making->sight;

    *sight = (struct sight){.model = model};
    beside_do(&making->beside, model->count, make_asks, making);
    struct thread_sets *sets = thread_sets_new(model);
    beside_wait(&making->beside);
    threads_number(&sight->threads, sets, &sight->asks);
    if (making->world)
        agents_world_build(making->world, model, &sight->asks, making->now_us, &sight->agents);
    /* not before: both ask the world who is who, and it notes what it has answered */
    beside_do(&making->beside, model->count, make_handoffs, making);
    struct talk_hint *hints = mem_zero(sight->agents.count + 1, sizeof *hints);
    struct talk_input input = {.model = model,
                               .threads = &sight->threads,
                               .asks = &sight->asks,
                               .hints = hints,
                               .hint_count = find_hints(&sight->agents, hints),
                               .now_us = making->now_us,
                               .expired = expired};
    talks_build(&sight->talks, &input);
    free(hints);
}

void sight_end(struct sight_making *making)
{
    beside_wait(&making->beside);
}

void sight_build(struct sight *sight, const struct model *model, struct agents_world *world,
                 int64_t now_us, bool expired)
{
    struct sight_making making = {.sight = sight, .world = world, .now_us = now_us};

    sight_begin(&making, model, expired);
    sight_end(&making);
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

struct sight_counts sight_count(const struct sight *sight)
{
    const struct asks *asks = &sight->asks;
    struct sight_counts counts = {.stuck = sight->agents.in_state[AGENT_STUCK]};

    for (size_t i = 0; i < asks->count; i++)
        counts.waiting +=
            asks->items[i].open && message_for_us(sight->model->messages[asks->items[i].message]);
    for (size_t i = 0; i < sight->talks.count; i++)
        counts.unread += sight->talks.items[i].archived ? 0 : sight->talks.items[i].unread_mine;
    return counts;
}
