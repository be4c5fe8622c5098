/* Attention: keeping an order while a person reads it. */
#include "mail/attention.h"

#include "base/mem.h"

#include <stdlib.h>

static void add_key(struct str *key, const struct talks *talks, const struct talk *talk)
{
    str_clear(key);
    str_addf(key, "%u%s ", (unsigned)attention_group(talks, talk),
             attention_is_hint(talk) ? "?" : "");
    talk_add_key(key, talks, talk);
}

void attention_keys_free(struct attention_keys *keys)
{
    map_free(&keys->places);
    arena_free(&keys->arena);
    *keys = (struct attention_keys){0};
}

void attention_note(struct attention_keys *keys, const struct attention *order,
                    const struct talks *talks)
{
    struct str key = {0};
    bool fresh;

    attention_keys_free(keys);
    for (uint32_t i = 0; i < order->count; i++) {
        add_key(&key, talks, &talks->items[order->talks[i]]);
        *map_put(&keys->places, arena_copy(&keys->arena, str_span(&key)), &fresh) = i;
    }
    str_free(&key);
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

    for (size_t i = 0; i < order->count; i++) {
        add_key(&key, talks, &talks->items[order->talks[i]]);
        const uint32_t *place = map_get(&previous->places, str_span(&key));
        if (!place)
            continue;
        seats[count] = i;
        kept[count++] = (struct kept){*place, order->talks[i]};
    }
    qsort(kept, count, sizeof *kept, by_place);
    for (size_t i = 0; i < count; i++)
        order->talks[seats[i]] = kept[i].talk;
    str_free(&key);
    free(kept);
    free(seats);
}
