/* Tallies: what some messages say about whoever they name, before anybody knows who is who.
 *
 * All that agents are judged by is the newest, the oldest or the number of something, so tallies of
 * parts of the mail make the tally of all of it: only the parts that change are looked through
 * again. */
#ifndef MAIL_AGENT_AGENT_H
#define MAIL_AGENT_AGENT_H

#include "base/str.h"
#include "mail/agent/relative_time.h"
#include "mail/message/model.h"
#include "mail/message/short_id.h"
#include "mail/thread/request.h"

#define TALLY_NONE UINT32_MAX

/* The oldest of some messages, and how many there are. */
struct some {
    uint32_t first;
    size_t count;
};

/* One name as messages of one team spell it. Messages are numbers in the model's order, TALLY_NONE
 * for none. */
struct tally_name {
    uint32_t source;
    struct span team, name;
    bool person;        /* it is the person's */
    bool spoke;         /* a message from it is there, of whatever time */
    int64_t heard_us;   /* of the newest that does not lie in the future, or TIME_NONE */
    uint32_t last;      /* its last word */
    uint32_t last_said; /* the last that is more than an idle notice */
    uint32_t woken_by;  /* the newest talk that it has read */
    struct some unread, processing, failed;
    uint32_t unreadable; /* stands for its box, which could not be read */
};

/* A place in which a message for that name lies. */
struct tally_box {
    uint32_t name;
    const struct place *place;
};

/* Zero-initialised is empty and valid. Borrows from the messages. */
struct agent_tally {
    struct tally_name *names;
    size_t count, cap;
    struct tally_box *boxes; /* some of them more than once */
    size_t box_count, box_cap;
    uint32_t *words; /* messages with a sender that are unread and no idle notices */
    size_t word_count, word_cap;
    uint32_t *unreadable; /* stand for directories of several boxes that could not be read */
    size_t unreadable_count, unreadable_cap;
    int64_t next_us; /* before that the clock alone changes nothing of it; TIME_NONE: never */
};

void agent_tally_fill(struct agent_tally *tally, const struct model *model, int64_t now_us);
void agent_tally_free(struct agent_tally *tally);

/* Since when a message is worked on: nobody writes that down, but it was read before. */
int64_t tally_begun(const struct message *message);

/* Agents: in which state each of them is, and the evidence for it.
 *
 * A state is derived from what lies in the mailboxes, never told by anybody. The first of these
 * rules that holds decides; "old" means longer than a limit in struct agent_limits:
 *
 *   GONE       the roster says that it has ended; or its last word agreed to shut down; or it is on
 *              no roster though its team keeps one, has been silent (old: silent) or was never
 *              heard, and asks nothing of the person.
 *   WAITS-YOU  something that it asked the person is open.
 *   STUCK?     its last word says failed, interrupted, or a task blocked or failed; the roster says
 *              failed or interrupted; it waits in a circle, or on one; a message in its box failed,
 *              or is being worked on (old: processing); mail for it cannot be delivered, or has
 *              been queued (old: unread); it rests or was never heard, and has unread mail (old:
 *              unread); it wrote after mail came that it leaves unread (old: unread); it is silent
 *              (old: silent) or was never heard with somebody waiting for its answer (old: silent);
 *              it is silent with such mail or with a task in progress. Who waits for another agent,
 *              or is at work on a message, may be silent, unless it has unread mail. Who says that
 *              it rests and has read everything is never stuck.
 *   UNKNOWN    its mailbox, or a directory that holds it, cannot be read.
 *   WAITS      something that it asked another agent is open; or it rests after a message to
 *              another agent that is still unread there.
 *   WORKING    heard lately, at work on a message, or has a task in progress.
 *   IDLE       its last word, or the roster, says that it rests; or nothing waits for it.
 *
 * An agent that has read a message after it said that it rests was woken, and counts as heard then.
 * Times that lie in the future are no evidence. */

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

/* The word for it in output: WAITS-YOU, STUCK?, UNKNOWN, WAITS, WORKING, IDLE, GONE. */
const char *agent_state_name(enum agent_state state);

