/* Attention: keeping an order while a person reads it. */
#include "mail/thread/inbox_order.h"

#include "base/mem.h"

#include <stdlib.h>

/* Attention: groups of talks, and the order in them. */

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

static int64_t earlier(int64_t a_us, int64_t b_us)
{
    if (a_us == WHEN_NONE || b_us == WHEN_NONE)
        return a_us == WHEN_NONE ? b_us : a_us;
    return a_us < b_us ? a_us : b_us;
}

struct attention_rank attention_rank(const struct talks *talks, const struct talk *talk)
{
    enum attention_group group = attention_group(talks, talk);
    struct attention_rank rank = {.group = (uint8_t)group,
                                  .hinted = attention_is_hint(talk),
                                  .idle = talk->form == TALK_IDLE && !talk->stuck.at,
                                  .priority = talk->priority};

    switch (group) {
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

static int compare_ids(const struct attention_entry *a, const struct attention_entry *b)
{
    const struct message *x = talk_message(a->talks, a->talk, 0);
    const struct message *y = talk_message(b->talks, b->talk, 0);
    int order = span_cmp(a->talk->id, b->talk->id);

    if (!order && x->place->source != y->place->source)
        order = x->place->source < y->place->source ? -1 : 1;
    return order ? order : message_cmp_place(x, y);
}

int attention_cmp(const struct attention_entry *a, const struct attention_entry *b)
{
    const struct attention_rank *x = &a->rank, *y = &b->rank;

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
    return compare_ids(a, b);
}

static int by_rank(const void *a, const void *b)
{
    return attention_cmp(a, b);
}

struct scope scope_read(struct span word)
{
    bool known = span_is(word, "mine") || span_is(word, "all");

    return (struct scope){.mine = span_is(word, "mine"), .agent = !known ? word : (struct span){0}};
}

static bool is_wanted(const struct talks *talks, const struct talk *talk, const struct scope *scope)
{
    if (scope->mine)
        return talk->ours;
    return !scope->agent.at || talk_has_agent(talks, talk, scope->agent);
}

void attention_build(struct attention *order, const struct talks *talks, const struct scope *scope)
{
    struct attention_entry *entries = mem_alloc((talks->count + 1) * sizeof *entries);

    *order = (struct attention){.talks = mem_alloc((talks->count + 1) * sizeof *order->talks)};
    for (uint32_t i = 0; i < talks->count; i++) {
        const struct talk *talk = &talks->items[i];
        if (!is_wanted(talks, talk, scope))
            continue;
        struct attention_rank rank = attention_rank(talks, talk);
        order->counts[rank.group]++;
        entries[order->count++] = (struct attention_entry){rank, talks, talk};
    }
    qsort(entries, order->count, sizeof *entries, by_rank);
    for (size_t i = 0; i < order->count; i++)
        order->talks[i] = (uint32_t)(entries[i].talk - talks->items);
    free(entries);
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

#define SEAT_SEED UINT64_C(0x8e9d5aab2c1f4073)

uint64_t attention_seat(const struct talks *talks, const struct talk *talk, struct span key)
{
    uint64_t part = 2 * attention_group(talks, talk) + attention_is_hint(talk);

    return (uint64_t)map_hash(key, ~SEAT_SEED + part) << 32 | map_hash(key, SEAT_SEED + part);
}

void attention_keys_free(struct attention_keys *keys)
{
    free(keys->seats);
    hash_index_free(&keys->places);
    *keys = (struct attention_keys){0};
}

void attention_note(struct attention_keys *keys, const struct attention *order,
                    const uint64_t *seats)
{
    attention_keys_free(keys);
    keys->count = order->count;
    keys->seats = mem_alloc((order->count + 1) * sizeof *keys->seats);
    hash_index_reserve(&keys->places, order->count);
    for (uint32_t i = 0; i < order->count; i++) {
        keys->seats[i] = seats[order->talks[i]];
        hash_index_add(&keys->places, (uint32_t)keys->seats[i], i);
    }
}

struct sought {
    const struct attention_keys *keys;
    uint64_t seat;
};

static bool is_sought(const void *context, uint32_t place)
{
    const struct sought *sought = context;

    return sought->keys->seats[place] == sought->seat;
}

struct kept {
    uint32_t place, talk;
};

static int by_place(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;

    return x->place < y->place ? -1 : x->place > y->place;
}

/* The seats that kept talks have in the new order are given to the same talks as they sat before. A
 * key names its part of the order and those do not mix, so nobody leaves the own part. */
void attention_keep(struct attention *order, const uint64_t *seats,
                    const struct attention_keys *previous)
{
    struct kept *kept = mem_alloc((order->count + 1) * sizeof *kept);
    size_t *at = mem_alloc((order->count + 1) * sizeof *at);
    size_t count = 0;
    bool moved = false;

    for (size_t i = 0; previous->count && i < order->count; i++) {
        struct sought sought = {previous, seats[order->talks[i]]};
        const uint32_t *place =
            hash_index_find(&previous->places, (uint32_t)sought.seat, is_sought, &sought);
        if (!place)
            continue;
        moved |= count && kept[count - 1].place > *place;
        at[count] = i;
        kept[count++] = (struct kept){*place, order->talks[i]};
    }
    if (moved)
        qsort(kept, count, sizeof *kept, by_place);
    for (size_t i = 0; i < count; i++)
        order->talks[at[i]] = kept[i].talk;
    free(kept);
    free(at);
}
