/* Attention: keeping an order while a person reads it. */
#include "mail/thread/attention.h"

#include "base/mem.h"

#include <stdlib.h>

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
