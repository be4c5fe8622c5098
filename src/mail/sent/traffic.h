/* Traffic: messages between each two agents, how many are unread, and open requests. */
#ifndef MAIL_SENT_TRAFFIC_H
#define MAIL_SENT_TRAFFIC_H

#include "mail/thread/request.h"

/* One direction between two agents of one team. Texts are borrowed from the model. */
struct flow_pair {
    uint32_t source;
    struct span team, from, to;
    size_t count;      /* messages, without idle notices */
    size_t unread;     /* how many of these are unread */
    size_t idle;       /* idle notices */
    size_t open;       /* open requests, whatever their age */
    int64_t oldest_us; /* the oldest of these; TIME_NONE without one */
    int64_t last_us;   /* newest message or notice; TIME_NONE without a time */
};

enum { FLOW_PARTS = 24 };

/* All messages that one agent sent and received. */
struct flow_agent {
    uint32_t source;
    struct span team, name;
    size_t sent, received, idle; /* idle: notices that it sent */
    /* Messages that it sent and received in equal parts of the counted time, oldest first; all 0 if
     * since_us is TIME_NONE. */
    uint32_t parts[FLOW_PARTS];
};

/* Sorted by source and team; in a team by descending traffic, then by name. */
struct flow {
    struct flow_pair *pairs;
    size_t pair_count, pair_cap;
    struct flow_agent *agents;
    size_t agent_count, agent_cap;
    size_t count, unread, idle, open; /* sums */
};

/* Counts the messages sent at since_us or later, or all if it is TIME_NONE. Counts open requests of
 * any age. Skips damaged messages. */
void flow_build(struct flow *flow, const struct model *model, const struct requests *asks,
                int64_t since_us, int64_t now_us);
void flow_free(struct flow *flow);

#endif
