/* Alarms: the picture judged as a whole, and compared with what was told. */
#include "cmd/alarms.h"

#include "base/mem.h"

#include <stdlib.h>

/* After a look the others have the thread for this many times as long, but nobody waits for the
 * next one longer than that. What comes when it was quiet for QUIET times as long as a look takes
 * is looked at at once, as that is no storm, and so is a request to the person. */
enum { REST = 200, QUIET = 20 };
#define REST_MAX_US INT64_C(10000000)
#define TOGETHER_US INT64_C(5000) /* what belongs together comes within that time */

static void drop_world(struct alarms *alarms)
{
    if (alarms->world)
        agents_world_free(alarms->world);
    free(alarms->world);
    alarms->world = NULL;
}

void alarms_free(struct alarms *alarms)
{
    drop_world(alarms);
    map_free(&alarms->waiting);
    map_free(&alarms->stuck);
    arena_free(&alarms->names);
}

void alarms_known(struct alarms *alarms, struct agents_world *world)
{
    drop_world(alarms);
    alarms->world = world;
    alarms->stale = true;
}

/* What a look finds, to be compared with what was found before. */
struct found {
    struct map waiting, stuck;
    struct arena names;
};

/* Notes a name; true when it was not there before. */
static bool note(struct map *now, struct arena *names, const struct map *before, struct span name)
{
    bool fresh, was = map_get(before, name) != NULL;

    map_put(now, arena_copy(names, name), &fresh);
    return !was;
}

static void find_waiting(struct alarms *alarms, struct found *found, const struct model *model,
                         const struct asks *asks, bool tell)
{
    struct str name = {0};

    for (size_t i = 0; i < asks->count; i++) {
        const struct message *message = model->messages[asks->items[i].message];
        if (!asks->items[i].open || !message->mine)
            continue;
        str_clear(&name);
        message_add_name(&name, message, true);
        if (note(&found->waiting, &found->names, &alarms->waiting, str_span(&name)) && tell)
            alarms->calls->waiting(alarms->context, message, str_span(&name));
    }
    str_free(&name);
}

static void find_stuck(struct alarms *alarms, struct found *found, const struct model *model,
                       const struct agents *agents, bool tell)
{
    struct str name = {0};

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        if (agent->state != AGENT_STUCK)
            continue;
        str_clear(&name);
        str_addf(&name, "%u %zu ", agent->source, agent->team.len);
        str_add_span(&name, agent->team);
        str_add_span(&name, agent->name);
        if (note(&found->stuck, &found->names, &alarms->stuck, str_span(&name)) && tell)
            alarms->calls->stuck(alarms->context, agents, agent, model);
    }
    str_free(&name);
}

static void look(struct alarms *alarms, const struct live *live, bool tell)
{
    struct agents_input input = agents_world_input(alarms->world);
    struct found found = {0};
    struct agents agents = {0};
    struct model model = {0};
    struct asks asks = {0};
    int64_t now_us = app_now(alarms->app);

    live_view(live, &model);
    asks_build(&asks, &model, now_us);
    input.model = &model;
    input.asks = &asks;
    input.now_us = now_us;
    agents_build(&agents, &input);
    find_waiting(alarms, &found, &model, &asks, tell);
    find_stuck(alarms, &found, &model, &agents, tell);
    alarms->next_us = agents.next_change_us;
    agents_free(&agents);
    asks_free(&asks);
    model_free(&model);
    map_free(&alarms->waiting);
    map_free(&alarms->stuck);
    arena_free(&alarms->names);
    alarms->waiting = found.waiting;
    alarms->stuck = found.stuck;
    alarms->names = found.names;
}

static bool is_due(const struct alarms *alarms)
{
    return alarms->stale ||
           (alarms->next_us != WHEN_NONE && alarms->next_us <= app_now(alarms->app));
}

/* When the next look may be. */
static int64_t allowed_us(const struct alarms *alarms)
{
    return alarms->held && alarms->held_until_us > alarms->rest_until_us ? alarms->held_until_us
                                                                         : alarms->rest_until_us;
}

void alarms_look(struct alarms *alarms, const struct live *live, bool tell)
{
    int64_t start_us = when_steady();

    if (!alarms->world || !is_due(alarms) || (tell && start_us < allowed_us(alarms)))
        return;
    alarms->stale = alarms->held = false;
    look(alarms, live, tell);
    int64_t end_us = when_steady(), rest_us = (end_us - start_us) * REST;
    alarms->took_us = end_us - start_us;
    alarms->looked_us = end_us;
    alarms->rest_until_us = end_us + (rest_us < REST_MAX_US ? rest_us : REST_MAX_US);
}

void alarms_news(struct alarms *alarms)
{
    int64_t now_us = when_steady();

    if (now_us - alarms->news_us > alarms->took_us * QUIET)
        alarms->rest_until_us = now_us + TOGETHER_US;
    alarms->news_us = now_us;
    alarms->stale = true;
}

void alarms_hurry(struct alarms *alarms)
{
    int64_t soon_us = alarms->looked_us + alarms->took_us * QUIET;
    int64_t next_us = when_steady() + TOGETHER_US;

    next_us = next_us > soon_us ? next_us : soon_us;
    if (alarms->rest_until_us > next_us)
        alarms->rest_until_us = next_us;
}

void alarms_hold(struct alarms *alarms, int64_t for_us)
{
    if (!alarms->stale || alarms->held)
        return;
    alarms->held = true;
    alarms->held_until_us = when_steady() + for_us;
}

int alarms_timeout_ms(const struct alarms *alarms)
{
    int64_t wait_us = 0;

    if (!alarms->world || (!alarms->stale && alarms->next_us == WHEN_NONE))
        return -1;
    if (!alarms->stale)
        wait_us = alarms->next_us - app_now(alarms->app);
    int64_t rest_us = allowed_us(alarms) - when_steady();
    if (rest_us > wait_us)
        wait_us = rest_us;
    if (wait_us > INT64_C(86400000000))
        wait_us = INT64_C(86400000000); /* a day: no harm in looking */
    return wait_us <= 0 ? 0 : (int)(wait_us / 1000) + 1;
}
