/* Flow: who talks to whom, how much of it nobody has read, and who waits. */
#ifndef MAIL_SENT_TRAFFIC_H
#define MAIL_SENT_TRAFFIC_H

#include "mail/thread/request.h"

/* One direction between two agents of one team. Texts are borrowed from the model. */
struct flow_pair {
    uint32_t source;
    struct span team, from, to;
    size_t count;      /* messages, without idle notices */
    size_t unread;     /* of them */
    size_t idle;       /* idle notices */
    size_t open;       /* requests that nobody has dealt with, whatever their age */
    int64_t oldest_us; /* of those; TIME_NONE without one */
    int64_t last_us;   /* the newest message or notice; TIME_NONE without a time */
};

enum { FLOW_PARTS = 24 };

/* Everything one agent said and heard. */
struct flow_agent {
    uint32_t source;
    struct span team, name;
    size_t sent, received, idle; /* idle: notices that it sent */
    /* What it sent and received in equal parts of the time that is counted, the oldest first; none
     * where that has no beginning. */
    uint32_t parts[FLOW_PARTS];
};

/* By source and team; in a team the most traffic first, then by name. */
struct flow {
    struct flow_pair *pairs;
    size_t pair_count, pair_cap;
    struct flow_agent *agents;
    size_t agent_count, agent_cap;
    size_t count, unread, idle, open; /* sums */
};

/* Counts what was sent at since_us or later, all with TIME_NONE. Requests that are still open are
 * told however old they are. Damaged messages are left out. */
void flow_build(struct flow *flow, const struct model *model, const struct asks *asks,
                int64_t since_us, int64_t now_us);
void flow_free(struct flow *flow);

#endif
