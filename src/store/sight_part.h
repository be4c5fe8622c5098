/* What is made of one part of the mail by itself: requests, conversations, what agents are judged
 * by, what is said about handoffs. When the part changes another one takes its place; who holds the
 * old one can go on to read its messages and keys on another thread. */
#ifndef STORE_SIGHT_PART_H
#define STORE_SIGHT_PART_H

#include "mail/live/parts.h"
#include "mail/thread/attention.h"
#include "store/sight.h"

struct sight_part {
    unsigned holders; /* who may still look at it; all on one thread */
    struct model model;
    struct asks asks;
    struct threads threads;
    struct talks talks; /* without hints */
    struct agent_tally tally;
    struct id_order ids;
    struct hearing handoffs;    /* when it was listened, for those who know who is who */
    uint64_t naming;            /* of the world that it was listened with; 0: it was not yet */
    struct span *talk_keys;     /* talk_add_key() of each talk ... */
    uint64_t *seats;            /* ... and attention_seat() */
    struct hash_index keys;     /* of messages, by sight_key_hash() */
    struct sight_counts counts; /* without agents */
    int64_t made_us;
    int64_t next_us; /* before that the clock alone changes nothing; WHEN_NONE: never */
    struct arena arena;
};

/* Makes one for one holder; the seed is for its keys. Different parts can be made at the same time.
 */
struct sight_part *sight_part_new(struct parts *parts, const struct live *live, size_t number,
                                  int64_t now_us, uint64_t seed);
/* Listens to what is said about handoffs, unless that was done with the same names. */
void sight_part_hear(struct sight_part *part, struct agents_world *world, int64_t now_us);
/* Frees it when nobody else holds it; NULL is fine. */
void sight_part_let_go(struct sight_part *part);

/* The hash of what message_add_name() says of a message: what stands before the last slash of its
 * path, with that, and what stands behind it. */
uint32_t sight_key_hash(struct span dir, struct span rest, uint64_t seed);

#endif
