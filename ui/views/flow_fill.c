/* The flow: which rows there are. */
#include "base/mem.h"
#include "mail/render/columns.h"
#include "ui/views/flow_private.h"

#include <stdlib.h>

#define HOUR_US INT64_C(3600000000)

void flow_view_drop(struct flow_view *view)
{
    flow_free(&view->flow);
    free(view->teams);
    view->teams = NULL;
    view->team_count = 0;
    view->built = false;
}

static bool is_of(const struct flow_agent *first, uint32_t source, struct span team)
{
    return first->source == source && span_eq(first->team, team);
}

static void measure(const struct flow_view *view, struct flow_team *team)
{
    unsigned clean = ui_style(view->screen.ui).clean;
    size_t name = 0;
    struct str scratch = {0};

    for (size_t i = 0; i < team->agent_count; i++) {
        const struct flow_agent *agent = &view->flow.agents[team->first_agent + i];
        uint32_t most = flow_most(agent, FLOW_PARTS), merged = flow_most(agent, FLOW_PARTS / 2);
        team->most = most > team->most ? most : team->most;
        team->merged = merged > team->merged ? merged : team->merged;
        columns_widen(&name, INT16_MAX, agent->name, &scratch, clean);
    }
    team->name = (int)name;
    str_free(&scratch);
}

/* A swarm that says nothing is not what the person has come to see. */
static int busiest_first(const void *a, const void *b)
{
    const struct flow_team *x = a, *y = b;

    if (x->messages != y->messages)
        return x->messages > y->messages ? -1 : 1;
    return x->first_agent < y->first_agent ? -1 : x->first_agent > y->first_agent;
}

static void find_teams(struct flow_view *view)
{
    const struct flow *flow = &view->flow;
    size_t agent = 0, pair = 0, cap = 0;

    while (agent < flow->agent_count) {
        const struct flow_agent *first = &flow->agents[agent];
        struct flow_team team = {.first_agent = agent, .first_pair = pair};
        while (agent < flow->agent_count &&
               is_of(first, flow->agents[agent].source, flow->agents[agent].team))
            agent++;
        while (pair < flow->pair_count &&
               is_of(first, flow->pairs[pair].source, flow->pairs[pair].team))
            pair++;
        team.agent_count = agent - team.first_agent;
        team.pair_count = pair - team.first_pair;
        for (size_t i = 0; i < team.pair_count; i++)
            team.messages += flow->pairs[team.first_pair + i].count;
        measure(view, &team);
        view->teams = mem_grow(view->teams, &cap, view->team_count + 1, sizeof *view->teams);
        view->teams[view->team_count++] = team;
    }
    if (view->team_count)
        qsort(view->teams, view->team_count, sizeof *view->teams, busiest_first);
}

const struct flow_team *flow_view_team(const struct flow_view *view, const struct list_row *row)
{
    bool pair = row->kind >= FLOW_PAIR;

    for (size_t i = 0; i < view->team_count; i++) {
        const struct flow_team *team = &view->teams[i];
        size_t first = pair ? team->first_pair : team->first_agent;
        if (row->item >= first && row->item - first < (pair ? team->pair_count : team->agent_count))
            return team;
    }
    return NULL;
}

const struct flow_pair *flow_view_pair(const struct flow_view *view, const struct list_row *row)
{
    return row->kind >= FLOW_PAIR ? &view->flow.pairs[row->item] : NULL;
}

void flow_view_agents(struct flow_view *view, const struct list_row *row, uint32_t *from,
                      uint32_t *to)
{
    const struct flow_pair *pair = flow_view_pair(view, row);

    *to = AGENT_NONE;
    if (!pair) {
        const struct flow_agent *agent = &view->flow.agents[row->item];
        *from = who_find(ui_who(view->screen.ui), agent->source, agent->team, agent->name);
        return;
    }
    *from = who_find(ui_who(view->screen.ui), pair->source, pair->team, pair->from);
    *to = who_find(ui_who(view->screen.ui), pair->source, pair->team, pair->to);
}

