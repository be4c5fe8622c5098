/* The picture that the screens show: building it, and finding messages in it. */
#include "ui/snapshot/picture.h"

#include "base/mem.h"
#include "base/thread.h"

#include <stdlib.h>

/* Kept heads. */

void kept_heads_add(struct kept_heads *heads, const struct message *message)
{
    struct message *head = arena_alloc(&heads->arena, sizeof *head);

    message_keep(head, message, &heads->arena);
    heads->items = mem_grow(heads->items, &heads->cap, heads->count + 1, sizeof *heads->items);
    heads->items[heads->count++] = head;
}

void kept_heads_free(struct kept_heads *heads)
{
    free(heads->items);
    arena_free(&heads->arena);
    *heads = (struct kept_heads){0};
}

/* Joining parts to a snapshot. The numbers of a part are shifted by the counts of the parts before
 * it. */

/* The first number of each part in the snapshot. */
struct joining {
    struct picture *picture;
    const struct sight_parts *parts;
    struct agent_directory *world;
    int64_t now_us;
    uint32_t *first_conversation; /* by number of a part */
    size_t messages, doubles, asks, conversations;
};

/* The number for "none" is the same everywhere and is kept. */
static void put_numbers(uint32_t *to, const uint32_t *from, size_t count, uint32_t first)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i] == UINT32_MAX ? UINT32_MAX : from[i] + first;
}

static uint32_t moved(uint32_t number, uint32_t first)
{
    return number == UINT32_MAX ? UINT32_MAX : number + first;
}

static void make_room(struct joining *joining)
{
    struct picture *picture = joining->picture;
    struct sight *sight = &picture->sight;
    struct joining all = {0};

    for (size_t i = 0; i < joining->parts->count; i++) {
        const struct sight_part *part = joining->parts->items[i];
        all.messages += part->model.count;
        all.doubles += part->model.double_count;
        all.asks += part->asks.count;
        all.conversations += part->conversations.count;
    }
    picture->parts = mem_alloc((joining->parts->count + 1) * sizeof *picture->parts);
    picture->firsts = mem_alloc((joining->parts->count + 1) * sizeof *picture->firsts);
    joining->first_conversation =
        mem_alloc((joining->parts->count + 1) * sizeof *joining->first_conversation);
    picture->model.messages = mem_alloc((all.messages + 1) * sizeof *picture->model.messages);
    picture->model.doubles = mem_alloc((all.doubles + 1) * sizeof *picture->model.doubles);
    sight->model = &picture->model;
    sight->asks.items = mem_alloc((all.asks + 1) * sizeof *sight->asks.items);
    sight->asks.of = mem_alloc((all.messages + 1) * sizeof *sight->asks.of);
    sight->asks.answers = mem_alloc((all.messages + 1) * sizeof *sight->asks.answers);
    sight->threads.of = mem_alloc((all.messages + 1) * sizeof *sight->threads.of);
    sight->conversations.items =
        mem_alloc((all.conversations + 1) * sizeof *sight->conversations.items);
    sight->conversations.order = mem_alloc((all.messages + 1) * sizeof *sight->conversations.order);
    sight->conversations.of = mem_alloc((all.messages + 1) * sizeof *sight->conversations.of);
    sight->conversations.model = &picture->model;
    sight->conversations.asks = &sight->asks;
    picture->conversation_keys =
        mem_alloc((all.conversations + 1) * sizeof *picture->conversation_keys);
    picture->seats = mem_alloc((all.conversations + 1) * sizeof *picture->seats);
}

static void join_requests(struct requests *all, const struct requests *some, size_t messages,
                          uint32_t first)
{
    uint32_t first_ask = (uint32_t)all->count;

    for (size_t i = 0; i < some->count; i++) {
        struct request ask = some->items[i];
        ask.message += first;
        ask.answer = moved(ask.answer, first);
        ask.superseded_by = moved(ask.superseded_by, first_ask);
        ask.supersedes = moved(ask.supersedes, first_ask);
        all->items[all->count++] = ask;
    }
    put_numbers(all->of + first, some->of, messages, first_ask);
    put_numbers(all->answers + first, some->answers, messages, first_ask);
}

static void join_conversations(struct conversations *all, const struct conversations *some,
                               size_t messages, uint32_t first, uint32_t first_ask)
{
    uint32_t first_conversation = (uint32_t)all->count;

    for (size_t i = 0; i < some->count; i++) {
        struct conversation *conversation = &all->items[all->count++];
        *conversation = some->items[i];
        conversation->first += first;
        conversation->named_by += first;
        conversation->ask = moved(conversation->ask, first_ask);
    }
    put_numbers(all->order + first, some->order, messages, first);
    put_numbers(all->of + first, some->of, messages, first_conversation);
}

