/* An index from hashes to numbers: whoever has what the numbers stand for says which one is meant.
 */
#ifndef BASE_HASH_INDEX_H
#define BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
