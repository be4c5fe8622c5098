/* Map from a text to a small number, for ids and names. */
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
    uint32_t entry; /* 1 + the index into `entries`; 0: free */
};

/* A map; zero-initialised is empty and valid. Keys are borrowed: they must outlive the map. The
 * hash is seeded at random in each map, so that nobody can choose ids that collide. */
struct map {
    struct map_entry *entries; /* in the order of insertion */
    size_t count, entry_cap;
    struct map_slot *slots; /* private */
    size_t cap;
    uint64_t seed;
};

void map_free(struct map *map);

/* Reserves room for `count` keys in total, so that adding them does not reallocate. */
void map_reserve(struct map *map, size_t count);

/* Returns the address of the value of this key, adding the key with value 0 if it is absent; sets
 * *fresh to true if it was added. Borrowed until the next map_put(). */
uint32_t *map_put(struct map *map, struct span key, bool *fresh);
/* Adds several keys, faster than one by one: sets at[i] to the index of the entry of keys[i]. New
 * entries have the value 0. */
void map_put_many(struct map *map, const struct span *keys, size_t count, uint32_t *at);
/* Like map_put(), but copies a key that is added into the arena. */
uint32_t *map_put_copy(struct map *map, struct arena *arena, struct span key, bool *fresh);
/* Returns the address of the value, or NULL if the key is absent. Borrowed until the next
 * map_put(). */
uint32_t *map_get(const struct map *map, struct span key);

/* Builds a key from a number and some texts; different arguments never give the same key. Borrowed
 * from `scratch` until its next use. */
struct span map_key(struct str *scratch, uint32_t number, const struct span *parts, size_t count);

/* Returns a hash of the text, never 0. Multiply-and-fold over eight bytes at a time: fast, and
 * unpredictable without the seed. */
uint32_t map_hash(struct span key, uint64_t seed);
/* Like map_hash(), but returns all 64 bits, for callers that treat equal hashes as equal texts.
 * map_narrow() reduces it to the value of map_hash(). */
uint64_t map_hash_wide(struct span key, uint64_t seed);
uint32_t map_narrow(uint64_t wide);
/* Returns a seed that nobody can guess. */
uint64_t map_seed(void);

/* Hash index: from hashes to numbers. The caller, who has the objects that the numbers identify,
 * decides which of several numbers with one hash is the right one. */

struct hash_index_slot {
    uint32_t hash; /* 0: free */
    uint32_t value;
};

/* A hash index; zero-initialised is empty and valid. */
struct hash_index {
    struct hash_index_slot *slots;
    uint32_t count, cap;
};

void hash_index_free(struct hash_index *index);

/* Returns the address of the value that has this hash and that `accept` accepts, or NULL. Borrowed
 * until the next addition or removal. */
uint32_t *hash_index_find(const struct hash_index *index, uint32_t hash,
                          bool (*accept)(const void *context, uint32_t value), const void *context);
/* Prefetches the slot of a hash that will be looked up soon. */
void hash_index_expect(const struct hash_index *index, uint32_t hash);
/* Reserves room for `count` values in total. */
void hash_index_reserve(struct hash_index *index, size_t count);
void hash_index_add(struct hash_index *index, uint32_t hash, uint32_t value);
/* Removes the value at an address that hash_index_find() returned. */
void hash_index_remove(struct hash_index *index, uint32_t *found);

#endif
