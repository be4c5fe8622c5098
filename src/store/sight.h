/* State derived from one part of the mail: requests, conversations, the data that agents are judged
 * by, statements about handoffs. When the part changes another one replaces it; a holder of the old
 * one can still read its messages and keys on another thread. */
#ifndef STORE_SIGHT_H
#define STORE_SIGHT_H

#include "mail/agent/agent.h"
#include "mail/live/parts.h"
#include "mail/thread/conversation.h"
#include "mail/thread/inbox_order.h"
#include "store/source/agent_directory.h"

/* Derived state (sight): everything that is computed from all messages together: requests,
 * conversations, agents, handoffs. */

/* Zero-initialised is empty and valid. It borrows from the model and the directory. */
struct sight {
    const struct model *model;
    struct requests asks;
    struct threads threads;
    struct agents agents;               /* none without a directory */
    struct conversations conversations; /* with hints from agents that may be stuck */
    struct handoff_list handoffs;
};

/* The directory must not move, and may be NULL. With `expired` conversations include expired
 * messages. */
void sight_build(struct sight *sight, const struct model *model, struct agent_directory *world,
                 int64_t now_us, bool expired);
void sight_free(struct sight *sight);

/* Finds agents that may be stuck: the conversation that shows it needs the person. `hints` has room
 * for as many as there are agents; returns their number. Hints borrow from the agents. */
size_t sight_hints(const struct agents *agents, struct conversation_hint *hints);

/* The counts for a glance. */
struct sight_counts {
    size_t waiting;    /* requests that wait for the person */
    size_t unread;     /* messages for the person */
    size_t stuck;      /* agents that may be stuck */
    size_t unreadable; /* inboxes, and files in them, that could not be read */
};
struct sight_counts sight_count(const struct sight *sight);

struct sight_part {
    unsigned holders; /* the number of holders; all on one thread */
    struct model model;
    struct requests asks;
    struct threads threads;
    struct conversations conversations; /* without hints */
    struct agent_tally tally;
    struct id_order ids;
    struct hearing handoffs;        /* replies to handoffs; valid for `naming` */
    uint64_t naming;                /* of the directory that `handoffs` was collected with; 0: not
                                     * collected yet */
    struct span *conversation_keys; /* conversation_add_key() of each conversation ... */
    uint64_t *seats;                /* ... and inbox_order_key() */
    struct hash_index keys;         /* of messages, by sight_key_hash() */
    struct sight_counts counts;     /* without agents */
    int64_t made_us;
    int64_t next_us; /* the first time at which the clock alone changes it; TIME_NONE: never */
    struct arena arena;
};

/* Releases a holder; frees the part with the last one. NULL is fine. */
void sight_part_release(struct sight_part *part);

/* Returns the hash of a message's name as message_add_name() writes it: the path up to and
 * including the last slash, and the rest. */
uint32_t sight_key_hash(struct span dir, struct span rest, uint64_t seed);

/* Derived state of live mail, in parts: only parts that have changed are made again, and all
 * conversations are kept in their order. */

/* A conversation of a part, with its rank in the order. */
struct sight_conversation {
    struct inbox_order_rank rank;
    uint32_t part, conversation;
};

struct sight_parts {
    uint64_t seed; /* of the keys of messages */
    struct parts *parts;
    struct sight_part **items; /* by number */
    size_t count, cap;
    struct sight_conversation *sorted; /* all of them, the most pressing first, without regard to
                                        * hints */
    size_t sorted_count;
};

/* The number of messages in a part: few enough to be quick, enough to keep the number of parts
 * small. */
enum { SIGHT_PART_SIZE = 512 };

/* To be called while the live mail is still empty. */
struct sight_parts *sight_parts_new(struct live *live, size_t part_size);
void sight_parts_free(struct sight_parts *sight);

/* Brings it up to the live mail at that time. Data borrowed from parts is valid while they are
 * held. Without a directory no statements about handoffs are collected. */
void sight_parts_follow(struct sight_parts *sight, struct live *live, struct agent_directory *world,
                        int64_t now_us);

#endif
