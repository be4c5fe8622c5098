/* Maps and hash indexes: open addressing with linear probing, at most two thirds full. */
#include "base/map.h"

#include "base/mem.h"
#include "base/time.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

/* The table of slots is small, so that most of it stays in the cache; keys are elsewhere and are
 * compared only if the hashes are equal. */

enum { PUT_AT_ONCE = 32 };

void map_free(struct map *map)
{
    free(map->entries);
    free(map->slots);
    *map = (struct map){0};
}

static uint64_t word_at(const char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

static uint64_t fold_product(uint64_t a, uint64_t b)
{
    unsigned __int128 wide = (unsigned __int128)a * b;

    return (uint64_t)wide ^ (uint64_t)(wide >> 64);
}

static uint64_t draw_seed(void)
{
    uint64_t drawn;

    if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) < 0)
        drawn = (uint64_t)time_now(); /* early boot: a weak seed is better than none */
    return drawn | 1;
}

/* The secret is drawn once: one system call for each of thousands of maps would cost more than the
 * maps themselves. */
uint64_t map_seed(void)
{
    static _Atomic uint64_t secret, number;
    uint64_t known = atomic_load(&secret);

    if (!known) {
        uint64_t drawn = draw_seed();
        if (atomic_compare_exchange_strong(&secret, &known, drawn))
            known = drawn;
    }
    return fold_product(known ^ (atomic_fetch_add(&number, 1) * 0x9e3779b97f4a7c15u), known);
}

uint64_t map_hash_wide(struct span key, uint64_t seed)
{
    const uint64_t first = 0xd6e8feb86659fd93u, second = 0xa0761d6478bd642fu;
    uint64_t h = seed ^ (key.len * 0x9e3779b97f4a7c15u);
    size_t i = 0;

    if (key.len >= 64) { /* long texts: four lanes without dependencies on each other */
        uint64_t a = h, b = h ^ first, c = h ^ second, d = ~h;
        for (; i + 32 <= key.len; i += 32) {
            a = fold_product(a ^ word_at(key.at + i), first);
            b = fold_product(b ^ word_at(key.at + i + 8), first);
            c = fold_product(c ^ word_at(key.at + i + 16), first);
            d = fold_product(d ^ word_at(key.at + i + 24), first);
        }
        h = fold_product(a ^ second, b ^ first) ^ fold_product(c ^ first, d ^ second);
    }
    for (; i + 8 <= key.len; i += 8)
        h = fold_product(h ^ word_at(key.at + i), first);
    uint64_t tail = 0;
    if (i < key.len)
        memcpy(&tail, key.at + i, key.len - i);
    return fold_product(h ^ tail, second);
}

uint32_t map_narrow(uint64_t wide)
{
    uint32_t folded = (uint32_t)(wide ^ (wide >> 32));

    return folded ? folded : 1;
}

uint32_t map_hash(struct span key, uint64_t seed)
{
    return map_narrow(map_hash_wide(key, seed));
}

/* Returns the slot of the key, or the free slot where it belongs. */
static struct map_slot *find_slot(const struct map *map, struct span key, uint32_t hash)
{
    size_t mask = map->cap - 1;

    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct map_slot *slot = &map->slots[i];
        if (!slot->entry || (slot->hash == hash && span_eq(map->entries[slot->entry - 1].key, key)))
            return slot;
    }
}

/* Grows the table of slots to `cap`, a power of two. */
static void enlarge_map(struct map *map, size_t cap)
{
    struct map_slot *old = map->slots;
    size_t old_cap = map->cap;

    map->cap = cap;
    map->slots = mem_table(map->cap, sizeof *map->slots);
    for (size_t i = 0; i < old_cap; i++) {
        size_t at = old[i].hash & (map->cap - 1);
        if (!old[i].entry)
            continue;
        while (map->slots[at].entry)
            at = (at + 1) & (map->cap - 1);
        map->slots[at] = old[i];
    }
    free(old);
}

void map_reserve(struct map *map, size_t count)
{
    size_t cap = map->cap ? map->cap : 64;

    if (!map->cap)
        map->seed = map_seed();
    while (count * 3 > cap * 2)
        cap *= 2;
    if (cap > map->cap)
        enlarge_map(map, cap);
    map->entries = mem_grow(map->entries, &map->entry_cap, count, sizeof *map->entries);
}

/* Returns the index of the key's entry, which it adds if absent. The caller has reserved the
 * room. */
static uint32_t put_key(struct map *map, struct span key, uint32_t hash)
{
    struct map_slot *slot = find_slot(map, key, hash);

    if (!slot->entry) {
        map->entries[map->count++] = (struct map_entry){.key = key};
        *slot = (struct map_slot){hash, (uint32_t)map->count};
    }
    return slot->entry - 1;
}

