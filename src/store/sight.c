/* Sight: what is made of all messages together. */
#include "store/sight.h"

#include "base/mem.h"
#include "base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>

size_t sight_hints(const struct agents *agents, struct talk_hint *hints)
{
    bool *told = mem_zero(agents->circle_count + 1, sizeof *told);
    size_t count = 0;

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        bool circle = agent->circle != AGENT_NONE;
        if (agent->state != AGENT_STUCK || (circle && told[agent->circle]))
            continue; /* the first of a circle names all of it */
        if (circle)
            told[agent->circle] = true;
        if (agent->evidence != AGENT_NONE)
            hints[count++] = (struct talk_hint){agent->evidence, agent->name, agent->why,
                                                agent->since_us, &agent->why_ages};
    }
    free(told);
    return count;
}

/* Of many messages one thread makes a share of it. */
struct making {
    struct sight *sight;
    struct agents_world *world;
    int64_t now_us;
};

static void *make_asks(void *context)
{
    struct making *making = context;

    asks_build(&making->sight->asks, making->sight->model, making->now_us);
    return NULL;
}

static void *make_handoffs(void *context)
{
    struct making *making = context;
    struct sight *sight = making->sight;

    agents_world_handoffs(making->world, sight->model, &sight->threads, making->now_us,
                          &sight->handoffs);
    return NULL;
}

void sight_build(struct sight *sight, const struct model *model, struct agents_world *world,
                 int64_t now_us, bool expired)
{
    struct making making = {sight, world, now_us};
    struct beside beside;

    *sight = (struct sight){.model = model};
    beside_do(&beside, model->count, make_asks, &making);
    struct thread_sets *sets = thread_sets_new(model);
    beside_wait(&beside);
    threads_number(&sight->threads, sets, &sight->asks);
    beside_do(&beside, model->count, make_handoffs, &making);
    if (world)
        agents_world_build(world, model, &sight->asks, now_us, &sight->agents);
    struct talk_hint *hints = mem_zero(sight->agents.count + 1, sizeof *hints);
    struct talk_input input = {.model = model,
                               .threads = &sight->threads,
                               .asks = &sight->asks,
                               .hints = hints,
                               .hint_count = sight_hints(&sight->agents, hints),
                               .now_us = now_us,
                               .expired = expired};
    talks_build(&sight->talks, &input);
    beside_wait(&beside);
    free(hints);
}

void sight_free(struct sight *sight)
{
    courses_free(&sight->handoffs);
    agents_free(&sight->agents);
    talks_free(&sight->talks);
    threads_free(&sight->threads);
    asks_free(&sight->asks);
    *sight = (struct sight){0};
}

/* All but who is stuck, for who has only the talks. */
static struct sight_counts sight_count_talks(const struct talks *talks)
{
    const struct asks *asks = talks->asks;
    struct sight_counts counts = {0};

    for (size_t i = 0; i < asks->count; i++)
        counts.waiting +=
            asks->items[i].open && message_for_us(talks->model->messages[asks->items[i].message]);
    for (size_t i = 0; i < talks->count; i++)
        counts.unread += talks->items[i].archived ? 0 : talks->items[i].unread_mine;
    for (size_t i = 0; i < talks->model->count; i++)
        counts.unreadable +=
            talks->model->messages[i]->unread_bytes && !talks->model->messages[i]->place->archived;
    return counts;
}

struct sight_counts sight_count(const struct sight *sight)
{
    struct sight_counts counts = sight_count_talks(&sight->talks);

    counts.stuck = sight->agents.in_state[AGENT_STUCK];
    return counts;
}

/* What is made of one part of the mail by itself. */

uint32_t sight_key_hash(struct span dir, struct span rest, uint64_t seed)
{
    return map_hash(rest, map_hash(dir, seed));
}

static void index_messages(struct sight_part *part, uint64_t seed)
{
    const struct place *last = NULL;
    struct str dir = {0}, rest = {0};

    hash_index_reserve(&part->keys, part->model.count);
    for (uint32_t i = 0; i < part->model.count; i++) {
        const struct message *message = part->model.messages[i];
        if (message->place != last) {
            str_clear(&dir);
            message_add_path(&dir, message, true);
            dir.len -= message->file.len;
            last = message->place;
        }
        str_clear(&rest);
        message_add_part(&rest, message);
        message_add_copy(&rest, message);
        hash_index_add(&part->keys, sight_key_hash(str_span(&dir), str_span(&rest), seed), i);
    }
    str_free(&dir);
    str_free(&rest);
}

