/* Agents: the rules of agent.h, in their order. */
#include "base/mem.h"
#include "mail/agent/agent.h"
#include "mail/protocol/protocol.h"

#include <stdlib.h>

/* Circles of agents that wait for each other.
 *
 * Finds the strongly connected components of the graph of open requests in one walk. The walk has
 * its own stack instead of recursion, because chains can be of any length. One circle is shown per
 * component. */

struct graph {
    size_t count;
    uint32_t *first; /* start of its edges in `to`; the next one's first ends it */
    uint32_t *to;
    uint32_t *order; /* 1 + number of nodes visited before it; 0: not visited */
    uint32_t *low;   /* the earliest node that it leads back to */
    uint32_t *next;  /* the next edge to follow */
    bool *open;      /* its component is not complete yet */
    uint32_t *path, *part;
    size_t path_count, part_count;
    uint32_t met;
};

static void graph_fill(struct graph *graph, const struct gathering *g)
{
    graph->count = g->count;
    graph->first = mem_zero(g->count + 2, sizeof *graph->first);
    graph->to = mem_zero(g->edge_count + 1, sizeof *graph->to);
    graph->order = mem_zero(g->count + 1, sizeof *graph->order);
    graph->low = mem_zero(g->count + 1, sizeof *graph->low);
    graph->next = mem_zero(g->count + 1, sizeof *graph->next);
    graph->open = mem_zero(g->count + 1, sizeof *graph->open);
    graph->path = mem_zero(g->count + 1, sizeof *graph->path);
    graph->part = mem_zero(g->count + 1, sizeof *graph->part);
    for (size_t i = 0; i < g->edge_count; i++)
        graph->first[g->edges[i].from + 2]++;
    for (size_t i = 2; i < g->count + 2; i++)
        graph->first[i] += graph->first[i - 1];
    for (size_t i = 0; i < g->edge_count; i++) /* afterwards first[i] is where i starts */
        graph->to[graph->first[g->edges[i].from + 1]++] = g->edges[i].to;
}

static void graph_free(struct graph *graph)
{
    free(graph->first);
    free(graph->to);
    free(graph->order);
    free(graph->low);
    free(graph->next);
    free(graph->open);
    free(graph->path);
    free(graph->part);
}

static bool waits_for_itself(const struct graph *graph, uint32_t node)
{
    for (uint32_t e = graph->first[node]; e < graph->first[node + 1]; e++)
        if (graph->to[e] == node)
            return true;
    return false;
}

/* Returns the shortest circle from a node back to itself inside its component. `queue` has room for
 * all nodes; `before` is AGENT_NONE for all nodes of the component. */
static struct agent_circle find_way(const struct gathering *g, const struct graph *graph,
                                    uint32_t start, uint32_t *queue, uint32_t *before)
{
    uint32_t circle = g->items[start].agent.circle, last = AGENT_NONE;
    size_t head = 0, tail = 0, count = 1;

    queue[tail++] = start;
    while (last == AGENT_NONE && head < tail) {
        uint32_t node = queue[head++];
        for (uint32_t e = graph->first[node]; e < graph->first[node + 1]; e++) {
            uint32_t to = graph->to[e];
            if (to == start) {
                last = node;
                break;
            }
            if (g->items[to].agent.circle != circle || before[to] != AGENT_NONE)
                continue;
            before[to] = node;
            queue[tail++] = to;
        }
    }
    for (uint32_t node = last; node != start; node = before[node])
        count++;
    struct agent_circle found = {
        .members = arena_alloc(&g->out->arena, count * sizeof *found.members), .count = count};
    for (uint32_t node = last; count > 0; node = count ? before[node] : node)
        found.members[--count] = node;
    return found;
}

/* Closes a component: the nodes visited since `root` that lead back to it. */
static void close_part(struct gathering *g, struct graph *graph, uint32_t root)
{
    size_t end = graph->part_count;
    uint32_t least = root;

    do
        graph->open[graph->part[--graph->part_count]] = false;
    while (graph->part[graph->part_count] != root);
    if (end - graph->part_count == 1 && !waits_for_itself(graph, root))
        return;
    for (size_t i = graph->part_count; i < end; i++) {
        g->items[graph->part[i]].agent.circle = (uint32_t)g->out->circle_count;
        least = graph->part[i] < least ? graph->part[i] : least;
    }
    struct agents *out = g->out;
    struct agent_circle start = {.members = arena_alloc(&out->arena, sizeof *start.members),
                                 .count = 1};
    *start.members = least; /* a circle through it is searched for when all components are known */
    out->circles = mem_resize(out->circles, out->circle_count + 1, sizeof *out->circles);
    out->circles[out->circle_count++] = start;
}

