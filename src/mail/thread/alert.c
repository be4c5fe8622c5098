/* Alerts: the present state, compared with the alerts already reported. */
#include "mail/thread/alert.h"

void alerts_reported_free(struct alerts_reported *told)
{
    map_free(&told->waiting);
    map_free(&told->stuck);
    arena_free(&told->names);
    *told = (struct alerts_reported){0};
}

/* Adds the name to `now`; true if it is not in `before`. */
static bool note_name(struct map *now, struct arena *names, const struct map *before,
                      struct span name)
{
    bool fresh, was = map_get(before, name) != NULL;

    map_put_copy(now, names, name, &fresh);
    return !was;
}

static void find_waiting(const struct alerts_reported *before, struct alerts_reported *now,
                         const struct model *model, const struct requests *asks,
                         const struct alert_calls *calls, void *context)
{
    CLEANUP(str_free) struct str name = {0};

    for (size_t i = 0; i < asks->count; i++) {
        const struct message *message = model->messages[asks->items[i].message];
        if (!asks->items[i].open || !message_for_us(message))
            continue;
        str_clear(&name);
        message_add_name(&name, message, true);
        if (note_name(&now->waiting, &now->names, &before->waiting, str_span(&name)) && calls)
            calls->waiting(context, message, str_span(&name));
    }
}

static void find_stuck(const struct alerts_reported *before, struct alerts_reported *now,
                       const struct model *model, const struct agents *agents,
                       const struct alert_calls *calls, void *context)
{
    CLEANUP(str_free) struct str name = {0};

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        if (agent->state != AGENT_STUCK)
            continue;
        const struct span parts[] = {agent->team, agent->name};
        if (note_name(&now->stuck, &now->names, &before->stuck,
                      map_key(&name, agent->source, parts, 2)) &&
            calls)
            calls->stuck(context, agents, agent, model);
    }
}

void alerts_report(struct alerts_reported *told, const struct model *model,
                   const struct requests *asks, const struct agents *agents,
                   const struct alert_calls *calls, void *context)
{
    struct alerts_reported now = {0};

    find_waiting(told, &now, model, asks, calls, context);
    find_stuck(told, &now, model, agents, calls, context);
    alerts_reported_free(told);
    *told = now;
}
