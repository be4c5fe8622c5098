/* Agents, internal: the facts about each agent, from which its state is derived. */
#ifndef MAIL_AGENT_AGENT_FACTS_H
#define MAIL_AGENT_AGENT_FACTS_H

#include "base/map.h"
#include "mail/agent/agent.h"

/* The reason for an agent's state; agent_reason.c has a sentence for each. */
enum agent_reason {
    REASON_ENDED,      /* the roster says so */
    REASON_SHUT_DOWN,  /* it agreed to shut down */
    REASON_DEPARTED,   /* no longer on a roster */
    REASON_ASKED_YOU,  /* waits for the person */
    REASON_SAYS,       /* its idle notice reports a failure */
    REASON_ROSTER,     /* the roster reports a failure */
    REASON_CIRCLE,     /* agents wait for each other */
    REASON_FAILED,     /* it failed to process a message */
    REASON_PROCESSING, /* has worked on a message for too long */
    REASON_UNSENT,     /* mail for it is not delivered */
    REASON_UNWOKEN,    /* idle with unread mail */
    REASON_UNHEARD,    /* never heard, with unread mail or somebody waiting */
    REASON_BLIND,      /* writes, but does not read */
    REASON_SILENT,     /* silent while something waits for it */
    REASON_UNREADABLE, /* its mailbox cannot be read */
    REASON_ASKED,      /* waits for another agent's answer */
    REASON_WROTE,      /* idle until another agent reads its message */
    REASON_AT_WORK,    /* works on a message */
    REASON_TASK,       /* has a task */
    REASON_WOKEN,      /* has read a message since it was idle */
    REASON_HEARD,      /* heard lately */
    REASON_RESTS,      /* it or the roster says that it is idle */
    REASON_QUIET,      /* nothing waits for it */
};

struct facts {
    struct agent agent;
    bool person;
    const struct agent_known *roster; /* or NULL */
    enum agent_reason reason;
    uint32_t last;      /* its last message */
    uint32_t last_said; /* the last one that is not an idle notice */
    uint32_t woken_by;  /* newest message that it has read, except those between programs */
    bool woken;         /* lately, and after an idle notice that is its last message */
    struct some unread, asks_you, asks_by, asks_to, processing, failed;
    uint32_t asked;      /* recipient of the oldest open request: an index of facts */
    uint32_t ring_ask;   /* in a circle: its oldest open request in the circle */
    uint32_t ring_to;    /* recipient of that request: an index of facts */
    uint32_t wrote;      /* its newest message that the recipient, wrote_to, has not read */
    uint32_t wrote_to;   /* recipient of its last message: an index of facts, or AGENT_NONE */
    uint32_t task;       /* the first one in progress */
    uint32_t unreadable; /* placeholder for its box or directory, which could not be read */
    size_t unsent;       /* number of messages for it in our outbox */
    int64_t unsent_us;   /* the oldest of them */
    bool unsent_failed;  /* one of them is not sent again automatically */
};

struct edge {
    uint32_t from, to;
    uint32_t ask; /* number of the request's message */
};

/* State of agents_build(). */
struct gathering {
    const struct agents_input *in;
    struct agents *out;
    const struct agents_share *shares;
    size_t share_count;
    struct facts *items;
    size_t count, cap;
    struct map by_id;   /* source, team and name as identified: 1 + an index of facts */
    struct map by_name; /* source, team and name as spelled: like by_id; 0: no agent */
    struct map boxes;   /* source, team and box that have messages */
    struct map rosters; /* source and team that keep a roster */
    struct edge *edges; /* open requests between agents */
    size_t edge_count, edge_cap;
    struct str scratch;
    int64_t next_us;
};

static inline const struct message *fact_message(const struct gathering *g, uint32_t index)
{
    return g->in->model->messages[index];
}

/* True if that was longer ago than the limit. If not yet, next_us is set to the time when it will
 * be. */
bool agent_is_old(struct gathering *g, int64_t since_us, int64_t limit_us);

/* Returns a key for the maps; borrowed until the next call. */
struct span agent_key(struct gathering *g, uint32_t source, struct span team, struct span name);
/* Returns the index of the facts about the agent that a name means; AGENT_NONE if it means no
 * single agent or, without `make`, no known one. */
uint32_t agent_find(struct gathering *g, uint32_t source, struct span team, struct span name,
                    bool make);
/* Compares by source, team and name. */
int agent_cmp_names(const struct agent *a, const struct agent *b);
/* Adds a spelling of the agent's name. */
void agent_add_name(struct facts *facts, struct span name);

/* Gathers facts from the mailboxes, rosters, task lists and the outbox. */
void agent_gather(struct gathering *g);

/* Finds the circles, as indexes of facts, sets the circle of each agent, and the requests that form
 * it. */
void agent_find_circles(struct gathering *g);
/* Sets state, reason and start of the state. */
void agent_judge(struct gathering *g, struct facts *facts);
/* Writes the sentences. For all agents at once, because a sentence can mention the state of another
 * agent. */
void agent_explain(struct gathering *g);

#endif
