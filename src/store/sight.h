/* What is made of one part of the mail by itself: requests, conversations, what agents are judged
 * by, what is said about handoffs. When the part changes another one takes its place; who holds the
 * old one can go on to read its messages and keys on another thread. */
#ifndef STORE_SIGHT_H
#define STORE_SIGHT_H

#include "mail/agent/agent.h"
#include "mail/live/parts.h"
#include "mail/thread/conversation.h"
#include "mail/thread/inbox_order.h"
#include "store/source/agent_directory.h"

/* Sight: everything that is made of all messages together: what waits, conversations, agents,
 * handoffs. */

/* Zero-initialised is empty and valid. It borrows from the model and the world. */
struct sight {
    const struct model *model;
    struct asks asks;
    struct threads threads;
    struct agents agents;               /* none without a world */
    struct conversations conversations; /* with what agents that may be stuck hint at */
    struct handoff_list handoffs;
};

/* The world must not move, and may be NULL. With `expired` talks have what has expired, too. */
void sight_build(struct sight *sight, const struct model *model, struct agents_world *world,
                 int64_t now_us, bool expired);
void sight_free(struct sight *sight);

/* Agents that may be stuck: the conversation that shows it needs the person. There is room for as
 * many hints as there are agents; returns how many there are, which borrow from the agents. */
size_t sight_hints(const struct agents *agents, struct conversation_hint *hints);

/* What a person wants to know at a glance. */
struct sight_counts {
    size_t waiting;    /* requests that wait for them */
    size_t unread;     /* messages for them */
    size_t stuck;      /* agents that may be stuck */
    size_t unreadable; /* inboxes, and files in them, that could not be read */
};
struct sight_counts sight_count(const struct sight *sight);

struct sight_part {
    unsigned holders; /* who may still look at it; all on one thread */
    struct model model;
    struct asks asks;
    struct threads threads;
    struct conversations conversations; /* without hints */
    struct agent_tally tally;
    struct id_order ids;
    struct hearing handoffs;        /* when it was listened, for those who know who is who */
    uint64_t naming;                /* of the world that it was listened with; 0: it was not yet */
    struct span *conversation_keys; /* conversation_add_key() of each talk ... */
    uint64_t *seats;                /* ... and inbox_order_seat() */
    struct hash_index keys;         /* of messages, by sight_key_hash() */
    struct sight_counts counts;     /* without agents */
    int64_t made_us;
    int64_t next_us; /* before that the clock alone changes nothing; TIME_NONE: never */
    struct arena arena;
};

/* Frees it when nobody else holds it; NULL is fine. */
void sight_part_let_go(struct sight_part *part);

/* The hash of what message_add_name() says of a message: what stands before the last slash of its
 * path, with that, and what stands behind it. */
uint32_t sight_key_hash(struct span dir, struct span rest, uint64_t seed);

/* Sight of live mail, in parts: what is made of messages is made again only of those parts that
 * have changed, and all conversations are kept in their order. */

/* A conversation: a talk of a part, with what decides where it stands. */
struct sight_conversation {
    struct inbox_order_rank rank;
    uint32_t part, conversation;
};

struct sight_parts {
    uint64_t seed; /* of the keys of messages */
    struct parts *parts;
    struct sight_part **items; /* by number */
    size_t count, cap;
    struct sight_conversation *sorted; /* all of them, the most pressing first, but for hints */
    size_t sorted_count;
};

/* So many messages in a part are few enough to be quick, and enough for parts to be few. */
enum { SIGHT_PART_SIZE = 512 };

/* The live mail is still empty. */
struct sight_parts *sight_parts_new(struct live *live, size_t part_size);
void sight_parts_free(struct sight_parts *sight);

/* Makes it what the live mail is at that time. What is borrowed from parts lasts while they are
 * held. Without a world nothing is heard of handoffs. */
void sight_parts_follow(struct sight_parts *sight, struct live *live, struct agents_world *world,
                        int64_t now_us);

#endif
