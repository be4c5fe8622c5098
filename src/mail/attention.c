/* Attention: groups of talks, and the order in them. */
#include "mail/attention.h"

#include "base/mem.h"

#include <stdlib.h>

enum attention_group attention_group(const struct talks *talks, const struct talk *talk)
{
    if (talk->waits_for_us || talk->stuck.at)
        return ATTENTION_NEEDS;
    if (talk->form == TALK_DAMAGED)
        return talk_message(talks, talk, 0)->mine && !talk->archived ? ATTENTION_UNREAD
                                                                     : ATTENTION_REST;
    if (talk->form == TALK_IDLE && !talk->failed)
        return ATTENTION_REST;
    if (talk->unread_mine)
        return ATTENTION_UNREAD;
    return talk->unread || talk->ask != ASK_NONE ? ATTENTION_SWARM : ATTENTION_REST;
}

bool attention_is_hint(const struct talk *talk)
{
    return talk->stuck.at && !talk->waits_for_us;
}

/* What decides before ids do. */
struct rank {
    enum attention_group group;
    bool hinted, idle;
    uint8_t priority;
    int64_t when_us; /* earlier is first */
};

static int64_t earlier(int64_t a_us, int64_t b_us)
{
    if (a_us == WHEN_NONE || b_us == WHEN_NONE)
        return a_us == WHEN_NONE ? b_us : a_us;
    return a_us < b_us ? a_us : b_us;
}

static struct rank rank_of(const struct talks *talks, const struct talk *talk)
{
    struct rank rank = {.group = attention_group(talks, talk),
                        .hinted = attention_is_hint(talk),
                        .idle = talk->form == TALK_IDLE && !talk->stuck.at,
                        .priority = talk->priority};

    switch (rank.group) {
    case ATTENTION_NEEDS:
        rank.when_us = earlier(talk->waits_for_us ? talk->waits_us : WHEN_NONE, talk->stuck_us);
        break;
    case ATTENTION_UNREAD:
        rank.when_us = talk->form == TALK_DAMAGED ? talk->last_us : talk->unread_us;
        break;
    case ATTENTION_SWARM:
        rank.when_us = earlier(talk->unread_us, talk->waits_us);
        break;
    case ATTENTION_REST:
    case ATTENTION_GROUPS:
        rank.priority = 0;
        rank.when_us = talk->last_us == WHEN_NONE ? INT64_MAX : -talk->last_us;
        break;
    }
    return rank;
}

struct ranking {
    const struct talks *talks;
    const struct rank *ranks;
};

static int compare_ids(const struct talks *talks, const struct talk *a, const struct talk *b)
{
    const struct message *x = talk_message(talks, a, 0), *y = talk_message(talks, b, 0);
    int order = span_cmp(a->id, b->id);

    if (!order && x->place->source != y->place->source)
        order = x->place->source < y->place->source ? -1 : 1;
    return order ? order : message_cmp_place(x, y);
}

static int by_rank(const void *a, const void *b, void *context)
{
    const struct ranking *ranking = context;
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    const struct rank *x = &ranking->ranks[first], *y = &ranking->ranks[second];

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->hinted != y->hinted)
        return x->hinted ? 1 : -1;
    if (x->idle != y->idle)
        return x->idle ? 1 : -1;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    if (x->when_us != y->when_us)
        return x->when_us < y->when_us ? -1 : 1;
    return compare_ids(ranking->talks, &ranking->talks->items[first],
                       &ranking->talks->items[second]);
}

struct scope scope_read(struct span word)
{
    bool known = span_is(word, "mine") || span_is(word, "all");

    return (struct scope){.mine = span_is(word, "mine"), .agent = !known ? word : (struct span){0}};
}

static bool is_wanted(const struct talks *talks, const struct talk *talk, const struct scope *scope)
{
    if (scope->mine)
        return talk->ours || talk->stuck.at;
    return !scope->agent.at || talk_has_agent(talks, talk, scope->agent);
}

void attention_build(struct attention *order, const struct talks *talks, const struct scope *scope)
{
    struct rank *ranks = mem_alloc((talks->count + 1) * sizeof *ranks);
    struct ranking ranking = {talks, ranks};

    *order = (struct attention){.talks = mem_alloc((talks->count + 1) * sizeof *order->talks)};
    for (uint32_t i = 0; i < talks->count; i++) {
        if (!is_wanted(talks, &talks->items[i], scope))
            continue;
        ranks[i] = rank_of(talks, &talks->items[i]);
        order->counts[ranks[i].group]++;
        order->talks[order->count++] = i;
    }
    qsort_r(order->talks, order->count, sizeof *order->talks, by_rank, &ranking);
    free(ranks);
}

void attention_narrow(struct attention *order, const struct attention *everybody,
                      const struct talks *talks, const struct scope *scope)
{
    *order = (struct attention){.talks = mem_alloc((everybody->count + 1) * sizeof *order->talks)};
    for (size_t i = 0; i < everybody->count; i++) {
        const struct talk *talk = &talks->items[everybody->talks[i]];
        if (!is_wanted(talks, talk, scope))
            continue;
        order->counts[attention_group(talks, talk)]++;
        order->talks[order->count++] = everybody->talks[i];
    }
}

void attention_free(struct attention *order)
{
    free(order->talks);
    *order = (struct attention){0};
}
