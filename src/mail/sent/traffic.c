/* Traffic: counting messages by sender and recipient. */
#include "mail/sent/traffic.h"

#include "base/mem.h"

#include <stdlib.h>

struct counting {
    struct flow *flow;
    struct map pairs, agents; /* source, team and names: 1 + the index */
    struct arena keys;
    struct str scratch;
    int64_t since_us, now_us;
};

/* Returns the entry of the map for these names, which is 0 if it is new. */
static uint32_t *find_count(struct counting *counting, struct map *map, uint32_t source,
                            const struct span *names, size_t count)
{
    struct span key = map_key(&counting->scratch, source, names, count);
    bool fresh;

    return map_put_copy(map, &counting->keys, key, &fresh);
}

static struct flow_agent *agent_of(struct counting *counting, const struct place *place,
                                   struct span name)
{
    struct flow *flow = counting->flow;
    const struct span names[] = {place->team, name};
    uint32_t *number = find_count(counting, &counting->agents, place->source, names, 2);

    if (!*number) {
        *mem_push(flow->agents, flow->agent_count, flow->agent_cap) =
            (struct flow_agent){.source = place->source, .team = place->team, .name = name};
        *number = (uint32_t)flow->agent_count;
    }
    return &flow->agents[*number - 1];
}

static struct flow_pair *pair_of(struct counting *counting, const struct message *message)
{
    struct flow *flow = counting->flow;
    const struct place *place = message->place;
    const struct span names[] = {place->team, message->from, message_recipient(message)};
    uint32_t *number = find_count(counting, &counting->pairs, place->source, names, 3);

    if (!*number) {
        *mem_push(flow->pairs, flow->pair_count, flow->pair_cap) =
            (struct flow_pair){.source = place->source,
                               .team = place->team,
                               .from = names[1],
                               .to = names[2],
                               .oldest_us = TIME_NONE,
                               .last_us = TIME_NONE};
        *number = (uint32_t)flow->pair_count;
    }
    return &flow->pairs[*number - 1];
}

/* Returns the part of the counted time in which the message was sent. */
static size_t part_of(const struct counting *counting, const struct message *message)
{
    int64_t all_us = counting->now_us - counting->since_us;
    int64_t in_us = message->created_us - counting->since_us;

    if (all_us <= 0 || in_us >= all_us) /* clocks differ */
        return FLOW_PARTS - 1;
    return (size_t)((double)in_us / (double)all_us * FLOW_PARTS);
}

static void count_for(struct counting *counting, const struct message *message,
                      struct flow_agent *agent)
{
    if (counting->since_us != TIME_NONE)
        agent->parts[part_of(counting, message)]++;
}

static void count_message(struct counting *counting, const struct message *message)
{
    struct flow *flow = counting->flow;
    struct flow_agent *agent;
    struct flow_pair *pair = pair_of(counting, message);
    bool unread = message_left_unread(message) && !message->place->archived &&
                  !message_expired(message, counting->now_us);

    if (message->created_us > pair->last_us)
        pair->last_us = message->created_us;
    if (message->kind == KIND_IDLE) {
        pair->idle++;
        flow->idle++;
        agent_of(counting, message->place, message->from)->idle++;
        agent_of(counting, message->place, message_recipient(message));
        return;
    }
    pair->count++;
    flow->count++;
    pair->unread += unread;
    flow->unread += unread;
    agent = agent_of(counting, message->place, message->from);
    agent->sent++;
    count_for(counting, message, agent);
    agent = agent_of(counting, message->place, message_recipient(message));
    agent->received++;
    if (!span_eq(agent->name, message->from))
        count_for(counting, message, agent);
}

static void count_request(struct counting *counting, const struct message *message)
{
    struct flow_pair *pair = pair_of(counting, message);

    pair->open++;
    counting->flow->open++;
    if (message->created_us != TIME_NONE &&
        (pair->oldest_us == TIME_NONE || message->created_us < pair->oldest_us))
        pair->oldest_us = message->created_us;
    agent_of(counting, message->place, message->from);
    agent_of(counting, message->place, message_recipient(message));
}

static int by_team(uint32_t source_a, struct span team_a, uint32_t source_b, struct span team_b)
{
    int order = source_a < source_b ? -1 : source_a > source_b;

    return order ? order : span_cmp(team_a, team_b);
}

static int by_traffic(size_t a, size_t b)
{
    return a > b ? -1 : a < b;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct flow_pair *x = a, *y = b;
    int order = by_team(x->source, x->team, y->source, y->team);

    order = order ? order : by_traffic(x->count, y->count);
    order = order ? order : span_cmp(x->from, y->from);
    return order ? order : span_cmp(x->to, y->to);
}

static int compare_agents(const void *a, const void *b)
{
    const struct flow_agent *x = a, *y = b;
    int order = by_team(x->source, x->team, y->source, y->team);

    order = order ? order : by_traffic(x->sent + x->received, y->sent + y->received);
    return order ? order : span_cmp(x->name, y->name);
}

void flow_build(struct flow *flow, const struct model *model, const struct requests *asks,
                int64_t since_us, int64_t now_us)
{
    struct counting counting = {.flow = flow, .since_us = since_us, .now_us = now_us};

    *flow = (struct flow){0};
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (!message->damaged && (since_us == TIME_NONE || message->created_us >= since_us))
            count_message(&counting, message);
    }
    for (size_t i = 0; i < asks->count; i++)
        if (request_waits(&asks->items[i]))
            count_request(&counting, model->messages[asks->items[i].message]);
    if (flow->pair_count) {
        qsort(flow->pairs, flow->pair_count, sizeof *flow->pairs, compare_pairs);
        qsort(flow->agents, flow->agent_count, sizeof *flow->agents, compare_agents);
    }
    map_free(&counting.pairs);
    map_free(&counting.agents);
    arena_free(&counting.keys);
    str_free(&counting.scratch);
}

void flow_free(struct flow *flow)
{
    free(flow->pairs);
    free(flow->agents);
    *flow = (struct flow){0};
}
