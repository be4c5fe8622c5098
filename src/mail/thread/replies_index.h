/* Answers that name one id in their hundreds: an index, so that not each question meets them all.
 */
#ifndef MAIL_THREAD_REPLIES_INDEX_H
#define MAIL_THREAD_REPLIES_INDEX_H

#include "base/map.h"

#include <stdint.h>

struct replies;
struct replied;

/* The earliest of some answers, and the earliest of them that somebody else wrote. */
struct reply_pair {
    uint32_t first, second;
};

/* Zero-initialised is empty and valid. */
struct replies_index {
    struct map pairs; /* by what questions ask about */
    struct reply_pair *items;
    size_t cap;
    struct map sorted; /* the first of a chain: where its messages stand, in the order of time */
    uint32_t *order;
    size_t order_count, order_cap;
    struct arena keys;
    struct str scratch;
};

void replies_index_free(struct replies_index *index);

/* What replies_find() finds in the chain that starts with that message. */
uint32_t replies_index_find(struct replies *replies, uint32_t head, const struct replied *what);

/* The earliest of the chain that reply_is_in_time(), or REPLY_NONE. */
uint32_t replies_index_after(struct replies *replies, uint32_t head, int64_t sent_us);

#endif
