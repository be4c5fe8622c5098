/* Circles of agents that wait for each other.
 *
 * Finds the strongly connected components of the graph of open requests in one walk. The walk has
 * its own stack instead of recursion, because chains can be of any length. One circle is shown per
 * component. */
#include "base/mem.h"
#include "mail/agent/agent_facts.h"

#include <stdlib.h>

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
static void find_asks(struct gathering *g, uint32_t *next)
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
        if (f->ring_ask != AGENT_NONE &&
            message_cmp_time(fact_message(g, edge->ask), fact_message(g, f->ring_ask)) >= 0)
            continue;
        f->ring_ask = edge->ask;
        f->ring_to = edge->to;
    }
}

void agent_find_circles(struct gathering *g)
{
    struct graph graph = {0};

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
    find_asks(g, graph.low);
    graph_free(&graph);
}
