/* Map: open addressing with linear probing, at most half full. */
#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>
#include <sys/random.h>

void map_free(struct map *map)
{
    free(map->slots);
    *map = (struct map){0};
}

uint64_t map_seed(void)
{
    uint64_t seed;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) < 0)
        seed = (uintptr_t)&seed; /* early boot: a weak seed is better than none */
    return seed;
}

uint32_t map_hash(struct span key, uint64_t seed)
{
    uint64_t h = seed ^ (key.len * 0x9e3779b97f4a7c15u);
    size_t i = 0;

    for (; i + 8 <= key.len; i += 8) {
        uint64_t word;
        memcpy(&word, key.at + i, 8);
        unsigned __int128 wide = (unsigned __int128)(h ^ word) * 0xd6e8feb86659fd93u;
        h = (uint64_t)wide ^ (uint64_t)(wide >> 64);
    }
    uint64_t tail = 0;
    if (i < key.len)
        memcpy(&tail, key.at + i, key.len - i);
    unsigned __int128 wide = (unsigned __int128)(h ^ tail) * 0xa0761d6478bd642fu;
    h = (uint64_t)wide ^ (uint64_t)(wide >> 64);
    uint32_t folded = (uint32_t)(h ^ (h >> 32));
    return folded ? folded : 1;
}

static struct map_slot *find(const struct map *map, struct span key, uint32_t h)
{
    size_t mask = map->cap - 1;

    for (size_t i = h & mask;; i = (i + 1) & mask) {
        struct map_slot *slot = &map->slots[i];
        if (!slot->hash || (slot->hash == h && span_eq(slot->key, key)))
            return slot;
    }
}

static void enlarge(struct map *map)
{
    struct map bigger = {.cap = map->cap ? map->cap * 2 : 64, .seed = map->seed};

    bigger.slots = mem_zero(bigger.cap, sizeof *bigger.slots);
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].hash)
            *find(&bigger, map->slots[i].key, map->slots[i].hash) = map->slots[i];
    bigger.count = map->count;
    free(map->slots);
    *map = bigger;
}

uint32_t *map_put(struct map *map, struct span key, bool *fresh)
{
    if (!map->cap)
        map->seed = map_seed();
    if (map->count * 2 >= map->cap)
        enlarge(map);
    uint32_t h = map_hash(key, map->seed);
    struct map_slot *slot = find(map, key, h);
    *fresh = !slot->hash;
    if (*fresh) {
        *slot = (struct map_slot){.key = key, .hash = h};
        map->count++;
    }
    return &slot->value;
}

uint32_t *map_get(const struct map *map, struct span key)
{
    if (!map->cap)
        return NULL;
    struct map_slot *slot = find(map, key, map_hash(key, map->seed));
    return slot->hash ? &slot->value : NULL;
}
