/* One agent: its mailbox, its work, and what it is going to do. */
#ifndef DEMO_AGENT_H
#define DEMO_AGENT_H

#include "demo/swarm.h"

/* Something to be done at a time. */
struct errand {
    int64_t due_us;           /* by the steady clock */
    struct message *message;  /* to be sent, or NULL */
    struct message *original; /* what it is about, or NULL */
    bool begins, finishes;    /* work on the original: after the letter is sent */
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
    unsigned task;         /* the number of what it works on, where there are tasks */
    struct message *asked; /* sent to the lead and not answered yet, or NULL */
    int64_t asked_us;      /* by the steady clock */
    struct message *peer;  /* what a peer waits for while it is in a ring, or NULL */
    unsigned narrowed;     /* how often the plan was */
    unsigned chats;        /* so nobody says the same thing twice in a row */
    bool refused;          /* has said once that it cannot stop */
    struct errand *errands;
    size_t task_count;
    int line;
    bool over;
};

/* Gives up the letters. Seconds are of the story: they pass faster at a higher speed. The errand is
 * borrowed until the next call. */
struct errand *agent_plan(struct agent *agent, double seconds, struct message *message);

/* Nothing is open any more; its work goes on. */
void agent_set_free(struct agent *agent);
/* Takes the next piece of work. */
void agent_next_job(struct agent *agent);

/* A new letter to the lead, or to somebody. */
struct message *agent_letter(const struct agent *agent, enum act act, const char *to);

/* Reacts to a letter and takes it over. */
void agent_react(struct agent *agent, struct message *message);

/* Sends a plan for what it works on; `feedback` NULL for the first. */
struct message *agent_make_plan(struct agent *agent, const char *feedback);

#endif
