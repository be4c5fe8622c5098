/* The order of the inbox: groups, ranks, and keeping an order while a person reads it. */
#include "mail/thread/inbox_order.h"

#include "base/mem.h"

#include <stdlib.h>

/* Groups of conversations, and the order in them. */

enum inbox_order_group inbox_order_group(const struct conversations *conversations,
                                         const struct conversation *conversation)
{
    if (conversation->waits_for_us || conversation->stuck.at)
        return INBOX_ORDER_NEEDS;
    if (conversation->form == CONVERSATION_DAMAGED)
        return conversation_message(conversations, conversation, 0)->mine && !conversation->archived
                   ? INBOX_ORDER_UNREAD
                   : INBOX_ORDER_REST;
    if (conversation->form == CONVERSATION_IDLE && !conversation->failed)
        return INBOX_ORDER_REST;
    if (conversation->unread_mine)
        return INBOX_ORDER_UNREAD;
    return conversation->unread || conversation->ask != REQUEST_NONE ? INBOX_ORDER_SWARM
                                                                     : INBOX_ORDER_REST;
}

bool inbox_order_is_hint(const struct conversation *conversation)
{
    return conversation->stuck.at && !conversation->waits_for_us;
}

static int64_t earlier(int64_t a_us, int64_t b_us)
{
    if (a_us == TIME_NONE || b_us == TIME_NONE)
        return a_us == TIME_NONE ? b_us : a_us;
    return a_us < b_us ? a_us : b_us;
}

struct inbox_order_rank inbox_order_rank(const struct conversations *conversations,
                                         const struct conversation *conversation)
{
    enum inbox_order_group group = inbox_order_group(conversations, conversation);
    struct inbox_order_rank rank = {.group = (uint8_t)group,
                                    .hinted = inbox_order_is_hint(conversation),
                                    .idle = conversation->form == CONVERSATION_IDLE &&
                                            !conversation->stuck.at,
                                    .priority = conversation->priority};

    switch (group) {
    case INBOX_ORDER_NEEDS:
        rank.time_us = earlier(conversation->waits_for_us ? conversation->waits_us : TIME_NONE,
                               conversation->stuck_us);
        break;
    case INBOX_ORDER_UNREAD:
        rank.time_us = conversation->form == CONVERSATION_DAMAGED ? conversation->last_us
                                                                  : conversation->unread_us;
        break;
    case INBOX_ORDER_SWARM:
        rank.time_us = earlier(conversation->unread_us, conversation->waits_us);
        break;
    case INBOX_ORDER_REST:
    case INBOX_ORDER_GROUPS:
        rank.priority = 0;
        rank.time_us = conversation->last_us == TIME_NONE ? INT64_MAX : -conversation->last_us;
        break;
    }
    return rank;
}

static int compare_ids(const struct inbox_order_entry *a, const struct inbox_order_entry *b)
{
    const struct message *x = conversation_message(a->conversations, a->conversation, 0);
    const struct message *y = conversation_message(b->conversations, b->conversation, 0);
    int order = span_cmp(a->conversation->id, b->conversation->id);

    if (!order && x->place->source != y->place->source)
        order = x->place->source < y->place->source ? -1 : 1;
    return order ? order : message_cmp_place(x, y);
}

int inbox_order_cmp(const struct inbox_order_entry *a, const struct inbox_order_entry *b)
{
    const struct inbox_order_rank *x = &a->rank, *y = &b->rank;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->hinted != y->hinted)
        return x->hinted ? 1 : -1;
    if (x->idle != y->idle)
        return x->idle ? 1 : -1;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    if (x->time_us != y->time_us)
        return x->time_us < y->time_us ? -1 : 1;
    return compare_ids(a, b);
}

static int by_rank(const void *a, const void *b)
{
    return inbox_order_cmp(a, b);
}

struct scope scope_read(struct span word)
{
    bool known = span_is(word, "mine") || span_is(word, "all");

    return (struct scope){.mine = span_is(word, "mine"), .agent = !known ? word : (struct span){0}};
}

static bool is_wanted(const struct conversations *conversations,
                      const struct conversation *conversation, const struct scope *scope)
{
    if (scope->mine)
        return conversation->ours;
    return !scope->agent.at || conversation_has_agent(conversations, conversation, scope->agent);
}