static void add_row(struct flow_view *view, enum flow_row kind, size_t item)
{
    struct list_row row = {.kind = (uint8_t)kind, .item = (uint32_t)item};
    struct str key = {0};

    if (kind == FLOW_AGENT) {
        const struct flow_agent *agent = &view->flow.agents[item];
        str_addf(&key, "%d %u %zu ", kind, agent->source, agent->team.len);
        str_add_span(&key, agent->team);
        str_add_span(&key, agent->name);
        row.key = str_span(&key);
    } else if (kind >= FLOW_PAIR) {
        const struct flow_pair *pair = &view->flow.pairs[item];
        str_addf(&key, "%d %u %zu %zu ", kind, pair->source, pair->team.len, pair->from.len);
        str_add_span(&key, pair->team);
        str_add_span(&key, pair->from);
        str_add_span(&key, pair->to);
        row.key = str_span(&key);
    }
    list_add(&view->list, &row);
    str_free(&key);
}

static int longest_first(const void *a, const void *b, void *context)
{
    const struct flow_pair *pairs = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (pairs[x].oldest_us != pairs[y].oldest_us)
        return pairs[x].oldest_us < pairs[y].oldest_us ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void add_waits(struct flow_view *view)
{
    uint32_t *waits = mem_zero(view->flow.pair_count + 1, sizeof *waits);
    size_t count = 0;

    for (uint32_t i = 0; i < view->flow.pair_count; i++)
        if (view->flow.pairs[i].open)
            waits[count++] = i;
    if (count) {
        qsort_r(waits, count, sizeof *waits, longest_first, view->flow.pairs);
        list_add(&view->list, &(struct list_row){.kind = FLOW_WAITING, .item = (uint32_t)count});
    }
    for (size_t i = 0; i < count; i++)
        add_row(view, FLOW_WAIT, waits[i]);
    free(waits);
}

/* Who only received something has a row too: the table is a square. */
static void add_team(struct flow_view *view, size_t number)
{
    const struct flow_team *team = &view->teams[number];

    if (view->narrow ? view->team_count > 1 : number > 0) /* above a table stands the first one's */
        add_row(view, FLOW_TEAM, team->first_agent);
    if (view->narrow) {
        for (size_t i = 0; i < team->pair_count; i++)
            if (view->flow.pairs[team->first_pair + i].count)
                add_row(view, FLOW_PAIR, team->first_pair + i);
        return;
    }
    for (size_t i = 0; i < team->agent_count; i++)
        add_row(view, FLOW_AGENT, team->first_agent + i);
}

/* Whose row the cursor is on. */
static struct span here_name(const struct flow_view *view)
{
    const struct list_row *row = list_here(&view->list);
    const struct flow_pair *pair = row ? flow_view_pair(view, row) : NULL;

    if (!row)
        return (struct span){0};
    return pair ? pair->from : view->flow.agents[row->item].name;
}

/* When the rows become others the cursor stays with who is meant. */
static void go_to_name(struct flow_view *view, struct span name)
{
    for (size_t i = 0; i < view->list.count; i++) {
        list_go_to(&view->list, i);
        if (span_eq(here_name(view), name))
            return;
    }
}

void flow_view_build(struct flow_view *view, bool narrow)
{
    const struct picture *picture = ui_picture(view->screen.ui);
    int64_t now_us = ui_now(view->screen.ui);

    struct str name = {0};

    if (view->built && view->narrow == narrow)
        return;
    if (view->built)
        str_add_span(&name, here_name(view));
    flow_view_drop(view);
    bool other = view->narrow != narrow;
    view->narrow = narrow;
    if (picture->sight.model)
        flow_build(&view->flow, &picture->model, &picture->sight.asks,
                   now_us - (view->day ? 24 : 1) * HOUR_US, now_us);
    find_teams(view);
    list_begin(&view->list);
    for (size_t i = 0; i < view->team_count; i++)
        add_team(view, i);
    add_waits(view);
    list_end(&view->list, !picture->ready);
    if (other && name.len)
        go_to_name(view, str_span(&name));
    str_free(&name);
    view->built = true;
    view->built_us = when_steady();
}
