/* The picture that the screens show: building it, and finding messages in it. */
#include "ui/snapshot/picture.h"

#include "base/mem.h"
#include "base/parallel.h"

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

/* A picture out of parts. Numbers of a part become numbers of all by what stands before it. */

/* Where something of each part begins among all. */
struct joining {
    struct picture *picture;
    const struct sight_parts *parts;
    struct agents_world *world;
    int64_t now_us;
    uint32_t *first_talk; /* by number of a part */
    size_t messages, doubles, asks, talks;
};

/* All that stand for "none" are the same number, which stays. */
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
        all.talks += part->talks.count;
    }
    picture->parts = mem_alloc((joining->parts->count + 1) * sizeof *picture->parts);
    picture->firsts = mem_alloc((joining->parts->count + 1) * sizeof *picture->firsts);
    joining->first_talk = mem_alloc((joining->parts->count + 1) * sizeof *joining->first_talk);
    picture->model.messages = mem_alloc((all.messages + 1) * sizeof *picture->model.messages);
    picture->model.doubles = mem_alloc((all.doubles + 1) * sizeof *picture->model.doubles);
    sight->model = &picture->model;
    sight->asks.items = mem_alloc((all.asks + 1) * sizeof *sight->asks.items);
    sight->asks.of = mem_alloc((all.messages + 1) * sizeof *sight->asks.of);
    sight->asks.answers = mem_alloc((all.messages + 1) * sizeof *sight->asks.answers);
    sight->threads.of = mem_alloc((all.messages + 1) * sizeof *sight->threads.of);
    sight->talks.items = mem_alloc((all.talks + 1) * sizeof *sight->talks.items);
    sight->talks.order = mem_alloc((all.messages + 1) * sizeof *sight->talks.order);
    sight->talks.of = mem_alloc((all.messages + 1) * sizeof *sight->talks.of);
    sight->talks.model = &picture->model;
    sight->talks.asks = &sight->asks;
    picture->talk_keys = mem_alloc((all.talks + 1) * sizeof *picture->talk_keys);
    picture->seats = mem_alloc((all.talks + 1) * sizeof *picture->seats);
}

static void join_asks(struct asks *all, const struct asks *some, size_t messages, uint32_t first)
{
    uint32_t first_ask = (uint32_t)all->count;

    for (size_t i = 0; i < some->count; i++) {
        struct ask ask = some->items[i];
        ask.message += first;
        ask.answer = moved(ask.answer, first);
        ask.superseded_by = moved(ask.superseded_by, first_ask);
        ask.supersedes = moved(ask.supersedes, first_ask);
        all->items[all->count++] = ask;
    }
    put_numbers(all->of + first, some->of, messages, first_ask);
    put_numbers(all->answers + first, some->answers, messages, first_ask);
}

static void join_talks(struct talks *all, const struct talks *some, size_t messages, uint32_t first,
                       uint32_t first_ask)
{
    uint32_t first_talk = (uint32_t)all->count;

    for (size_t i = 0; i < some->count; i++) {
        struct talk *talk = &all->items[all->count++];
        *talk = some->items[i];
        talk->first += first;
        talk->named_by += first;
        talk->ask = moved(talk->ask, first_ask);
    }
    put_numbers(all->order + first, some->order, messages, first);
    put_numbers(all->of + first, some->of, messages, first_talk);
}

