/* An index of the live picture: from a hash to the first head of a list. */
#ifndef MAIL_LIVE_INDEX_H
#define MAIL_LIVE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct live_index_slot {
    uint32_t hash; /* 0: free */
    uint32_t value;
};

/* Zero-initialised is empty and valid. */
struct live_index {
    struct live_index_slot *slots;
    uint32_t count, cap;
};

void live_index_free(struct live_index *index);

/* The value that the function accepts, or NULL. Borrowed until something is added or removed. */
uint32_t *live_index_find(const struct live_index *index, uint32_t hash,
                          bool (*accept)(const void *context, uint32_t value), const void *context);
/* Room for so many in all, where it is known how many will come. */
void live_index_reserve(struct live_index *index, size_t count);
void live_index_add(struct live_index *index, uint32_t hash, uint32_t value);
/* Removes what live_index_find() has found. */
void live_index_remove(struct live_index *index, uint32_t *found);

#endif
