/* Alarms: the picture judged as a whole, and compared with what was told. */
#include "cmd/read/alarms.h"

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
    alarms_told_free(&alarms->told);
}

void alarms_known(struct alarms *alarms, struct agents_world *world)
{
    drop_world(alarms);
    alarms->world = world;
    alarms->stale = true;
}

static void look(struct alarms *alarms, const struct live *live, bool tell)
{
    struct agents agents = {0};
    struct model model = {0};
    struct asks asks = {0};
    int64_t now_us = app_now(alarms->app);

    live_view(live, &model);
    asks_build(&asks, &model, now_us);
    agents_world_build(alarms->world, &model, &asks, now_us, &agents);
    alarms_tell(&alarms->told, &model, &asks, &agents, tell ? alarms->calls : NULL,
                alarms->context);
    alarms->next_us = agents.next_change_us;
    agents_free(&agents);
    asks_free(&asks);
    model_free(&model);
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
    return when_poll_ms(rest_us > wait_us ? rest_us : wait_us);
}
