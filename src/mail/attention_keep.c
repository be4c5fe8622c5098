/* Attention: keeping an order while a person reads it. */
#include "mail/attention.h"

#include "base/mem.h"

#include <stdlib.h>

/* Two that are taken for one another share a place, and no more. */
static uint64_t key_of(const struct attention_keys *keys, const struct talks *talks,
                       const struct talk *talk, struct str *scratch)
{
    str_clear(scratch);
    str_add_number(scratch, attention_group(talks, talk));
    str_putc(scratch, attention_is_hint(talk) ? '?' : ' ');
    talk_add_key(scratch, talks, talk);
    return (uint64_t)map_hash(str_span(scratch), ~keys->seed) << 32 |
           map_hash(str_span(scratch), keys->seed);
}

struct sought {
    const struct attention_keys *keys;
    uint64_t key;
};

static bool is_sought(const void *context, uint32_t place)
{
    const struct sought *sought = context;

    return sought->keys->talks[place] == sought->key;
}

void attention_keys_free(struct attention_keys *keys)
{
    free(keys->talks);
    live_index_free(&keys->places);
    *keys = (struct attention_keys){0};
}

void attention_note(struct attention_keys *keys, const struct attention *order,
                    const struct talks *talks)
{
    struct str scratch = {0};

    attention_keys_free(keys);
    keys->seed = map_seed();
    keys->talks = mem_alloc((order->count + 1) * sizeof *keys->talks);
    for (uint32_t i = 0; i < order->count; i++) {
        keys->talks[i] = key_of(keys, talks, &talks->items[order->talks[i]], &scratch);
        live_index_add(&keys->places, (uint32_t)keys->talks[i], i);
    }
    str_free(&scratch);
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
void attention_keep(struct attention *order, const struct talks *talks,
                    const struct attention_keys *previous)
{
    struct kept *kept = mem_alloc((order->count + 1) * sizeof *kept);
    size_t *seats = mem_alloc((order->count + 1) * sizeof *seats);
    struct str key = {0};
    size_t count = 0;

    for (size_t i = 0; previous->talks && i < order->count; i++) {
        struct sought sought = {previous,
                                key_of(previous, talks, &talks->items[order->talks[i]], &key)};
        const uint32_t *place =
            live_index_find(&previous->places, (uint32_t)sought.key, is_sought, &sought);
        if (!place)
            continue;
        seats[count] = i;
        kept[count++] = (struct kept){*place, order->talks[i]};
    }
    if (count)
        qsort(kept, count, sizeof *kept, by_place);
    for (size_t i = 0; i < count; i++)
        order->talks[seats[i]] = kept[i].talk;
    str_free(&key);
    free(kept);
    free(seats);
}