static void join_part(struct joining *joining, size_t number)
{
    struct picture *picture = joining->picture;
    struct sight_part *part = joining->parts->items[number];
    struct model *model = &picture->model;
    struct sight *sight = &picture->sight;
    uint32_t first = (uint32_t)model->count, first_ask = (uint32_t)sight->asks.count;
    size_t conversations = sight->conversations.count;

    part->holders++;
    picture->parts[picture->part_count] = part;
    picture->firsts[picture->part_count++] = first;
    joining->first_conversation[number] = (uint32_t)conversations;
    join_requests(&sight->asks, &part->asks, part->model.count, first);
    join_conversations(&sight->conversations, &part->conversations, part->model.count, first,
                       first_ask);
    put_numbers(sight->threads.of + first, part->threads.of, part->model.count,
                (uint32_t)sight->threads.count);
    sight->threads.count += part->threads.count;
    for (size_t i = 0; i < part->model.count; i++)
        model->messages[model->count++] = part->model.messages[i];
    for (size_t i = 0; i < part->model.double_count; i++)
        model->doubles[model->double_count++] = part->model.doubles[i];
    for (size_t i = 0; i < part->conversations.count; i++) {
        picture->conversation_keys[conversations + i] = part->conversation_keys[i];
        picture->seats[conversations + i] = part->seats[i];
    }
    picture->counts.waiting += part->counts.waiting;
    picture->counts.unread += part->counts.unread;
    picture->counts.unreadable += part->counts.unreadable;
}

static void join_agents(struct joining *joining)
{
    struct picture *picture = joining->picture;
    struct sight *sight = &picture->sight;
    struct agents_share *shares = mem_alloc((picture->part_count + 1) * sizeof *shares);

    for (size_t i = 0; i < picture->part_count; i++) {
        const struct sight_part *part = picture->parts[i];
        shares[i] = (struct agents_share){.tally = &part->tally,
                                          .ids = &part->ids,
                                          .model = &part->model,
                                          .first = picture->firsts[i]};
    }
    agent_directory_join(joining->world, &picture->model, shares, picture->part_count, &sight->asks,
                         joining->now_us, &sight->agents);
    picture->counts.stuck = sight->agents.in_state[AGENT_STUCK];
    free(shares);
}

static void *join_handoffs(void *context)
{
    struct joining *joining = context;
    struct picture *picture = joining->picture;
    struct handoffs_share *shares = mem_alloc((picture->part_count + 1) * sizeof *shares);

    for (size_t i = 0; i < picture->part_count; i++)
        shares[i] = (struct handoffs_share){&picture->parts[i]->handoffs, picture->firsts[i]};
    agent_directory_join_handoffs(joining->world, &picture->model, &picture->sight.threads, shares,
                                  picture->part_count, joining->now_us, &picture->sight.handoffs);
    free(shares);
    return NULL;
}

/* --- the order of all --- */

/* Conversations with a stuck agent have another position than without that hint. */
struct hinted {
    struct inbox_order_entry *items;
    size_t count;
};

static int by_rank(const void *a, const void *b)
{
    return inbox_order_cmp(a, b);
}

static struct hinted take_hints(struct picture *picture)
{
    struct conversations *conversations = &picture->sight.conversations;
    size_t most = picture->sight.agents.count + 1;
    struct conversation_hint *hints = mem_alloc(most * sizeof *hints);
    size_t count = sight_hints(&picture->sight.agents, hints);
    struct hinted hinted = {.items = mem_alloc(most * sizeof *hinted.items)};

    conversations_take_hints(conversations, hints, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = conversations->of[hints[i].message];
        struct conversation *conversation =
            number == CONVERSATION_NONE ? NULL : &conversations->items[number];
        if (!conversation || conversation->stuck.at != hints[i].agent.at)
            continue; /* another conversation shows this hint */
        picture->seats[number] =
            inbox_order_key(conversations, conversation, picture->conversation_keys[number]);
        hinted.items[hinted.count++] = (struct inbox_order_entry){
            inbox_order_rank(conversations, conversation), conversations, conversation};
    }
    free(hints);
    qsort(hinted.items, hinted.count, sizeof *hinted.items, by_rank);
    return hinted;
}

static void put_conversation(struct attention *order, const struct inbox_order_rank *rank,
                             uint32_t number)
{
    order->counts[rank->group]++;
    order->conversations[order->count++] = number;
}

static void join_order(struct joining *joining)
{
    const struct sight_parts *parts = joining->parts;
    struct picture *picture = joining->picture;
    const struct conversations *conversations = &picture->sight.conversations;
    struct attention *order = &picture->order;
    struct hinted hinted = take_hints(picture);
    size_t at = 0;

    order->conversations = mem_alloc((conversations->count + 1) * sizeof *order->conversations);
    for (size_t i = 0; i < parts->sorted_count; i++) {
        const struct sight_conversation *sorted = &parts->sorted[i];
        uint32_t number = joining->first_conversation[sorted->part] + sorted->conversation;
        struct inbox_order_entry entry = {sorted->rank, conversations,
                                          &conversations->items[number]};
        if (entry.conversation->stuck.at)
            continue;
        for (; at < hinted.count && inbox_order_cmp(&hinted.items[at], &entry) < 0; at++)
            put_conversation(order, &hinted.items[at].rank,
                             (uint32_t)(hinted.items[at].conversation - conversations->items));
        put_conversation(order, &sorted->rank, number);
    }
    for (; at < hinted.count; at++)
        put_conversation(order, &hinted.items[at].rank,
                         (uint32_t)(hinted.items[at].conversation - conversations->items));
    free(hinted.items);
}

