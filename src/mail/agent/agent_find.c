/* Agents, finding: the facts about whoever a name means. */
#include "base/mem.h"
#include "mail/agent/agent_facts.h"

/* So many spellings of one name are kept: more are somebody's mischief. */
enum { NAMES_MAX = 32 };

struct span agent_key(struct gathering *g, uint32_t source, struct span team, struct span name)
{
    const struct span parts[] = {team, name};

    return map_key(&g->scratch, source, parts, 2);
}

int agent_cmp_names(const struct agent *a, const struct agent *b)
{
    int order = a->source < b->source ? -1 : a->source > b->source;

    order = order ? order : span_cmp(a->team, b->team);
    return order ? order : span_cmp(a->name, b->name);
}

void agent_add_name(struct facts *facts, struct span name)
{
    struct span_list *names = &facts->agent.names;

    if (!span_list_has(names, name) && names->count < NAMES_MAX)
        span_list_add(names, name);
}

static uint32_t add_facts(struct gathering *g, uint32_t source, const struct agent_id *id)
{
    const struct some none = {AGENT_NONE, 0};

    g->items = mem_grow(g->items, &g->cap, g->count + 1, sizeof *g->items);
    g->items[g->count] = (struct facts){.agent = {.source = source,
                                                  .team = id->team,
                                                  .name = id->name,
                                                  .evidence = AGENT_NONE,
                                                  .since_us = WHEN_NONE,
                                                  .heard_us = WHEN_NONE,
                                                  .unread_us = WHEN_NONE,
                                                  .waits_us = WHEN_NONE,
                                                  .circle = AGENT_NONE},
                                        .last = AGENT_NONE,
                                        .last_said = AGENT_NONE,
                                        .woken_by = AGENT_NONE,
                                        .unread = none,
                                        .asks_you = none,
                                        .asks_by = none,
                                        .asks_to = none,
                                        .processing = none,
                                        .failed = none,
                                        .asked = AGENT_NONE,
                                        .ring_ask = AGENT_NONE,
                                        .ring_to = AGENT_NONE,
                                        .wrote = AGENT_NONE,
                                        .unreadable = AGENT_NONE,
                                        .wrote_to = AGENT_NONE,
                                        .task = AGENT_NONE,
                                        .unsent_us = WHEN_NONE};
    return (uint32_t)g->count++;
}

uint32_t agent_find(struct gathering *g, uint32_t source, struct span team, struct span name,
                    bool make)
{
    struct span spelled = agent_key(g, source, team, name);
    uint32_t *known = map_get(&g->by_name, spelled);
    struct agent_id id = {0};
    bool fresh;

    if (known)
        return *known - 1; /* 0 becomes AGENT_NONE */
    spelled = arena_copy(&g->out->arena, spelled);
    uint32_t found = 0;
    if (g->in->identify(g->in->context, source, team, name, &id)) {
        struct span key = agent_key(g, source, id.team, id.name);
        known = map_get(&g->by_id, key);
        if (!known && !make)
            return AGENT_NONE;
        if (!known) {
            known = map_put_copy(&g->by_id, &g->out->arena, key, &fresh);
            *known = add_facts(g, source, &id) + 1;
        }
        found = *known;
        struct facts *facts = &g->items[found - 1];
        agent_add_name(facts, name);
        if (id.spelled.at && !facts->roster)
            facts->agent.name = id.spelled;
    }
    *map_put(&g->by_name, spelled, &fresh) = found;
    return found - 1;
}

bool agent_team_has_roster(struct gathering *g, uint32_t source, struct span team)
{
    return map_get(&g->rosters, agent_key(g, source, team, (struct span){0})) != NULL;
}
