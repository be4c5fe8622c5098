/* Map: from a text to a small number, for ids and names. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_entry {
    struct span key;
    uint32_t value;
};

struct map_slot {
    uint32_t hash;
    uint32_t entry; /* 1 + its index; 0: free */
};

/* Zero-initialised is empty and valid. Keys are borrowed: they must outlive the map. The hash is
 * seeded at random in each map, so that nobody can choose ids that collide. */
struct map {
    struct map_entry *entries; /* in the order in which they were added */
    size_t count, entry_cap;
    struct map_slot *slots; /* private */
    size_t cap;
    uint64_t seed;
};

void map_free(struct map *map);

/* Makes room for as many keys in all, so that adding them moves nothing. */
void map_reserve(struct map *map, size_t count);

/* The value's place for this key; *fresh says whether it was added now (with value 0). Borrowed
 * until the next map_put(). */
uint32_t *map_put(struct map *map, struct span key, bool *fresh);
/* The same for several keys, quicker than one by one: at[i] becomes the number of the entry that
 * keys[i] has. Entries that are added have the value 0. */
void map_put_many(struct map *map, const struct span *keys, size_t count, uint32_t *at);
/* The same with a copy of the key in the arena, where it was not there. */
uint32_t *map_put_copy(struct map *map, struct arena *arena, struct span key, bool *fresh);
/* NULL when the key is not there. Borrowed until the next map_put(). */
uint32_t *map_get(const struct map *map, struct span key);

/* A key of a number and some texts, which no other such texts make. Borrowed from `scratch` until
 * that is used again. */
struct span map_key(struct str *scratch, uint32_t number, const struct span *parts, size_t count);

/* A hash of the text, never 0. Multiply-and-fold over eight bytes at a time: quick, and
 * unpredictable without the seed. */
uint32_t map_hash(struct span key, uint64_t seed);
/* The same with all its bits, for who takes equal hashes for equal texts; and the hash that it
 * makes. */
uint64_t map_hash_wide(struct span key, uint64_t seed);
uint32_t map_narrow(uint64_t wide);
/* A seed that nobody can guess. */
uint64_t map_seed(void);

/* An index from hashes to numbers: whoever has what the numbers stand for says which one is meant.
 */

struct hash_index_slot {
    uint32_t hash; /* 0: free */
    uint32_t value;
};

/* Zero-initialised is empty and valid. */
struct hash_index {
    struct hash_index_slot *slots;
    uint32_t count, cap;
};

void hash_index_free(struct hash_index *index);

/* The value that the function accepts, or NULL. Borrowed until something is added or removed. */
uint32_t *hash_index_find(const struct hash_index *index, uint32_t hash,
                          bool (*accept)(const void *context, uint32_t value), const void *context);
/* Says that this hash will be looked for soon, so that memory is not waited for then. */
void hash_index_expect(const struct hash_index *index, uint32_t hash);
/* Room for so many in all, where it is known how many will come. */
void hash_index_reserve(struct hash_index *index, size_t count);
void hash_index_add(struct hash_index *index, uint32_t hash, uint32_t value);
/* Removes what hash_index_find() has found. */
void hash_index_remove(struct hash_index *index, uint32_t *found);

#endif
