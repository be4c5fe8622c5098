/* Attention: which talks a person should look at first. */
#ifndef MAIL_THREAD_INBOX_ORDER_H
#define MAIL_THREAD_INBOX_ORDER_H

#include "base/map.h"
#include "mail/thread/conversation.h"

/* In this order. Idle notices come last in their group. */
enum attention_group {
    ATTENTION_NEEDS,  /* waits for the person, and then what shows that an agent may be stuck: both
                         by priority, longest first */
    ATTENTION_UNREAD, /* unread mail to the person: by priority, oldest first */
    ATTENTION_SWARM,  /* agents wait for each other or have not read: by priority, oldest first */
    ATTENTION_REST,   /* newest first */
    ATTENTION_GROUPS,
};

/* Idle notices are in the rest whatever they say, unless an agent says that it failed. */
enum attention_group attention_group(const struct talks *talks, const struct talk *talk);

/* Whether it is there for an agent that may be stuck, and nobody has asked the person anything. */
bool attention_is_hint(const struct talk *talk);

/* What decides between two talks before their ids do. */
struct attention_rank {
    int64_t when_us; /* earlier is first */
    uint8_t group;   /* enum attention_group */
    bool hinted, idle;
    uint8_t priority;
};

struct attention_rank attention_rank(const struct talks *talks, const struct talk *talk);

/* A talk on its way into an order. */
struct attention_entry {
    struct attention_rank rank;
    const struct talks *talks;
    const struct talk *talk;
};

/* Which of two is more pressing. The order is total: equal ones go by their ids and sources, and
 * then by where they lie. */
int attention_cmp(const struct attention_entry *a, const struct attention_entry *b);

/* Whose talks are wanted. Zeroed: everybody's. */
struct scope {
    bool mine;         /* that the person takes part in */
    struct span agent; /* that AGENT or AGENT@TEAM takes part in; absent: anybody */
};

/* Reads mine, all or AGENT. */
struct scope scope_read(struct span word);

/* Talks as numbers, the most pressing first. */
struct attention {
    uint32_t *talks;
    size_t count;
    size_t counts[ATTENTION_GROUPS];
};

void attention_build(struct attention *order, const struct talks *talks, const struct scope *scope);
void attention_free(struct attention *order);

/* The part of an order of everybody's talks that is wanted; quicker than building it. */
void attention_narrow(struct attention *order, const struct attention *everybody,
                      const struct talks *talks, const struct scope *scope);

/* What tells a talk, in its group, from all others, also when talks are built anew. Two that are
 * taken for one another share a place, and no more. The key is what talk_add_key() says of it. */
uint64_t attention_seat(const struct talks *talks, const struct talk *talk, struct span key);

/* What is kept of an order while talks are built anew. Zero-initialised is empty and valid. */
struct attention_keys {
    uint64_t *seats; /* in their order */
    size_t count;
    struct hash_index places; /* of each */
};

/* Notes an order, in place of what was noted before. */
void attention_note(struct attention_keys *keys, const struct attention *order,
                    const uint64_t *seats);
void attention_keys_free(struct attention_keys *keys);

/* Makes a new order less restless for who is reading: talks that were noted in the group they are
 * still in keep their places relative to each other; the others stand where they belong. */
void attention_keep(struct attention *order, const uint64_t *seats,
                    const struct attention_keys *previous);

#endif
