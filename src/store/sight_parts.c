/* Sight of live mail, in parts. */
#include "store/sight_parts.h"

#include "base/beside.h"
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>

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
struct making {
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
    struct making *making = context;
    const struct sight_parts *sight = making->sight;
    size_t at;

    while ((at = atomic_fetch_add(&making->next, 1)) < making->count) {
        making->made[at] = sight_part_new(sight->parts, making->live, making->numbers[at],
                                          making->now_us, sight->seed);
        if (making->world)
            sight_part_hear(making->made[at], making->world, making->now_us);
    }
    return NULL;
}

/* A clock that was put back makes old what was made later. */
static bool is_old(const struct sight_part *part, int64_t now_us)
{
    return !part || now_us < part->made_us ||
           (part->next_us != WHEN_NONE && part->next_us <= now_us);
}

static void find_old(struct making *making)
{
    struct sight_parts *sight = making->sight;

    making->numbers = mem_alloc((sight->count + 1) * sizeof *making->numbers);
    for (uint32_t i = 0; i < sight->count; i++) {
        bool changed = parts_take_changed(sight->parts, i);
        if (changed || is_old(sight->items[i], making->now_us))
            making->numbers[making->count++] = i;
    }
}

static void make_parts(struct making *making)
{
    struct beside beside;

    making->made = mem_zero(making->count + 1, sizeof *making->made);
    beside_do(&beside, making->count * SIGHT_PART_SIZE, make_some, making);
    make_some(making);
    beside_wait(&beside);
    for (size_t i = 0; i < making->count; i++) {
        struct sight_part **item = &making->sight->items[making->numbers[i]];
        sight_part_let_go(*item);
        *item = making->made[i];
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
static struct sight_talk *sort_made(const struct making *making, size_t *count)
{
    struct sight_parts *sight = making->sight;
    struct sight_talk *talks;
    size_t room = 1;

    for (size_t i = 0; i < making->count; i++)
        room += making->made[i]->talks.count;
    talks = mem_alloc(room * sizeof *talks);
    *count = 0;
    for (size_t i = 0; i < making->count; i++) {
        const struct talks *made = &making->made[i]->talks;
        for (uint32_t k = 0; k < made->count; k++)
            talks[(*count)++] =
                (struct sight_talk){attention_rank(made, &made->items[k]), making->numbers[i], k};
    }
    qsort_r(talks, *count, sizeof *talks, by_rank, sight);
    return talks;
}

/* Puts them among those of all other parts, which are in order already. */
static void sort_talks(const struct making *making)
{
    struct sight_parts *sight = making->sight;
    size_t count, at = 0, sorted_count = 0;
    struct sight_talk *made = sort_made(making, &count);
    struct sight_talk *sorted = mem_alloc((sight->sorted_count + count + 1) * sizeof *sorted);
    bool *is_made = mem_zero(sight->count + 1, sizeof *is_made);

    for (size_t i = 0; i < making->count; i++)
        is_made[making->numbers[i]] = true;
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
    struct making making = {.sight = sight, .live = live, .world = world, .now_us = now_us};

    parts_follow(sight->parts, live);
    sight->items =
        mem_grow(sight->items, &sight->cap, parts_count(sight->parts) + 1, sizeof *sight->items);
    while (sight->count < parts_count(sight->parts))
        sight->items[sight->count++] = NULL;
    find_old(&making);
    if (making.count) {
        make_parts(&making);
        sort_talks(&making);
    }
    for (size_t i = 0; world && i < sight->count; i++)
        sight_part_hear(sight->items[i], world, now_us);
    free(making.numbers);
    free(making.made);
}