/* From when on something is old. */
struct agent_limits {
    int64_t silent_us;     /* no word from an agent that should have one */
    int64_t unread_us;     /* mail that nobody reads */
    int64_t processing_us; /* work on one message */
};
extern const struct agent_limits agent_limits_default;

/* Somebody whom rosters or mailboxes name. */
struct agent_known {
    uint32_t source;
    struct span team, name;
    struct span status, role; /* in the roster's words, or absent */
    bool on_roster, lead, idle, gone;
    bool box;     /* only a mailbox of that name is known */
    bool implied; /* on the roster without being named there: makes no row by itself */
    bool person;  /* it is the person */
};

/* An entry of a list of work. */
struct agent_task {
    uint32_t source;
    struct span list, id, subject, owner, status;
};

/* A message of ours that has not arrived. */
struct agent_unsent {
    uint32_t source;
    struct span team, to;
    int64_t since_us;
    bool failed; /* it will not go out by itself */
};

/* Who is meant by a name. */
struct agent_id {
    struct span team, name; /* the same for all spellings of one agent */
    struct span spelled;    /* `name` as people write it, where it is a box's spelling; or absent */
};

/* What is known already of some messages that stand one behind the other in the model. */
struct agents_share {
    const struct agent_tally *tally; /* numbers of both are those of this model of their own ... */
    const struct id_order *ids;
    const struct model *model;
    uint32_t first; /* ... and less by this one than those of all */
};

/* Everything borrowed. What a span shows lives at least as long as the result. */
struct agents_input {
    const struct model *model;
    const struct agents_share *shares; /* that make up the model; NULL: it is gone through */
    size_t share_count;
    const struct asks *asks;
    int64_t now_us;
    const struct agent_known *known;
    size_t known_count;
    const struct agent_task *tasks;
    size_t task_count;
    const struct agent_unsent *unsent;
    size_t unsent_count;
    const struct agent_limits *limits; /* one for each source */
    /* Who a name means at that place; false when nobody in particular. Texts live as long as the
     * result. */
    bool (*identify)(void *context, uint32_t source, struct span team, struct span name,
                     struct agent_id *id);
    void *context;
};

/* One agent. Messages are numbers in the model's order; AGENT_NONE for none. Texts are raw. */
struct agent {
    uint32_t source;
    struct span team, name, role;
    struct span_list names; /* every spelling that was seen, boxes included */
    enum agent_state state;
    struct span why;       /* one line; what the agent said is quoted in it */
    struct aging why_ages; /* the ages in it, for who shows it later */
    uint32_t evidence;     /* the message that tells it best */
    int64_t since_us;      /* for how long it is so, or TIME_NONE */
    int64_t heard_us;      /* its last message of any kind, or TIME_NONE */
    size_t unread;         /* messages for it that it has not read */
    int64_t unread_us;     /* the oldest of them, or TIME_NONE */
    size_t asks_you;       /* open asks: from it to the person, ... */
    size_t asks_by;        /* ... from it to other agents, ... */
    size_t asks_to;        /* ... and from anybody to it */
    struct span waits_on;  /* who is to answer or to read, the person first; absent for nobody */
    int64_t waits_us;      /* since when, or TIME_NONE */
    bool on_roster;
    bool off_roster; /* its team keeps a roster without it */
    bool lead;
    bool spoke;      /* a message from it is there, of whatever time */
    uint32_t circle; /* the circle it waits in or on, or AGENT_NONE */
};

/* Agents that wait for each other: members[0] for members[1] and so on, the last for the first. */
struct agent_circle {
    uint32_t *members; /* numbers of agents */
    size_t count;
};

struct agents {
    struct arena arena;
    struct agent *items; /* the most severe first, then who has waited longest */
    size_t count;
    size_t in_state[AGENT_STATE_COUNT];
    struct agent_circle *circles;
    size_t circle_count;
    int64_t next_change_us; /* before that the clock alone changes no state; TIME_NONE: never */
};

/* The person and what is damaged are no part of it. The time it takes grows with the messages, not
 * with their square. */
void agents_build(struct agents *agents, const struct agents_input *input);
void agents_free(struct agents *agents);

#endif
