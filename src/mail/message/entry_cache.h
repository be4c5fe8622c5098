/* Cached heads of the messages of one file that holds many, from before the file changed: a message
 * whose bytes are the same need not be parsed again. */
#ifndef MAIL_MESSAGE_ENTRY_CACHE_H
#define MAIL_MESSAGE_ENTRY_CACHE_H

#include "base/map.h"
#include "mail/message/message.h"

/* Zero-initialised is empty and valid. Borrows the heads and names that it was filled from. */
struct entry_cache {
    const struct span *names; /* see head.h */
    size_t name_count;
    uint64_t seed; /* seed of the hashes */
    struct known_message {
        uint64_t print; /* 64-bit hash of the message's bytes in the file */
        struct span head;
    } * messages;
    size_t count, taken;
    struct hash_index by_print;
};

void entry_cache_free(struct entry_cache *known);

/* Appends the hashes of the messages from `first` on, in the form that entry_cache_fill() reads
 * after the heads. The hash of a damaged message is 0, so that it is parsed again: its error names
 * its position in the file. */
void entry_cache_write(struct str *out, const struct batch *batch, size_t first, struct span file,
                       uint64_t seed);

/* Reads `count` heads and the hashes that follow them. The cache is empty if they are malformed. */
void entry_cache_fill(struct entry_cache *known, struct span heads, size_t count,
                      const struct span *names, size_t name_count, uint64_t seed);

/* Adds the cached message with these bytes to the batch; NULL if there is none. The caller sets the
 * message's position in the file. Borrowed until the next batch_add(). */
struct message *entry_cache_take(struct entry_cache *known, struct span raw,
                                 const struct place *place, struct batch *batch);

#endif