static void enter_node(struct graph *graph, uint32_t node)
{
    graph->order[node] = graph->low[node] = ++graph->met;
    graph->next[node] = graph->first[node];
    graph->open[node] = true;
    graph->path[graph->path_count++] = node;
    graph->part[graph->part_count++] = node;
}

static void walk_from(struct gathering *g, struct graph *graph, uint32_t start)
{
    enter_node(graph, start);
    while (graph->path_count) {
        uint32_t node = graph->path[graph->path_count - 1];
        if (graph->next[node] < graph->first[node + 1]) {
            uint32_t to = graph->to[graph->next[node]++];
            if (!graph->order[to])
                enter_node(graph, to);
            else if (graph->open[to] && graph->order[to] < graph->low[node])
                graph->low[node] = graph->order[to];
            continue;
        }
        graph->path_count--;
        if (graph->low[node] == graph->order[node])
            close_part(g, graph, node);
        uint32_t *above =
            graph->path_count ? &graph->low[graph->path[graph->path_count - 1]] : NULL;
        if (above && graph->low[node] < *above)
            *above = graph->low[node];
    }
}

/* Sets for each agent of a component its oldest request to the next agent of the circle or, if it
 * is not in the circle that is shown, to any agent of the component. `next` is AGENT_NONE for
 * all. */
static void find_requests(struct gathering *g, uint32_t *next)
{
    for (size_t i = 0; i < g->out->circle_count; i++) {
        const struct agent_circle *circle = &g->out->circles[i];
        for (size_t k = 0; k < circle->count; k++)
            next[circle->members[k]] = circle->members[(k + 1) % circle->count];
    }
    for (size_t i = 0; i < g->edge_count; i++) {
        const struct edge *edge = &g->edges[i];
        struct facts *f = &g->items[edge->from];
        if (f->agent.circle == AGENT_NONE || g->items[edge->to].agent.circle != f->agent.circle ||
            (next[edge->from] != AGENT_NONE && next[edge->from] != edge->to))
            continue;
        if (f->ring_request != AGENT_NONE &&
            message_cmp_time(fact_message(g, edge->ask), fact_message(g, f->ring_request)) >= 0)
            continue;
        f->ring_request = edge->ask;
        f->ring_to = edge->to;
    }
}

void agent_find_circles(struct gathering *g)
{
    CLEANUP(graph_free) struct graph graph = {0};

    graph_fill(&graph, g);
    for (uint32_t i = 0; i < g->count; i++)
        if (!graph.order[i])
            walk_from(g, &graph, i);
    for (size_t i = 0; i < g->count; i++)
        graph.low[i] = AGENT_NONE;
    for (size_t i = 0; i < g->out->circle_count; i++)
        g->out->circles[i] =
            find_way(g, &graph, *g->out->circles[i].members, graph.path, graph.low);
    for (size_t i = 0; i < g->count; i++)
        graph.low[i] = AGENT_NONE;
    find_requests(g, graph.low);
}

static const struct agent_limits *limits_of(const struct gathering *g, const struct facts *f)
{
    return &g->in->limits[f->agent.source];
}

static bool set_state(struct facts *f, enum agent_state state, enum agent_reason reason,
                      uint32_t evidence, int64_t since_us)
{
    f->agent.state = state;
    f->reason = reason;
    f->agent.evidence = evidence;
    f->agent.since_us = since_us;
    return true;
}

static int64_t created_at(const struct gathering *g, uint32_t index)
{
    return index == AGENT_NONE ? TIME_NONE : fact_message(g, index)->created_us;
}

static bool notice_says(const struct notice *notice)
{
    return span_is(notice->reason, "failed") || span_is(notice->reason, "interrupted") ||
           span_is(notice->task_status, "failed") || span_is(notice->task_status, "blocked");
}

