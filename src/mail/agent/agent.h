/* The state of each agent, and the evidence for it.
 *
 * First, tallies: facts about each name that messages mention, before names are matched to agents.
 * An agent is judged only by the newest, the oldest or the number of something. So the tallies of
 * parts of the mail can be merged into the tally of all mail, and only changed parts are read
 * again. */
#ifndef MAIL_AGENT_AGENT_H
#define MAIL_AGENT_AGENT_H

#include "base/map.h"
#include "base/str.h"
#include "mail/agent/agent_reason.h"
#include "mail/message/model.h"
#include "mail/message/short_id.h"
#include "mail/thread/request.h"

#define TALLY_NONE UINT32_MAX

/* The oldest of some messages, and their number. */
struct some {
    uint32_t first;
    size_t count;
};

/* A name as messages of one team spell it. Message numbers are those of the model; TALLY_NONE for
 * none. */
struct tally_name {
    uint32_t source;
    struct span team, name;
    bool person;        /* the name of the person */
    bool spoke;         /* it sent a message, of whatever time */
    int64_t heard_us;   /* newest message sent that is not dated in the future, or TIME_NONE */
    uint32_t last;      /* its last message */
    uint32_t last_said; /* the last one that is not an idle notice */
    uint32_t woken_by;  /* newest message that it has read, except those between programs */
    struct some unread, processing, failed;
    uint32_t unreadable; /* placeholder for its box, which could not be read */
};

/* A place with a message for that name. */
struct tally_box {
    uint32_t name;
    const struct place *place;
};

/* Zero-initialised is empty and valid. Borrows from the messages. */
struct agent_tally {
    struct tally_name *names;
    size_t count, cap;
    struct tally_box *boxes; /* may hold duplicates */
    size_t box_count, box_cap;
    uint32_t *words; /* unread messages with a sender, except idle notices */
    size_t word_count, word_cap;
    uint32_t *unreadable; /* placeholders for directories of several boxes that could not be read */
    size_t unreadable_count, unreadable_cap;
    int64_t next_us; /* next time at which the clock alone changes the tally; TIME_NONE: never */
};

void agent_tally_fill(struct agent_tally *tally, const struct model *model, int64_t now_us);
void agent_tally_free(struct agent_tally *tally);

/* Returns when work on the message began. No layout records that, so it is the time when it was
 * read, else when it was sent. */
int64_t tally_begun(const struct message *message);

/* Agents: the state of each, and the evidence for it.
 *
 * A state is derived from the content of the mailboxes; no agent sets it. The first of these rules
 * that holds decides; "old" means longer than a limit in struct agent_limits:
 *
 *   GONE       the roster says that it has ended; or its last message agreed to shut down; or it is
 *              on no roster though its team keeps one, has been silent (old: silent) or was never
 *              heard, and asks nothing of the person.
 *   WAITS-YOU  a request from it to the person is open.
 *   STUCK?     its last message says failed, interrupted, or a task blocked or failed; the roster
 *              says failed or interrupted; it waits in a circle, or on one; a message in its box
 *              failed, or is being worked on (old: processing); mail for it cannot be delivered, or
 *              has been queued (old: unread); it is idle or was never heard, and has unread mail
 *              (old: unread); it wrote after mail came that it leaves unread (old: unread); it is
 *              silent (old: silent) or was never heard while somebody waits for its answer (old:
 *              silent); it is silent with such mail or with a task in progress. An agent that waits
 *              for another agent, or is at work on a message, may be silent, unless it has unread
 *              mail. An agent that says it is idle and has read everything is never stuck.
 *   UNKNOWN    its mailbox, or a directory that holds it, cannot be read.
 *   WAITS      a request from it to another agent is open; or it is idle after a message to another
 *              agent that is still unread there.
 *   WORKING    heard lately, at work on a message, or has a task in progress.
 *   IDLE       its last message, or the roster, says that it is idle; or nothing waits for it.
 *
 * An agent that has read a message after it said that it is idle was woken, and counts as heard
 * then. Times in the future are no evidence. */

#define AGENT_NONE UINT32_MAX

/* The most severe first. */
enum agent_state {
    AGENT_WAITS_YOU,
    AGENT_STUCK,
    AGENT_UNKNOWN,
    AGENT_WAITS,
    AGENT_WORKING,
    AGENT_IDLE,
    AGENT_GONE,
    AGENT_STATE_COUNT,
};

/* Returns the state's name in output: WAITS-YOU, STUCK?, UNKNOWN, WAITS, WORKING, IDLE, GONE. */
const char *agent_state_name(enum agent_state state);

/* The ages from which on something is old. */
struct agent_limits {
    int64_t silent_us;     /* no message from an agent that should send one */
    int64_t unread_us;     /* unread mail */
    int64_t processing_us; /* work on one message */
};
extern const struct agent_limits agent_limits_default;

