/* What was known of a file that holds many messages, before it changed: those whose bytes are still
 * the same need not be read again. */
#ifndef MAIL_MESSAGE_ENTRY_CACHE_H
#define MAIL_MESSAGE_ENTRY_CACHE_H

#include "base/map.h"
#include "mail/message/message.h"

/* Zero-initialised is empty and valid. Borrows the heads and names that it was filled from. */
struct entry_cache {
    const struct span *names; /* see head_bytes.h */
    size_t name_count;
    uint64_t seed; /* of the prints */
    struct known_message {
        uint64_t print; /* of its bytes in the file, wide */
        struct span head;
    } * messages;
    size_t count, taken;
    struct hash_index by_print;
};

void entry_cache_free(struct entry_cache *known);

/* Appends the prints of messages from `first` on, as entry_cache_fill() takes them behind their
 * heads. Damaged ones get 0, and are read again: what they are is said of their place in the file.
 */
void entry_cache_write(struct str *out, const struct batch *batch, size_t first, struct span file,
                       uint64_t seed);

/* Takes so many heads and their prints apart; without prints, or when they make no sense, nothing
 * is known. */
void entry_cache_fill(struct entry_cache *known, struct span heads, size_t count,
                      const struct span *names, size_t name_count, uint64_t seed);

/* Adds the message with these bytes to the batch, as its head was; NULL when it is not known. Where
 * it stands in the file is for the caller to say. Borrowed until the next batch_add(). */
struct message *entry_cache_take(struct entry_cache *known, struct span raw,
                                 const struct place *place, struct batch *batch);

#endif