uint32_t *map_put(struct map *map, struct span key, bool *fresh)
{
    size_t before = map->count;

    if (!map->cap || (before + 1) * 3 > map->cap * 2 || before == map->entry_cap)
        map_reserve(map, before + 1);
    uint32_t number = put_key(map, key, map_hash(key, map->seed));
    *fresh = map->count > before;
    return &map->entries[number].value;
}

/* A lookup nearly always misses the cache three times, each address depending on the one before:
 * slot, entry, key. Prefetch them for PUT_AT_ONCE keys at a time, so that the misses overlap. */
static void put_some(struct map *map, const struct span *keys, size_t count, uint32_t *at)
{
    uint32_t hashes[PUT_AT_ONCE];
    size_t mask = map->cap - 1;

    for (size_t i = 0; i < count; i++) {
        hashes[i] = map_hash(keys[i], map->seed);
        __builtin_prefetch(&map->slots[hashes[i] & mask]);
    }
    for (size_t i = 0; i < count; i++)
        if (map->slots[hashes[i] & mask].entry)
            __builtin_prefetch(&map->entries[map->slots[hashes[i] & mask].entry - 1]);
    for (size_t i = 0; i < count; i++)
        if (map->slots[hashes[i] & mask].entry)
            __builtin_prefetch(map->entries[map->slots[hashes[i] & mask].entry - 1].key.at);
    for (size_t i = 0; i < count; i++)
        at[i] = put_key(map, keys[i], hashes[i]);
}

void map_put_many(struct map *map, const struct span *keys, size_t count, uint32_t *at)
{
    map_reserve(map, map->count + count);
    for (size_t i = 0; i < count; i += PUT_AT_ONCE)
        put_some(map, keys + i, count - i < PUT_AT_ONCE ? count - i : PUT_AT_ONCE, at + i);
}

uint32_t *map_put_copy(struct map *map, struct arena *arena, struct span key, bool *fresh)
{
    uint32_t *value = map_get(map, key);

    *fresh = !value;
    return value ? value : map_put(map, arena_copy(arena, key), fresh);
}

struct span map_key(struct str *scratch, uint32_t number, const struct span *parts, size_t count)
{
    size_t size = sizeof number;

    for (size_t i = 0; i < count; i++)
        size += sizeof parts[i].len + parts[i].len;
    str_clear(scratch);
    char *to = str_room(scratch, size);
    memcpy(to, &number, sizeof number);
    to += sizeof number;
    for (size_t i = 0; i < count; i++) {
        memcpy(to, &parts[i].len, sizeof parts[i].len);
        to += sizeof parts[i].len;
        if (parts[i].len)
            memcpy(to, parts[i].at, parts[i].len);
        to += parts[i].len;
    }
    *to = '\0';
    scratch->len = size;
    return str_span(scratch);
}

uint32_t *map_get(const struct map *map, struct span key)
{
    if (!map->cap)
        return NULL;
    const struct map_slot *slot = find_slot(map, key, map_hash(key, map->seed));
    return slot->entry ? &map->entries[slot->entry - 1].value : NULL;
}

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

static void put_slot(struct hash_index *index, struct hash_index_slot slot)
{
    uint32_t i = slot.hash & (index->cap - 1);

    while (index->slots[i].hash)
        i = (i + 1) & (index->cap - 1);
    index->slots[i] = slot;
}

static void enlarge_index(struct hash_index *index, uint32_t cap)
{
    struct hash_index bigger = {.cap = cap, .count = index->count};

    bigger.slots = mem_table(bigger.cap, sizeof *bigger.slots);
    for (uint32_t i = 0; i < index->cap; i++)
        if (index->slots[i].hash)
            put_slot(&bigger, index->slots[i]);
    free(index->slots);
    *index = bigger;
}

void hash_index_reserve(struct hash_index *index, size_t count)
{
    uint32_t cap = index->cap ? index->cap : 64;

    while (count * 3 > (uint64_t)cap * 2)
        cap *= 2;
    if (cap > index->cap)
        enlarge_index(index, cap);
}

void hash_index_add(struct hash_index *index, uint32_t hash, uint32_t value)
{
    hash_index_reserve(index, (size_t)index->count + 1);
    put_slot(index, (struct hash_index_slot){hash, value});
    index->count++;
}

/* Moves the following entries up: a lookup stops at the first free slot, so removal must not leave
 * a gap. */
void hash_index_remove(struct hash_index *index, uint32_t *found)
{
    struct hash_index_slot *slot =
        (struct hash_index_slot *)(void *)((char *)found - offsetof(struct hash_index_slot, value));
    uint32_t mask = index->cap - 1, gap = (uint32_t)(slot - index->slots);

    for (uint32_t i = (gap + 1) & mask; index->slots[i].hash; i = (i + 1) & mask) {
        uint32_t home = index->slots[i].hash & mask;
        if (((i - home) & mask) < ((i - gap) & mask))
            continue; /* moving it would put it before its home slot */
        index->slots[gap] = index->slots[i];
        gap = i;
    }
    index->slots[gap] = (struct hash_index_slot){0};
    index->count--;
}
