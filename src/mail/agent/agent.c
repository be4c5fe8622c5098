/* Agents: finding the facts for a name, and the list of agents. */
#include "mail/agent/agent.h"

#include "base/mem.h"
#include "mail/agent/agent_facts.h"

#include <stdlib.h>

/* Limit on the spellings kept per agent: more are mischief. */
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
    struct facts *added = mem_push(g->items, g->count, g->cap);

    *added = (struct facts){.agent = {.source = source,
                                      .team = id->team,
                                      .name = id->name,
                                      .evidence = AGENT_NONE,
                                      .since_us = TIME_NONE,
                                      .heard_us = TIME_NONE,
                                      .unread_us = TIME_NONE,
                                      .waits_us = TIME_NONE,
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
                            .unsent_us = TIME_NONE};
    return (uint32_t)g->count - 1;
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

/* True if the team keeps a roster. */
static bool agent_team_has_roster(struct gathering *g, uint32_t source, struct span team)
{
    return map_get(&g->rosters, agent_key(g, source, team, (struct span){0})) != NULL;
}

/* From facts and states to rows, sorted by urgency. */

#define MINUTE_US INT64_C(60000000)

const struct agent_limits agent_limits_default = {
    .silent_us = 15 * MINUTE_US, .unread_us = 10 * MINUTE_US, .processing_us = 30 * MINUTE_US};

static const char *const state_names[AGENT_STATE_COUNT] = {
    [AGENT_WAITS_YOU] = "WAITS-YOU", [AGENT_STUCK] = "STUCK?",    [AGENT_UNKNOWN] = "UNKNOWN",
    [AGENT_WAITS] = "WAITS",         [AGENT_WORKING] = "WORKING", [AGENT_IDLE] = "IDLE",
    [AGENT_GONE] = "GONE",
};

const char *agent_state_name(enum agent_state state)
{
    return state_names[state];
}

static int by_urgency(const void *a, const void *b, void *context)
{
    const struct facts *items = context;
    const struct agent *x = &items[*(const uint32_t *)a].agent;
    const struct agent *y = &items[*(const uint32_t *)b].agent;

    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    if (x->since_us != y->since_us) {
        if (x->since_us == TIME_NONE || y->since_us == TIME_NONE)
            return x->since_us == TIME_NONE ? 1 : -1;
        return x->since_us < y->since_us ? -1 : 1;
    }
    return agent_cmp_names(x, y);
}

/* Replaces indexes of facts by indexes of rows. */
static void renumber_rows(struct agents *agents, const uint32_t *order, size_t facts_count)
{
    CLEANUP(mem_free) uint32_t *row = mem_zero(facts_count + 1, sizeof *row);

    for (uint32_t i = 0; i < agents->count; i++)
        row[order[i]] = i;
    for (size_t i = 0; i < agents->circle_count; i++)
        for (size_t k = 0; k < agents->circles[i].count; k++)
            agents->circles[i].members[k] = row[agents->circles[i].members[k]];
}

static void take_rows(struct gathering *g)
{
    CLEANUP(mem_free) uint32_t *order = mem_zero(g->count + 1, sizeof *order);
    struct agents *out = g->out;

    for (uint32_t i = 0; i < g->count; i++)
        if (!g->items[i].person)
            order[out->count++] = i;
    if (out->count)
        qsort_r(order, out->count, sizeof *order, by_urgency, g->items);
    out->items = mem_zero(out->count + 1, sizeof *out->items);
    for (size_t i = 0; i < out->count; i++) {
        out->items[i] = g->items[order[i]].agent;
        g->items[order[i]].agent.names = (struct span_list){0};
        out->in_state[out->items[i].state]++;
    }
    renumber_rows(out, order, g->count);
}

static void find_off_roster(struct gathering *g)
{
    for (size_t i = 0; i < g->count; i++) {
        struct agent *agent = &g->items[i].agent;
        agent->off_roster =
            !agent->on_roster && agent_team_has_roster(g, agent->source, agent->team);
    }
}

static void build_rows(struct agents *agents, const struct agents_input *input,
                       const struct agents_share *shares, size_t share_count)
{
    struct gathering g = {.in = input,
                          .out = agents,
                          .shares = shares,
                          .share_count = share_count,
                          .next_us = TIME_NONE};

    *agents = (struct agents){0};
    agent_gather(&g);
    agent_find_circles(&g);
    find_off_roster(&g);
    for (size_t i = 0; i < g.count; i++)
        if (!g.items[i].person)
            agent_judge(&g, &g.items[i]);
    agent_explain(&g);
    take_rows(&g);
    agents->next_change_us = g.next_us;
    for (size_t i = 0; i < g.count; i++)
        span_list_free(&g.items[i].agent.names); /* of facts that are not rows */
    map_free(&g.by_id);
    map_free(&g.by_name);
    map_free(&g.boxes);
    map_free(&g.rosters);
    str_free(&g.scratch);
    free(g.items);
    free(g.edges);
}

void agents_build(struct agents *agents, const struct agents_input *input)
{
    CLEANUP(agent_tally_free) struct agent_tally tally = {0};
    CLEANUP(short_ids_free) struct id_order ids = {0};
    const struct agents_share all = {.tally = &tally, .ids = &ids, .model = input->model};

    if (input->shares) {
        build_rows(agents, input, input->shares, input->share_count);
        return;
    }
    agent_tally_fill(&tally, input->model, input->now_us);
    short_ids_fill(&ids, input->model);
    build_rows(agents, input, &all, 1);
}

void agents_free(struct agents *agents)
{
    for (size_t i = 0; i < agents->count; i++)
        span_list_free(&agents->items[i].names);
    free(agents->items);
    free(agents->circles);
    arena_free(&agents->arena);
    *agents = (struct agents){0};
}