static void name_talks(struct sight_part *part)
{
    const struct talks *talks = &part->talks;
    struct str key = {0};

    part->talk_keys = mem_alloc((talks->count + 1) * sizeof *part->talk_keys);
    part->seats = mem_alloc((talks->count + 1) * sizeof *part->seats);
    for (size_t i = 0; i < talks->count; i++) {
        str_clear(&key);
        talk_add_key(&key, talks, &talks->items[i]);
        part->talk_keys[i] = arena_copy(&part->arena, str_span(&key));
        part->seats[i] = attention_seat(talks, &talks->items[i], part->talk_keys[i]);
    }
    str_free(&key);
}

/* Whatever else depends on the clock does so by what expires. */
static void find_next_change(struct sight_part *part)
{
    part->next_us = part->tally.next_us;
    for (size_t i = 0; i < part->model.count; i++)
        if (part->model.messages[i]->expires_us > part->made_us)
            when_take_sooner(&part->next_us, part->model.messages[i]->expires_us);
}

/* Makes one for one holder; the seed is for its keys. Different parts can be made at the same time.
 */
static struct sight_part *sight_part_new(struct parts *parts, const struct live *live,
                                         size_t number, int64_t now_us, uint64_t seed)
{
    struct sight_part *part = mem_zero(1, sizeof *part);

    part->holders = 1;
    part->made_us = now_us;
    parts_view(parts, live, number, &part->model);
    asks_build(&part->asks, &part->model, now_us);
    threads_build(&part->threads, &part->model, &part->asks);
    struct talk_input input = {
        .model = &part->model, .threads = &part->threads, .asks = &part->asks, .now_us = now_us};
    talks_build(&part->talks, &input);
    agent_tally_fill(&part->tally, &part->model, now_us);
    id_order_fill(&part->ids, &part->model);
    name_talks(part);
    index_messages(part, seed);
    part->counts = sight_count_talks(&part->talks);
    find_next_change(part);
    return part;
}

/* Listens to what is said about handoffs, unless that was done with the same names. */
static void sight_part_hear(struct sight_part *part, struct agents_world *world, int64_t now_us)
{
    if (part->naming == world->naming)
        return;
    hearing_free(&part->handoffs);
    agents_world_hear(world, &part->model, &part->threads, now_us, &part->handoffs);
    part->naming = world->naming;
    when_take_sooner(&part->next_us, part->handoffs.next_us);
}

void sight_part_let_go(struct sight_part *part)
{
    if (!part || --part->holders)
        return;
    hash_index_free(&part->keys);
    free(part->talk_keys);
    free(part->seats);
    hearing_free(&part->handoffs);
    id_order_free(&part->ids);
    agent_tally_free(&part->tally);
    talks_free(&part->talks);
    threads_free(&part->threads);
    asks_free(&part->asks);
    model_free(&part->model);
    arena_free(&part->arena);
    free(part);
}

/* Sight of live mail, in parts. */

struct sight_parts *sight_parts_new(struct live *live, size_t part_size)
{
    struct sight_parts *sight = mem_zero(1, sizeof *sight);

    sight->seed = map_seed();
    sight->parts = parts_new(part_size);
    live_track(live);
    return sight;
}

void sight_parts_free(struct sight_parts *sight)
{
    if (!sight)
        return;
    for (size_t i = 0; i < sight->count; i++)
        sight_part_let_go(sight->items[i]);
    free(sight->items);
    free(sight->sorted);
    parts_free(sight->parts);
    free(sight);
}

/* --- making parts --- */

/* Parts that are to be made, and are made by whoever comes first. */
struct parts_making {
    struct sight_parts *sight;
    const struct live *live;
    struct agents_world *world; /* or NULL */
    int64_t now_us;
    uint32_t *numbers;
    size_t count;
    atomic_size_t next;
    struct sight_part **made;
};

static void *make_some(void *context)
{
    struct parts_making *parts_making = context;
    const struct sight_parts *sight = parts_making->sight;
    size_t at;

    while ((at = atomic_fetch_add(&parts_making->next, 1)) < parts_making->count) {
        parts_making->made[at] =
            sight_part_new(sight->parts, parts_making->live, parts_making->numbers[at],
                           parts_making->now_us, sight->seed);
        if (parts_making->world)
            sight_part_hear(parts_making->made[at], parts_making->world, parts_making->now_us);
    }
    return NULL;
}

/* A clock that was put back makes old what was made later. */
static bool is_old(const struct sight_part *part, int64_t now_us)
{
    return !part || now_us < part->made_us ||
           (part->next_us != WHEN_NONE && part->next_us <= now_us);
}