/* Fills the model, the sight and the order of a picture; see picture_build(). */
static void picture_join(struct picture *picture, const struct sight_parts *parts,
                         struct agent_directory *world, int64_t now_us)
{
    struct joining joining = {.picture = picture, .parts = parts, .world = world, .now_us = now_us};
    struct beside beside;

    make_room(&joining);
    for (size_t i = 0; i < parts->count; i++)
        join_part(&joining, i);
    if (world) {
        parallel_do(&beside, picture->model.count, join_handoffs, &joining);
        join_agents(&joining);
    }
    join_order(&joining);
    if (world)
        parallel_wait(&beside);
    threads_free(&picture->sight.threads); /* only handoffs needed them */
    free(joining.first_conversation);
}

/* --- building --- */

void picture_add_key(struct str *key, const struct message *message)
{
    message_add_name(key, message, true);
    message_add_copy(key, message);
}

void picture_build(struct picture *picture, const struct sight_parts *parts,
                   struct agent_directory *world, int64_t now_us)
{
    picture->world = world;
    picture->seed = parts->seed;
    picture_join(picture, parts, world, now_us);
    picture->known = picture->model.count + picture->model.double_count;
    agent_index_build(&picture->who, &picture->sight.agents);
}

void picture_free(struct picture *picture)
{
    live_changes_free(&picture->changes);
    for (size_t i = 0; i < picture->news_count; i++)
        news_free(&picture->news[i]);
    free(picture->news);
    free(picture->conversation_keys);
    free(picture->seats);
    inbox_order_free(&picture->order);
    agent_index_free(&picture->who);
    sight_free(&picture->sight);
    model_free(&picture->model);
    for (size_t i = 0; i < picture->part_count; i++)
        sight_part_release(picture->parts[i]);
    free(picture->parts);
    free(picture->firsts);
    free(picture);
}

/* --- finding --- */

struct wanted {
    const struct model *model; /* of the part */
    struct span key;
    struct str scratch;
    uint32_t first; /* that was found */
};

/* Goes on to the end: the first of the model counts when several are the same. */
static bool take_key(const void *context, uint32_t number)
{
    struct wanted *wanted = (struct wanted *)(uintptr_t)context;

    str_clear(&wanted->scratch);
    picture_add_key(&wanted->scratch, wanted->model->messages[number]);
    if (number < wanted->first && span_eq(str_span(&wanted->scratch), wanted->key))
        wanted->first = number;
    return false;
}

/* In whichever part it is. */
static uint32_t find_hashed(const struct picture *picture, struct wanted *wanted, uint32_t hash)
{
    for (size_t i = 0; i < picture->part_count; i++) {
        wanted->model = &picture->parts[i]->model;
        hash_index_find(&picture->parts[i]->keys, hash, take_key, wanted);
        if (wanted->first != UINT32_MAX)
            return picture->firsts[i] + wanted->first;
    }
    return UINT32_MAX;
}

uint32_t picture_number(const struct picture *picture, struct span key)
{
    struct wanted wanted = {.key = key, .first = UINT32_MAX};
    uint32_t found = UINT32_MAX;

    /* nearly always the last slash is the right one; but an id may hold others */
    for (size_t at = key.len; at-- > 0 && found == UINT32_MAX;) {
        struct span dir = {key.at, at + 1}, rest = {key.at + at + 1, key.len - at - 1};
        if (key.at[at] == '/')
            found = find_hashed(picture, &wanted, sight_key_hash(dir, rest, picture->seed));
    }
    str_free(&wanted.scratch);
    return found;
}

const struct message *picture_find(const struct picture *picture, struct span key)
{
    uint32_t number = picture_number(picture, key);

    return number == UINT32_MAX ? NULL : picture->model.messages[number];
}

const struct conversation *picture_conversation(const struct picture *picture, struct span key)
{
    uint32_t number = picture_number(picture, key);

    if (number == UINT32_MAX || picture->sight.conversations.of[number] == CONVERSATION_NONE)
        return NULL;
    return &picture->sight.conversations.items[picture->sight.conversations.of[number]];
}

const struct conversation *picture_conversation_of(const struct picture *picture,
                                                   const struct message *message)
{
    CLEANUP(str_free) struct str key = {0};

    picture_add_key(&key, message);
    return picture_conversation(picture, str_span(&key));
}

const struct message *picture_find_id(const struct picture *picture, uint32_t source,
                                      struct span team, struct span box, struct span id,
                                      uint32_t content)
{
    for (size_t i = 0; i < picture->model.count; i++) {
        const struct message *message = picture->model.messages[i];
        if (span_eq(message->id, id) && (!content || message->content == content) &&
            message->place->source == source && span_eq(message->place->box, box) &&
            span_eq(message->place->team, team))
            return message;
    }
    return NULL;
}
