/* An index: open addressing with linear probing, at most two thirds full. */
#include "base/hash_index.h"

#include "base/mem.h"

#include <stddef.h>
#include <stdlib.h>

void hash_index_free(struct hash_index *index)
{
    free(index->slots);
    *index = (struct hash_index){0};
}

uint32_t *hash_index_find(const struct hash_index *index, uint32_t hash,
                          bool (*accept)(const void *context, uint32_t value), const void *context)
{
    if (!index->cap)
        return NULL;
    for (uint32_t i = hash & (index->cap - 1); index->slots[i].hash; i = (i + 1) & (index->cap - 1))
        if (index->slots[i].hash == hash && accept(context, index->slots[i].value))
            return &index->slots[i].value;
    return NULL;
}

void hash_index_expect(const struct hash_index *index, uint32_t hash)
{
    if (index->cap)
        __builtin_prefetch(&index->slots[hash & (index->cap - 1)], 1);
}

static void put(struct hash_index *index, struct hash_index_slot slot)
{
    uint32_t i = slot.hash & (index->cap - 1);

    while (index->slots[i].hash)
        i = (i + 1) & (index->cap - 1);
    index->slots[i] = slot;
}

static void enlarge(struct hash_index *index, uint32_t cap)
{
    struct hash_index bigger = {.cap = cap, .count = index->count};

    bigger.slots = mem_table(bigger.cap, sizeof *bigger.slots);
    for (uint32_t i = 0; i < index->cap; i++)
        if (index->slots[i].hash)
            put(&bigger, index->slots[i]);
    free(index->slots);
    *index = bigger;
}

void hash_index_reserve(struct hash_index *index, size_t count)
{
    uint32_t cap = index->cap ? index->cap : 64;

    while (count * 3 > (uint64_t)cap * 2)
        cap *= 2;
    if (cap > index->cap)
        enlarge(index, cap);
}

void hash_index_add(struct hash_index *index, uint32_t hash, uint32_t value)
{
    hash_index_reserve(index, (size_t)index->count + 1);
    put(index, (struct hash_index_slot){hash, value});
    index->count++;
}

/* What follows moves up, so that nothing is ever looked for beyond a gap. */
void hash_index_remove(struct hash_index *index, uint32_t *found)
{
    struct hash_index_slot *slot =
        (struct hash_index_slot *)(void *)((char *)found - offsetof(struct hash_index_slot, value));
    uint32_t mask = index->cap - 1, gap = (uint32_t)(slot - index->slots);

    for (uint32_t i = (gap + 1) & mask; index->slots[i].hash; i = (i + 1) & mask) {
        uint32_t home = index->slots[i].hash & mask;
        if (((i - home) & mask) < ((i - gap) & mask))
            continue; /* it would stand before its home */
        index->slots[gap] = index->slots[i];
        gap = i;
    }
    index->slots[gap] = (struct hash_index_slot){0};
    index->count--;
}