static void join_part(struct joining *joining, size_t number)
{
    struct picture *picture = joining->picture;
    struct sight_part *part = joining->parts->items[number];
    struct model *model = &picture->model;
    struct sight *sight = &picture->sight;
    uint32_t first = (uint32_t)model->count, first_ask = (uint32_t)sight->asks.count;
    size_t talks = sight->talks.count;

    part->holders++;
    picture->parts[picture->part_count] = part;
    picture->firsts[picture->part_count++] = first;
    joining->first_talk[number] = (uint32_t)talks;
    join_asks(&sight->asks, &part->asks, part->model.count, first);
    join_talks(&sight->talks, &part->talks, part->model.count, first, first_ask);
    put_numbers(sight->threads.of + first, part->threads.of, part->model.count,
                (uint32_t)sight->threads.count);
    sight->threads.count += part->threads.count;
    for (size_t i = 0; i < part->model.count; i++)
        model->messages[model->count++] = part->model.messages[i];
    for (size_t i = 0; i < part->model.double_count; i++)
        model->doubles[model->double_count++] = part->model.doubles[i];
    for (size_t i = 0; i < part->talks.count; i++) {
        picture->talk_keys[talks + i] = part->talk_keys[i];
        picture->seats[talks + i] = part->seats[i];
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
    agents_world_join(joining->world, &picture->model, shares, picture->part_count, &sight->asks,
                      joining->now_us, &sight->agents);
    picture->counts.stuck = sight->agents.in_state[AGENT_STUCK];
    free(shares);
}

static void *join_handoffs(void *context)
{
    struct joining *joining = context;
    struct picture *picture = joining->picture;
    struct courses_share *shares = mem_alloc((picture->part_count + 1) * sizeof *shares);

    for (size_t i = 0; i < picture->part_count; i++)
        shares[i] = (struct courses_share){&picture->parts[i]->handoffs, picture->firsts[i]};
    agents_world_join_handoffs(joining->world, &picture->model, &picture->sight.threads, shares,
                               picture->part_count, joining->now_us, &picture->sight.handoffs);
    free(shares);
    return NULL;
}

/* --- the order of all --- */

/* Those that show that an agent may be stuck stand elsewhere than without that. */
struct hinted {
    struct attention_entry *items;
    size_t count;
};

static int by_rank(const void *a, const void *b)
{
    return attention_cmp(a, b);
}

static struct hinted take_hints(struct picture *picture)
{
    struct talks *talks = &picture->sight.talks;
    size_t most = picture->sight.agents.count + 1;
    struct talk_hint *hints = mem_alloc(most * sizeof *hints);
    size_t count = sight_hints(&picture->sight.agents, hints);
    struct hinted hinted = {.items = mem_alloc(most * sizeof *hinted.items)};

    talks_take_hints(talks, hints, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = talks->of[hints[i].message];
        struct talk *talk = number == TALK_NONE ? NULL : &talks->items[number];
        if (!talk || talk->stuck.at != hints[i].agent.at)
            continue; /* another one shows the same, for longer */
        picture->seats[number] = attention_seat(talks, talk, picture->talk_keys[number]);
        hinted.items[hinted.count++] =
            (struct attention_entry){attention_rank(talks, talk), talks, talk};
    }
    free(hints);
    qsort(hinted.items, hinted.count, sizeof *hinted.items, by_rank);
    return hinted;
}

static void put_talk(struct attention *order, const struct attention_rank *rank, uint32_t number)
{
    order->counts[rank->group]++;
    order->talks[order->count++] = number;
}

static void join_order(struct joining *joining)
{
    const struct sight_parts *parts = joining->parts;
    struct picture *picture = joining->picture;
    const struct talks *talks = &picture->sight.talks;
    struct attention *order = &picture->order;
    struct hinted hinted = take_hints(picture);
    size_t at = 0;

    order->talks = mem_alloc((talks->count + 1) * sizeof *order->talks);
    for (size_t i = 0; i < parts->sorted_count; i++) {
        const struct sight_talk *sorted = &parts->sorted[i];
        uint32_t number = joining->first_talk[sorted->part] + sorted->talk;
        struct attention_entry entry = {sorted->rank, talks, &talks->items[number]};
        if (entry.talk->stuck.at)
            continue;
        for (; at < hinted.count && attention_cmp(&hinted.items[at], &entry) < 0; at++)
            put_talk(order, &hinted.items[at].rank,
                     (uint32_t)(hinted.items[at].talk - talks->items));
        put_talk(order, &sorted->rank, number);
    }
    for (; at < hinted.count; at++)
        put_talk(order, &hinted.items[at].rank, (uint32_t)(hinted.items[at].talk - talks->items));
    free(hinted.items);
}

/* Fills the model, the sight and the order of a picture; see picture_build(). */
static void picture_join(struct picture *picture, const struct sight_parts *parts,
                         struct agents_world *world, int64_t now_us)
{
    struct joining joining = {.picture = picture, .parts = parts, .world = world, .now_us = now_us};
    struct beside beside;

    make_room(&joining);
    for (size_t i = 0; i < parts->count; i++)
        join_part(&joining, i);
    if (world) {
        beside_do(&beside, picture->model.count, join_handoffs, &joining);
        join_agents(&joining);
    }
    join_order(&joining);
    if (world)
        beside_wait(&beside);
    threads_free(&picture->sight.threads); /* only handoffs needed them */
    free(joining.first_talk);
}

/* --- building --- */

void picture_add_key(struct str *key, const struct message *message)
{
    message_add_name(key, message, true);
    message_add_copy(key, message);
}

void picture_build(struct picture *picture, const struct sight_parts *parts,
                   struct agents_world *world, int64_t now_us)
{
    picture->world = world;
    picture->seed = parts->seed;
    picture_join(picture, parts, world, now_us);
    picture->known = picture->model.count + picture->model.double_count;
    who_index_build(&picture->who, &picture->sight.agents);
}

void picture_free(struct picture *picture)
{
    live_changes_free(&picture->changes);
    for (size_t i = 0; i < picture->news_count; i++)
        news_free(&picture->news[i]);
    free(picture->news);
    free(picture->talk_keys);
    free(picture->seats);
    attention_free(&picture->order);
    who_index_free(&picture->who);
    sight_free(&picture->sight);
    model_free(&picture->model);
    for (size_t i = 0; i < picture->part_count; i++)
        sight_part_let_go(picture->parts[i]);
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

const struct talk *picture_talk(const struct picture *picture, struct span key)
{
    uint32_t number = picture_number(picture, key);

    if (number == UINT32_MAX || picture->sight.talks.of[number] == TALK_NONE)
        return NULL;
    return &picture->sight.talks.items[picture->sight.talks.of[number]];
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
