/* Talks: threads with the facts that lists show of them. */
#ifndef MAIL_THREAD_CONVERSATION_H
#define MAIL_THREAD_CONVERSATION_H

#include "base/str.h"
#include "mail/agent/relative_time.h"
#include "mail/thread/request.h"
#include "mail/thread/thread.h"

#define TALK_NONE UINT32_MAX

enum talk_form {
    TALK_THREAD,
    TALK_IDLE,    /* all idle notices of one agent to another: each alone says little */
    TALK_DAMAGED, /* one damaged message: what it says of threads is not to be relied on */
};

/* All of it borrows from the messages. Where messages are numbers they are the model's. */
struct talk {
    uint32_t first, count; /* its messages: talks->order[first] and on; see thread_arrange() */
    uint32_t named_by;     /* the message whose subject stands for all; see talk_subject() */
    uint32_t ask;          /* what is waited for, as a number of the asks; or ASK_NONE */
    uint32_t unread;       /* messages that their recipients have not read; see talks_build() */
    uint32_t unread_mine;  /* of these the ones for the person */
    struct span id;        /* what the thread is called, by a message in it or after its first */
    struct span waits_on;  /* who was asked; absent when nobody is waited for */
    struct span stuck;     /* the agent that may be stuck; absent when none was hinted at */
    struct span stuck_why; /* the evidence in words ... */
    const struct aging *stuck_ages; /* ... and the ages in these; or NULL */
    int64_t waits_us;               /* since when, of the ask; WHEN_NONE */
    int64_t stuck_us;               /* since when that is */
    int64_t unread_us; /* of the oldest unread message, of the person's if there are any */
    int64_t last_us;   /* of the newest message */
    uint8_t form;      /* enum talk_form */
    uint8_t kind;      /* of the ask, else of the most demanding message */
    uint8_t priority;  /* the highest of what is open, else of all */
    bool waits_for_us; /* it is the person who was asked */
    bool ours;         /* the person wrote or got some of it */
    bool archived;     /* all of it */
    bool failed;       /* an unread idle notice says that its agent failed */
};

struct talks {
    const struct model *model; /* borrowed */
    const struct asks *asks;   /* borrowed */
    struct talk *items;
    size_t count;
    uint32_t *order; /* messages, talk by talk */
    uint32_t *of;    /* for each message: its talk, or TALK_NONE when it is left out */
};

/* A suspicion that an agent is stuck, and the message that shows it. */
struct talk_hint {
    uint32_t message;
    struct span agent, why;
    int64_t since_us;         /* WHEN_NONE: since the message came */
    const struct aging *ages; /* in the words; must outlive the talks. NULL: there are none */
};

struct talk_input {
    const struct model *model;
    const struct threads *threads;
    const struct asks *asks;
    const struct talk_hint *hints;
    size_t hint_count;
    int64_t now_us;
    bool expired; /* with what has expired: else that is in no talk, unless it was archived */
};

/* A message counts as unread while its recipient has not read it and it is neither archived,
 * expired nor damaged. A talk waits for its oldest open ask, one for the person before all others.
 * The input must outlive the talks, but for the hints' array. */
void talks_build(struct talks *talks, const struct talk_input *input);
/* For who knows of suspicions only afterwards. */
void talks_take_hints(struct talks *talks, const struct talk_hint *hints, size_t count);
void talks_free(struct talks *talks);

const struct message *talk_message(const struct talks *talks, const struct talk *talk, size_t at);

/* What it is about, for people: a subject, or what is wrong with a damaged message. Absent where
 * nothing says it. */
struct span talk_subject(const struct talks *talks, const struct talk *talk);

/* Appends what tells this talk from all others, also when messages have come since: its first
 * message, or who tells whom that it is idle, or the damaged file. */
void talk_add_key(struct str *key, const struct talks *talks, const struct talk *talk);

/* Adds everybody who wrote or got some of it, in the order of appearance, each name once. */
void talk_participants(const struct talks *talks, const struct talk *talk, struct span_list *names);

/* Whether AGENT or AGENT@TEAM wrote some of it, got some of it or has it in a box. */
bool talk_has_agent(const struct talks *talks, const struct talk *talk, struct span agent);

/* Whether this message is a plan whose place a later one has taken. */
bool talk_is_superseded(const struct talks *talks, uint32_t message);

#endif