void inbox_order_build(struct attention *order, const struct conversations *conversations,
                       const struct scope *scope)
{
    CLEANUP(mem_free)
    struct inbox_order_entry *entries = mem_alloc((conversations->count + 1) * sizeof *entries);

    *order = (struct attention){
        .conversations = mem_alloc((conversations->count + 1) * sizeof *order->conversations)};
    for (uint32_t i = 0; i < conversations->count; i++) {
        const struct conversation *conversation = &conversations->items[i];
        if (!is_wanted(conversations, conversation, scope))
            continue;
        struct inbox_order_rank rank = inbox_order_rank(conversations, conversation);
        order->counts[rank.group]++;
        entries[order->count++] = (struct inbox_order_entry){rank, conversations, conversation};
    }
    qsort(entries, order->count, sizeof *entries, by_rank);
    for (size_t i = 0; i < order->count; i++)
        order->conversations[i] = (uint32_t)(entries[i].conversation - conversations->items);
}

void inbox_order_narrow(struct attention *order, const struct attention *everybody,
                        const struct conversations *conversations, const struct scope *scope)
{
    *order = (struct attention){
        .conversations = mem_alloc((everybody->count + 1) * sizeof *order->conversations)};
    for (size_t i = 0; i < everybody->count; i++) {
        const struct conversation *conversation =
            &conversations->items[everybody->conversations[i]];
        if (!is_wanted(conversations, conversation, scope))
            continue;
        order->counts[inbox_order_group(conversations, conversation)]++;
        order->conversations[order->count++] = everybody->conversations[i];
    }
}

void inbox_order_free(struct attention *order)
{
    free(order->conversations);
    *order = (struct attention){0};
}

#define SEAT_SEED UINT64_C(0x8e9d5aab2c1f4073)

uint64_t inbox_order_key(const struct conversations *conversations,
                         const struct conversation *conversation, struct span key)
{
    uint64_t part =
        2 * inbox_order_group(conversations, conversation) + inbox_order_is_hint(conversation);

    return (uint64_t)map_hash(key, ~SEAT_SEED + part) << 32 | map_hash(key, SEAT_SEED + part);
}

void inbox_order_keys_free(struct inbox_order_keys *keys)
{
    free(keys->seats);
    hash_index_free(&keys->places);
    *keys = (struct inbox_order_keys){0};
}

void inbox_order_note(struct inbox_order_keys *keys, const struct attention *order,
                      const uint64_t *seats)
{
    inbox_order_keys_free(keys);
    keys->count = order->count;
    keys->seats = mem_alloc((order->count + 1) * sizeof *keys->seats);
    hash_index_reserve(&keys->places, order->count);
    for (uint32_t i = 0; i < order->count; i++) {
        keys->seats[i] = seats[order->conversations[i]];
        hash_index_add(&keys->places, (uint32_t)keys->seats[i], i);
    }
}

struct sought {
    const struct inbox_order_keys *keys;
    uint64_t seat;
};

static bool is_sought(const void *context, uint32_t place)
{
    const struct sought *sought = context;

    return sought->keys->seats[place] == sought->seat;
}

struct kept {
    uint32_t place, conversation;
};

static int by_place(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;

    return x->place < y->place ? -1 : x->place > y->place;
}

/* Takes the positions of the known conversations in the new order and assigns them to the same
 * conversations in their previous order. A seat includes the group, and groups do not mix, so no
 * conversation leaves its group. */
void inbox_order_keep(struct attention *order, const uint64_t *seats,
                      const struct inbox_order_keys *previous)
{
    CLEANUP(mem_free) struct kept *kept = mem_alloc((order->count + 1) * sizeof *kept);
    CLEANUP(mem_free) size_t *at = mem_alloc((order->count + 1) * sizeof *at);
    size_t count = 0;
    bool moved = false;

    for (size_t i = 0; previous->count && i < order->count; i++) {
        struct sought sought = {previous, seats[order->conversations[i]]};
        const uint32_t *place =
            hash_index_find(&previous->places, (uint32_t)sought.seat, is_sought, &sought);
        if (!place)
            continue;
        moved |= count && kept[count - 1].place > *place;
        at[count] = i;
        kept[count++] = (struct kept){*place, order->conversations[i]};
    }
    if (moved)
        qsort(kept, count, sizeof *kept, by_place);
    for (size_t i = 0; i < count; i++)
        order->conversations[at[i]] = kept[i].conversation;
}
