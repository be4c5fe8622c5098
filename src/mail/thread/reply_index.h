/* Answers that name one id in their hundreds: an index, so that not each question meets them all.
 */
#ifndef MAIL_THREAD_REPLY_INDEX_H
#define MAIL_THREAD_REPLY_INDEX_H

#include "base/map.h"
#include "mail/message/model.h"

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

/* Replies: the messages that say what they answer, found by that; and those whose subject does. */

#define REPLY_NONE UINT32_MAX

/* Messages are numbers in the model's order. */
struct replies {
    const struct model *model; /* borrowed */
    struct hash_index firsts;  /* by what is answered: one message */
    uint64_t seed;
    struct map conversations; /* of authors and subject: 1 + one message that answers by it */
    uint32_t *next;           /* of a message: 1 + another one with the same key; 0 for none */
    struct arena keys;
    struct str scratch;
    struct replies_index index; /* of those with the same key, where they are many */
};

/* What an answer is looked for to. Borrowed. */
struct replied {
    uint32_t source;
    bool short_replies; /* only the first characters of its id are repeated */
    struct span team, from;
    struct span id;
    const struct message *asking; /* where the id is its own: others may have it, too. Or NULL */
    bool decided;      /* only a verdict answers it, and only in the box of who has asked: one that
                          lies elsewhere reaches nobody who waits */
    struct span stops; /* who is asked to stop, and alone can say that they do; or absent */
};

/* Whether it was written after that. Messages without an id to answer tell no finer time. */
static inline bool reply_is_in_time(const struct message *reply, int64_t sent_us)
{
    return reply->created_us + 1000 > sent_us;
}

/* The keys of the model's texts: the model must not change before replies_free(). */
void replies_build(struct replies *replies, const struct model *model);
void replies_free(struct replies *replies);

/* Calls for each message that says it answers that one: first, then next until REPLY_NONE. */
uint32_t replies_first(const struct replies *replies, const struct replied *what);
uint32_t replies_next(const struct replies *replies, uint32_t reply);

/* The earliest answer in the same team by somebody else than its author; REPLY_NONE without one.
 * Who is asked to stop answers for nobody else, and with nothing but a yes or no to that. */
uint32_t replies_find(struct replies *replies, const struct model *model,
                      const struct replied *what);

/* The earliest answer of that agent to the author, not before sent_us, that has no more to tell it
 * than "Re:" and the subject. */
uint32_t replies_by_subject(struct replies *replies, const struct model *model,
                            const struct replied *what, struct span by, struct span subject,
                            int64_t sent_us);

#endif
