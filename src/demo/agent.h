/* One agent: its mailbox, its work, and its plans. */
#ifndef DEMO_AGENT_H
#define DEMO_AGENT_H

#include "demo/swarm.h"

/* A planned action. */
struct errand {
    int64_t due_us;           /* on the steady clock */
    struct message *message;  /* to be sent, or NULL */
    struct message *original; /* the message that it is about, or NULL */
    bool begins, finishes;    /* work on the original, after the message is sent */
    bool leaves;              /* the agent ends */
};

struct agent {
    const struct swarm *swarm;
    const struct member *me;
    struct post post;
    struct dice dice;
    enum mood mood;
    unsigned round, step;
    const struct job *job;
    unsigned task;         /* number of its current task, in layouts with tasks */
    struct message *asked; /* sent to the lead and not answered yet, or NULL */
    int64_t asked_us;      /* on the steady clock */
    struct message
        *peer;         /* a question that a peer waits for while the agent is in a ring, or NULL */
    unsigned narrowed; /* how often the plan was narrowed */
    unsigned chats;    /* number of chats, so that nobody says the same thing twice in a row */
    bool refused;      /* has already refused to stop */
    struct errand *errands;
    size_t task_count;
    int line;
    bool over;
};

#endif
