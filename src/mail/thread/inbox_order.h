/* Attention: which talks a person should look at first. */
#ifndef MAIL_THREAD_INBOX_ORDER_H
#define MAIL_THREAD_INBOX_ORDER_H

#include "base/map.h"
#include "mail/thread/conversation.h"

/* In this order. Idle notices come last in their group. */
enum inbox_order_group {
    INBOX_ORDER_NEEDS, /* waits for the person, and then what shows that an agent may be stuck: both
                        by priority, longest first */
    INBOX_ORDER_UNREAD, /* unread mail to the person: by priority, oldest first */
    INBOX_ORDER_SWARM,  /* agents wait for each other or have not read: by priority, oldest first */
    INBOX_ORDER_REST,   /* newest first */
    INBOX_ORDER_GROUPS,
};

/* Idle notices are in the rest whatever they say, unless an agent says that it failed. */
enum inbox_order_group inbox_order_group(const struct conversations *conversations,
                                         const struct conversation *conversation);

/* Whether it is there for an agent that may be stuck, and nobody has asked the person anything. */
bool inbox_order_is_hint(const struct conversation *conversation);

/* What decides between two talks before their ids do. */
struct inbox_order_rank {
    int64_t time_us; /* earlier is first */
    uint8_t group;   /* enum inbox_order_group */
    bool hinted, idle;
    uint8_t priority;
};

struct inbox_order_rank inbox_order_rank(const struct conversations *conversations,
                                         const struct conversation *conversation);

/* A talk on its way into an order. */
struct inbox_order_entry {
    struct inbox_order_rank rank;
    const struct conversations *conversations;
    const struct conversation *conversation;
};

/* Which of two is more pressing. The order is total: equal ones go by their ids and sources, and
 * then by where they lie. */
int inbox_order_cmp(const struct inbox_order_entry *a, const struct inbox_order_entry *b);

/* Whose talks are wanted. Zeroed: everybody's. */
struct scope {
    bool mine;         /* that the person takes part in */
    struct span agent; /* that AGENT or AGENT@TEAM takes part in; absent: anybody */
};

/* Reads mine, all or AGENT. */
struct scope scope_read(struct span word);

/* Talks as numbers, the most pressing first. */
struct attention {
    uint32_t *conversations;
    size_t count;
    size_t counts[INBOX_ORDER_GROUPS];
};

void inbox_order_build(struct attention *order, const struct conversations *conversations,
                       const struct scope *scope);
void inbox_order_free(struct attention *order);

/* The part of an order of everybody's talks that is wanted; quicker than building it. */
void inbox_order_narrow(struct attention *order, const struct attention *everybody,
                        const struct conversations *conversations, const struct scope *scope);

/* What tells a talk, in its group, from all others, also when talks are built anew. Two that are
 * taken for one another share a place, and no more. The key is what conversation_add_key() says of
 * it. */
uint64_t inbox_order_seat(const struct conversations *conversations,
                          const struct conversation *conversation, struct span key);

/* What is kept of an order while talks are built anew. Zero-initialised is empty and valid. */
struct inbox_order_keys {
    uint64_t *seats; /* in their order */
    size_t count;
    struct hash_index places; /* of each */
};

/* Notes an order, in place of what was noted before. */
void inbox_order_note(struct inbox_order_keys *keys, const struct attention *order,
                      const uint64_t *seats);
void inbox_order_keys_free(struct inbox_order_keys *keys);

/* Makes a new order less restless for who is reading: talks that were noted in the group they are
 * still in keep their places relative to each other; the others stand where they belong. */
void inbox_order_keep(struct attention *order, const uint64_t *seats,
                      const struct inbox_order_keys *previous);

#endif
