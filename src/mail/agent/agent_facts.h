/* Agents, inside: what is gathered about each before it is judged. */
#ifndef MAIL_AGENT_AGENT_FACTS_H
#define MAIL_AGENT_AGENT_FACTS_H

#include "base/map.h"
#include "mail/agent/agent.h"

/* Why an agent is in its state; each has its sentence in agent_why.c. */
enum agent_reason {
    REASON_ENDED,      /* the roster says so */
    REASON_SHUT_DOWN,  /* it agreed to */
    REASON_DEPARTED,   /* on no roster any more */
    REASON_ASKED_YOU,  /* waits for the person */
    REASON_SAYS,       /* its idle notice tells of a failure */
    REASON_ROSTER,     /* the roster does */
    REASON_CIRCLE,     /* agents wait for each other */
    REASON_FAILED,     /* a message was given up */
    REASON_PROCESSING, /* a message is worked on for long */
    REASON_UNSENT,     /* mail does not reach it */
    REASON_UNWOKEN,    /* rests over unread mail */
    REASON_UNHEARD,    /* never spoke, with unread mail or somebody waiting */
    REASON_BLIND,      /* writes, but does not read */
    REASON_SILENT,     /* something waits, and no word */
    REASON_UNREADABLE, /* its mailbox cannot be read */
    REASON_ASKED,      /* waits for another agent */
    REASON_WROTE,      /* rests until another agent reads */
    REASON_AT_WORK,    /* has taken on a message */
    REASON_TASK,       /* has a task */
    REASON_WOKEN,      /* has read something since it rested */
    REASON_HEARD,      /* spoke lately */
    REASON_RESTS,      /* says that it rests, or the roster does */
    REASON_QUIET,      /* nothing waits */
};

struct facts {
    struct agent agent;
    bool person;
    const struct agent_known *roster; /* or NULL */
    enum agent_reason reason;
    uint32_t last;      /* its last word */
    uint32_t last_said; /* the last that is more than an idle notice */
    uint32_t woken_by;  /* the newest talk that it has read */
    bool woken;         /* lately, and after an idle notice that is its last word */
    struct some unread, asks_you, asks_by, asks_to, processing, failed;
    uint32_t asked;      /* whom the oldest open ask is for: a number of facts */
    uint32_t ring_ask;   /* in a circle: the oldest open ask that is a part of it */
    uint32_t ring_to;    /* whom that is for: a number of facts */
    uint32_t wrote;      /* the newest message of it that the one it wrote to last has not read */
    uint32_t wrote_to;   /* whom: a number of facts, or AGENT_NONE */
    uint32_t task;       /* the first in progress */
    uint32_t unreadable; /* stands for what its mail is in and could not be read */
    size_t unsent;       /* messages for it that have not arrived */
    int64_t unsent_us;   /* the oldest undelivered message for it */
    bool unsent_failed;  /* one of them will not go out by itself */
};

struct edge {
    uint32_t from, to;
    uint32_t ask; /* the message */
};

/* A build in progress. */
struct gathering {
    const struct agents_input *in;
    struct agents *out;
    const struct agents_share *shares;
    size_t share_count;
    struct facts *items;
    size_t count, cap;
    struct map by_id;   /* source, team and name as identified: 1 + a number of facts */
    struct map by_name; /* the same for names as they are spelled; 0: nobody */
    struct map boxes;   /* source, team and box that messages are in */
    struct map rosters; /* source and team that keep one */
    struct edge *edges; /* who waits for whom: open asks between agents */
    size_t edge_count, edge_cap;
    struct str scratch;
    int64_t next_us;
};

static inline const struct message *fact_message(const struct gathering *g, uint32_t index)
{
    return g->in->model->messages[index];
}

/* Whether that was longer ago than the limit. If it will be, the time is noted. */
bool agent_is_old(struct gathering *g, int64_t since_us, int64_t limit_us);

/* A key for the maps; borrowed until the next call. */
struct span agent_key(struct gathering *g, uint32_t source, struct span team, struct span name);
/* Who is meant by a name: a number of facts; AGENT_NONE for nobody or, unless they are to be made,
 * for nobody known. */
uint32_t agent_find(struct gathering *g, uint32_t source, struct span team, struct span name,
                    bool make);
/* By source, team and name. */
int agent_cmp_names(const struct agent *a, const struct agent *b);
/* Adds a spelling. */
void agent_add_name(struct facts *facts, struct span name);

/* What the mailboxes, rosters, tasks and the outbox say. */
void agent_gather(struct gathering *g);

/* The circles, as numbers of facts, each agent's, and the asks that hold them together. */
void agent_find_circles(struct gathering *g);
/* State, reason and since when. */
void agent_judge(struct gathering *g, struct facts *facts);
/* The sentences, for all at once: what one waits for has a state too. */
void agent_explain(struct gathering *g);

#endif