/* Returns the notice if the agent's last message is an idle notice, else NULL. */
static const struct notice *last_notice(const struct gathering *g, const struct facts *f)
{
    return f->last == AGENT_NONE ? NULL : fact_message(g, f->last)->notice;
}

static bool rests(const struct gathering *g, const struct facts *f)
{
    return (f->roster && f->roster->idle) || (last_notice(g, f) && !f->woken);
}

static bool roster_says(const struct facts *f, const char *status)
{
    return f->roster && span_is(f->roster->status, status);
}

static bool is_gone(struct gathering *g, struct facts *f)
{
    const struct message *last = f->last == AGENT_NONE ? NULL : fact_message(g, f->last);

    if (last && last->kind == KIND_SHUTDOWN && last->verdict == VERDICT_YES)
        return set_state(f, AGENT_GONE, REASON_SHUT_DOWN, f->last, last->created_us);
    if (f->roster && f->roster->gone && !roster_says(f, "failed") && !roster_says(f, "interrupted"))
        return set_state(f, AGENT_GONE, REASON_ENDED, f->last, f->agent.heard_us);
    if (!f->agent.off_roster || f->asks_you.count)
        return false;
    if (f->agent.spoke && !agent_is_old(g, f->agent.heard_us, limits_of(g, f)->silent_us))
        return false;
    return set_state(f, AGENT_GONE, REASON_DEPARTED, f->last, f->agent.heard_us);
}

static bool has_complaint(struct gathering *g, struct facts *f)
{
    const struct notice *notice = last_notice(g, f);

    if (notice && !f->woken && notice_says(notice))
        return set_state(f, AGENT_STUCK, REASON_SAYS, f->last, created_at(g, f->last));
    if (f->roster && f->roster->gone) /* is_gone() has handled a normal end */
        return set_state(f, AGENT_STUCK, REASON_ROSTER, f->last, f->agent.heard_us);
    if (f->agent.circle != AGENT_NONE)
        return set_state(f, AGENT_STUCK, REASON_CIRCLE, f->ring_request,
                         created_at(g, f->ring_request));
    if (f->failed.count)
        return set_state(f, AGENT_STUCK, REASON_FAILED, f->failed.first,
                         created_at(g, f->failed.first));
    if (f->processing.count) {
        int64_t since_us = tally_begun(fact_message(g, f->processing.first));
        if (agent_is_old(g, since_us, limits_of(g, f)->processing_us))
            return set_state(f, AGENT_STUCK, REASON_PROCESSING, f->processing.first, since_us);
    }
    if (f->unsent &&
        (f->unsent_failed || agent_is_old(g, f->unsent_us, limits_of(g, f)->unread_us)))
        return set_state(f, AGENT_STUCK, REASON_UNSENT, AGENT_NONE, f->unsent_us);
    return false;
}

/* True if it works on a message, and not for too long. */
static bool is_at_work(struct gathering *g, const struct facts *f)
{
    return f->processing.count &&
           !agent_is_old(g, tally_begun(fact_message(g, f->processing.first)),
                         limits_of(g, f)->processing_us);
}

static bool is_stuck(struct gathering *g, struct facts *f)
{
    const struct agent_limits *limits = limits_of(g, f);
    int64_t unread_us = f->agent.unread_us;
    bool old_mail = f->unread.count && agent_is_old(g, unread_us, limits->unread_us);
    int64_t heard_us = f->woken ? created_at(g, f->woken_by) : f->agent.heard_us;
    bool waited_for = f->asks_to.count && !f->asks_by.count && !is_at_work(g, f) &&
                      agent_is_old(g, created_at(g, f->asks_to.first), limits->silent_us);

    if (has_complaint(g, f))
        return true;
    if (rests(g, f))
        return old_mail &&
               set_state(f, AGENT_STUCK, REASON_UNWOKEN, f->unread.first, f->agent.unread_us);
    if (!f->agent.spoke) {
        uint32_t evidence = old_mail ? f->unread.first : f->asks_to.first;
        return (old_mail || waited_for) &&
               set_state(f, AGENT_STUCK, REASON_UNHEARD, evidence, created_at(g, evidence));
    }
    if (old_mail && f->agent.heard_us > unread_us && !agent_is_old(g, heard_us, limits->silent_us))
        return set_state(f, AGENT_STUCK, REASON_BLIND, f->unread.first, unread_us);
    if (!agent_is_old(g, heard_us, limits->silent_us))
        return false;
    bool has_task = f->task != AGENT_NONE && !f->asks_by.count && !is_at_work(g, f);
    return (old_mail || waited_for || has_task) &&
           set_state(f, AGENT_STUCK, REASON_SILENT,
                     f->last_said != AGENT_NONE ? f->last_said : f->last, heard_us);
}

