/* The order of the inbox: the conversations that a person should read first. */
#ifndef MAIL_THREAD_INBOX_ORDER_H
#define MAIL_THREAD_INBOX_ORDER_H

#include "base/map.h"
#include "mail/thread/conversation.h"

/* In this order. Idle notices are last in their group. */
enum inbox_order_group {
    INBOX_ORDER_NEEDS,  /* first requests to the person, then signs that an agent may be stuck: both
                           by priority, longest wait first */
    INBOX_ORDER_UNREAD, /* unread mail to the person: by priority, oldest first */
    INBOX_ORDER_SWARM,  /* agents wait for each other or have unread mail: by priority, oldest first
                         */
    INBOX_ORDER_REST,   /* newest first */
    INBOX_ORDER_GROUPS,
};

/* Returns the group. Idle notices are in INBOX_ORDER_REST unless they are evidence that an agent is
 * stuck, or one that nobody has read reports a failure. */
enum inbox_order_group inbox_order_group(const struct conversations *conversations,
                                         const struct conversation *conversation);

/* True if the conversation is listed only because an agent may be stuck: no request waits for the
 * person. */
bool inbox_order_is_hint(const struct conversation *conversation);

/* Sort key of a conversation; equal keys are ordered by id. */
struct inbox_order_rank {
    int64_t time_us; /* the earlier one is first */
    uint8_t group;   /* enum inbox_order_group */
    bool hinted, idle;
    uint8_t priority;
};

struct inbox_order_rank inbox_order_rank(const struct conversations *conversations,
                                         const struct conversation *conversation);

/* A conversation that is being sorted. */
struct inbox_order_entry {
    struct inbox_order_rank rank;
    const struct conversations *conversations;
    const struct conversation *conversation;
};

/* Compares two conversations for sorting: the more urgent one is first. The order is total: equal
 * ranks are ordered by id and source, then by place. */
int inbox_order_cmp(const struct inbox_order_entry *a, const struct inbox_order_entry *b);

/* Filter by participant. Zero-initialised matches all conversations. */
struct scope {
    bool mine;         /* only conversations in which the person takes part */
    struct span agent; /* only those in which AGENT or AGENT@TEAM takes part; absent: all */
};

/* Parses mine, all or AGENT. */
struct scope scope_read(struct span word);

/* Numbers of conversations, the most urgent first. */
struct attention {
    uint32_t *conversations;
    size_t count;
    size_t counts[INBOX_ORDER_GROUPS];
};

void inbox_order_build(struct attention *order, const struct conversations *conversations,
                       const struct scope *scope);
void inbox_order_free(struct attention *order);

/* Filters an order of all conversations; quicker than inbox_order_build(). */
void inbox_order_narrow(struct attention *order, const struct attention *everybody,
                        const struct conversations *conversations, const struct scope *scope);

/* Returns a hash that identifies the conversation and its group, also after the conversations are
 * built anew. `key` is the text of conversation_add_key(). A collision only affects the order. */
uint64_t inbox_order_key(const struct conversations *conversations,
                         const struct conversation *conversation, struct span key);

/* An order to keep while conversations are built anew. Zero-initialised is empty and valid. */
struct inbox_order_keys {
    uint64_t *seats; /* in order */
    size_t count;
    struct hash_index places; /* index of each seat */
};

/* Stores an order in place of the previous one. */
void inbox_order_note(struct inbox_order_keys *keys, const struct attention *order,
                      const uint64_t *seats);
void inbox_order_keys_free(struct inbox_order_keys *keys);

/* Makes a new order stable for a person who is reading: conversations that are still in the group
 * in which they were noted keep their order relative to each other; the others are placed by
 * rank. */
void inbox_order_keep(struct attention *order, const uint64_t *seats,
                      const struct inbox_order_keys *previous);

#endif