/* A name from a roster or the name of a mailbox. */
struct agent_known {
    uint32_t source;
    struct span team, name;
    struct span status, role; /* as the roster spells them, or absent */
    bool on_roster, lead, idle, gone;
    bool box;     /* only a mailbox of that name is known */
    bool implied; /* counts as on the roster without being named there: makes no row by itself */
    bool person;  /* the name of the person */
};

/* An entry of a task list. */
struct agent_task {
    uint32_t source;
    struct span list, id, subject, owner, status;
};

/* A message that we sent and that is still in our outbox. */
struct agent_unsent {
    uint32_t source;
    struct span team, to;
    int64_t since_us;
    bool failed; /* sending it is not tried again automatically */
};

/* The agent that a name means. */
struct agent_id {
    struct span team, name; /* the same for all spellings of one agent */
    struct span spelled; /* `name` as people write it, if `name` is a box's spelling; or absent */
};

/* Facts that are already known about a run of consecutive messages of the model. */
struct agents_share {
    const struct agent_tally *tally; /* the numbers in these two are those of share->model ... */
    const struct id_order *ids;
    const struct model *model;
    uint32_t first; /* ... and smaller by this than in the model of all messages */
};

/* All of it is borrowed. The bytes of the spans must outlive the result. */
struct agents_input {
    const struct model *model;
    const struct agents_share *shares; /* that make up the model; NULL: reads the model */
    size_t share_count;
    const struct requests *asks;
    int64_t now_us;
    const struct agent_known *known;
    size_t known_count;
    const struct agent_task *tasks;
    size_t task_count;
    const struct agent_unsent *unsent;
    size_t unsent_count;
    const struct agent_limits *limits; /* one per source */
    /* Sets *id to the agent that a name means in that team; false if it means no single agent. The
     * texts must outlive the result. */
    bool (*identify)(void *context, uint32_t source, struct span team, struct span name,
                     struct agent_id *id);
    void *context;
};

/* One agent. Message numbers are those of the model; AGENT_NONE for none. Texts are raw. */
struct agent {
    uint32_t source;
    struct span team, name, role;
    struct span_list names; /* every spelling found, also those of boxes */
    enum agent_state state;
    struct span why;       /* the reason, on one line; may quote the agent's text */
    struct aging why_ages; /* the ages in `why`, to show them updated later */
    uint32_t evidence;     /* the message that is the best evidence */
    int64_t since_us;      /* start of the state, or TIME_NONE */
    int64_t heard_us;      /* its last message of any kind, or TIME_NONE */
    size_t unread;         /* messages for it that it has not read */
    int64_t unread_us;     /* the oldest of them, or TIME_NONE */
    size_t asks_you;       /* open requests: from it to the person, ... */
    size_t asks_by;        /* ... from it to other agents, ... */
    size_t asks_to;        /* ... and from anybody to it */
    struct span waits_on;  /* name of who must answer or read; the person first; or absent */
    int64_t waits_us;      /* start of that wait, or TIME_NONE */
    bool on_roster;
    bool off_roster; /* its team keeps a roster, but it is not on it */
    bool lead;
    bool spoke;      /* it sent a message, of whatever time */
    uint32_t circle; /* index of the circle that it waits in or on, or AGENT_NONE */
};

/* Agents that wait for each other: members[0] for members[1] and so on, the last for the first. */
struct agent_circle {
    uint32_t *members; /* indexes of agents */
    size_t count;
};

struct agents {
    struct arena arena;
    struct agent *items; /* the most severe first, then the longest wait */
    size_t count;
    size_t in_state[AGENT_STATE_COUNT];
    struct agent_circle *circles;
    size_t circle_count;
    int64_t next_change_us; /* the clock alone changes no state before; TIME_NONE: never */
};

/* Builds the list of agents. It does not contain the person, and ignores damaged messages except
 * unreadable mailboxes. The time it takes is linear in the number of messages. */
void agents_build(struct agents *agents, const struct agents_input *input);
void agents_free(struct agents *agents);

/* Agents, internal: the facts about each agent, from which its state is derived. */

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
    uint32_t asked;        /* recipient of the oldest open request: an index of facts */
    uint32_t ring_request; /* in a circle: its oldest open request in the circle */
    uint32_t ring_to;      /* recipient of that request: an index of facts */
    uint32_t wrote;        /* its newest message that the recipient, wrote_to, has not read */
    uint32_t wrote_to;     /* recipient of its last message: an index of facts, or AGENT_NONE */
    uint32_t task;         /* the first one in progress */
    uint32_t unreadable;   /* placeholder for its box or directory, which could not be read */
    size_t unsent;         /* number of messages for it in our outbox */
    int64_t unsent_us;     /* the oldest of them */
    bool unsent_failed;    /* one of them is not sent again automatically */
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

/* Finds the circles, as indexes of facts, sets the circle of each agent, and the requests that form
 * it. */
void agent_find_circles(struct gathering *g);
/* Sets state, reason and start of the state. */
void agent_judge(struct gathering *g, struct facts *facts);
/* Writes the sentences. For all agents at once, because a sentence can mention the state of another
 * agent. */
void agent_explain(struct gathering *g);

#endif