static bool is_unknown(struct facts *f)
{
    return f->unreadable != AGENT_NONE &&
           set_state(f, AGENT_UNKNOWN, REASON_UNREADABLE, f->unreadable, TIME_NONE);
}

static bool waits(struct gathering *g, struct facts *f)
{
    if (f->asks_by.count)
        return set_state(f, AGENT_WAITS, REASON_ASKED, f->asks_by.first,
                         created_at(g, f->asks_by.first));
    return f->wrote != AGENT_NONE && !g->items[f->wrote_to].person &&
           set_state(f, AGENT_WAITS, REASON_WROTE, f->wrote, created_at(g, f->wrote));
}

static bool works(struct gathering *g, struct facts *f)
{
    if (rests(g, f))
        return false;
    if (f->woken)
        return set_state(f, AGENT_WORKING, REASON_WOKEN, f->woken_by, created_at(g, f->woken_by));
    if (f->processing.count) /* if it took too long, is_stuck() was true */
        return set_state(f, AGENT_WORKING, REASON_AT_WORK, f->processing.first,
                         tally_begun(fact_message(g, f->processing.first)));
    if (f->task != AGENT_NONE)
        return set_state(f, AGENT_WORKING, REASON_TASK, f->last, f->agent.heard_us);
    return f->agent.heard_us != TIME_NONE &&
           !agent_is_old(g, f->agent.heard_us, limits_of(g, f)->silent_us) &&
           set_state(f, AGENT_WORKING, REASON_HEARD, f->last, f->agent.heard_us);
}

/* True if it read a message lately, after its idle notice: it is assumed to work on that
 * message. */
static bool was_woken(struct gathering *g, const struct facts *f)
{
    return last_notice(g, f) && !(f->roster && f->roster->idle) && f->woken_by != AGENT_NONE &&
           created_at(g, f->woken_by) > created_at(g, f->last) &&
           !agent_is_old(g, created_at(g, f->woken_by), limits_of(g, f)->silent_us);
}

static void find_wait(struct gathering *g, struct facts *f)
{
    struct agent *agent = &f->agent;
    uint32_t index = AGENT_NONE, whom = AGENT_NONE;

    if (f->asks_you.count) {
        index = f->asks_you.first;
    } else if (agent->circle != AGENT_NONE) {
        index = f->ring_request;
        whom = f->ring_to;
    } else if (f->asks_by.count) {
        index = f->asks_by.first;
        whom = f->asked;
    } else if (f->wrote != AGENT_NONE && !g->items[f->wrote_to].person) {
        index = f->wrote;
        whom = f->wrote_to;
    }
    if (index == AGENT_NONE)
        return;
    agent->waits_us = created_at(g, index);
    agent->waits_on = whom == AGENT_NONE ? fact_message(g, index)->to : g->items[whom].agent.name;
}

void agent_judge(struct gathering *g, struct facts *f)
{
    f->agent.unread = f->unread.count;
    f->agent.unread_us = created_at(g, f->unread.first);
    f->agent.asks_you = f->asks_you.count;
    f->agent.asks_by = f->asks_by.count;
    f->agent.asks_to = f->asks_to.count;
    f->woken = was_woken(g, f);
    find_wait(g, f);
    if (is_gone(g, f))
        return;
    if (f->asks_you.count)
        set_state(f, AGENT_WAITS_YOU, REASON_ASKED_YOU, f->asks_you.first,
                  created_at(g, f->asks_you.first));
    else if (!is_stuck(g, f) && !is_unknown(f) && !waits(g, f) && !works(g, f))
        set_state(f, AGENT_IDLE,
                  last_notice(g, f) || (f->roster && f->roster->idle) ? REASON_RESTS : REASON_QUIET,
                  f->last, f->agent.heard_us);
}
