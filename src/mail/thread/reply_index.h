/* Finding the answers to a message. Hundreds of answers may name one id: these are indexed, so that
 * not every search visits them all. */
#ifndef MAIL_THREAD_REPLY_INDEX_H
#define MAIL_THREAD_REPLY_INDEX_H

#include "base/map.h"
#include "mail/message/model.h"

#include <stdint.h>

/* The earliest of some answers, and the earliest of those by another author than the first. */
struct reply_pair {
    uint32_t first, second;
};

/* Zero-initialised is empty and valid. */
struct replies_index {
    struct map pairs; /* key: first message of a chain and the traits searched for; value: index of
                         a pair */
    struct reply_pair *items;
    size_t cap;
    struct map sorted; /* key: first message of a chain; value: its position in `order` */
    uint32_t *order;
    size_t order_count, order_cap;
    struct arena keys;
    struct str scratch;
};

/* Replies: messages that name the message they answer, found by its id; and those that name it by
 * the subject only. */

#define REPLY_NONE UINT32_MAX

/* Message numbers are those of the model. */
struct replies {
    const struct model *model; /* borrowed */
    struct hash_index firsts;  /* by source and answered id: one message */
    uint64_t seed;
    struct map conversations; /* by authors and subject: 1 + one message that answers by subject */
    uint32_t *next;           /* for each message: 1 + another one with the same key; 0: none */
    struct arena keys;
    struct str scratch;
    struct replies_index index; /* for keys with many messages */
};

/* A message to find answers to. Borrowed. */
struct replied {
    uint32_t source;
    bool short_replies; /* answers repeat only the first characters of the id */
    struct span team, from;
    struct span id;
    const struct message *asking; /* set if id is its own, which others may share; or NULL */
    bool decided; /* only a verdict in the asker's own box counts: one in another box reaches nobody
                     who waits */
    struct span stops; /* agent asked to stop; only its own yes or no counts; or absent */
};

/* True if the reply was written after sent_us. Allows 1 ms, because layouts whose messages have no
 * id to answer record no finer time. */
static inline bool reply_is_in_time(const struct message *reply, int64_t sent_us)
{
    return reply->created_us + 1000 > sent_us;
}

/* Builds the lookup tables. Their keys borrow from the model, which must not change before
 * replies_free(). */
void replies_build(struct replies *replies, const struct model *model);
void replies_free(struct replies *replies);

/* Iterate over the messages whose reply_to is the id of `what`: call replies_first(), then
 * replies_next() until REPLY_NONE. */
uint32_t replies_first(const struct replies *replies, const struct replied *what);
uint32_t replies_next(const struct replies *replies, uint32_t reply);

/* Returns the earliest answer in the same team by another author; REPLY_NONE without one. If
 * `stops` is set, only the yes or no of that agent counts. */
uint32_t replies_find(struct replies *replies, const struct model *model,
                      const struct replied *what);

/* Returns the earliest answer, not before sent_us, from the agent `by` to the author that refers to
 * the message only by "Re:" and the subject. REPLY_NONE without one. */
uint32_t replies_by_subject(struct replies *replies, const struct model *model,
                            const struct replied *what, struct span by, struct span subject,
                            int64_t sent_us);

#endif