static void find_old(struct parts_making *parts_making)
{
    struct sight_parts *sight = parts_making->sight;

    parts_making->numbers = mem_alloc((sight->count + 1) * sizeof *parts_making->numbers);
    for (uint32_t i = 0; i < sight->count; i++) {
        bool changed = parts_take_changed(sight->parts, i);
        if (changed || is_old(sight->items[i], parts_making->now_us))
            parts_making->numbers[parts_making->count++] = i;
    }
}

static void make_parts(struct parts_making *parts_making)
{
    struct beside beside;

    parts_making->made = mem_zero(parts_making->count + 1, sizeof *parts_making->made);
    beside_do(&beside, parts_making->count * SIGHT_PART_SIZE, make_some, parts_making);
    make_some(parts_making);
    beside_wait(&beside);
    for (size_t i = 0; i < parts_making->count; i++) {
        struct sight_part **item = &parts_making->sight->items[parts_making->numbers[i]];
        sight_part_let_go(*item);
        *item = parts_making->made[i];
    }
}

/* --- their order --- */

static struct attention_entry entry_of(const struct sight_parts *sight, const struct sight_talk *at)
{
    const struct talks *talks = &sight->items[at->part]->talks;

    return (struct attention_entry){at->rank, talks, &talks->items[at->talk]};
}

static int cmp_talks(const struct sight_talk *a, const struct sight_talk *b,
                     const struct sight_parts *sight)
{
    const struct attention_entry x = entry_of(sight, a), y = entry_of(sight, b);

    return attention_cmp(&x, &y);
}

static int by_rank(const void *a, const void *b, void *context)
{
    return cmp_talks(a, b, context);
}

/* The talks of the parts that were made, in order. */
static struct sight_talk *sort_made(const struct parts_making *parts_making, size_t *count)
{
    struct sight_parts *sight = parts_making->sight;
    struct sight_talk *talks;
    size_t room = 1;

    for (size_t i = 0; i < parts_making->count; i++)
        room += parts_making->made[i]->talks.count;
    talks = mem_alloc(room * sizeof *talks);
    *count = 0;
    for (size_t i = 0; i < parts_making->count; i++) {
        const struct talks *made = &parts_making->made[i]->talks;
        for (uint32_t k = 0; k < made->count; k++)
            talks[(*count)++] = (struct sight_talk){attention_rank(made, &made->items[k]),
                                                    parts_making->numbers[i], k};
    }
    qsort_r(talks, *count, sizeof *talks, by_rank, sight);
    return talks;
}

/* Puts them among those of all other parts, which are in order already. */
static void sort_talks(const struct parts_making *parts_making)
{
    struct sight_parts *sight = parts_making->sight;
    size_t count, at = 0, sorted_count = 0;
    struct sight_talk *made = sort_made(parts_making, &count);
    struct sight_talk *sorted = mem_alloc((sight->sorted_count + count + 1) * sizeof *sorted);
    bool *is_made = mem_zero(sight->count + 1, sizeof *is_made);

    for (size_t i = 0; i < parts_making->count; i++)
        is_made[parts_making->numbers[i]] = true;
    for (size_t i = 0; i < sight->sorted_count; i++) {
        const struct sight_talk *old = &sight->sorted[i];
        if (is_made[old->part])
            continue;
        while (at < count && cmp_talks(&made[at], old, sight) < 0)
            sorted[sorted_count++] = made[at++];
        sorted[sorted_count++] = *old;
    }
    while (at < count)
        sorted[sorted_count++] = made[at++];
    free(is_made);
    free(made);
    free(sight->sorted);
    sight->sorted = sorted;
    sight->sorted_count = sorted_count;
}

void sight_parts_follow(struct sight_parts *sight, struct live *live, struct agents_world *world,
                        int64_t now_us)
{
    struct parts_making parts_making = {
        .sight = sight, .live = live, .world = world, .now_us = now_us};

    parts_follow(sight->parts, live);
    sight->items =
        mem_grow(sight->items, &sight->cap, parts_count(sight->parts) + 1, sizeof *sight->items);
    while (sight->count < parts_count(sight->parts))
        sight->items[sight->count++] = NULL;
    find_old(&parts_making);
    if (parts_making.count) {
        make_parts(&parts_making);
        sort_talks(&parts_making);
    }
    for (size_t i = 0; world && i < sight->count; i++)
        sight_part_hear(sight->items[i], world, now_us);
    free(parts_making.numbers);
    free(parts_making.made);
}
