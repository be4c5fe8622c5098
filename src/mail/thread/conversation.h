/* Talks: threads with the facts that lists show of them. */
#ifndef MAIL_THREAD_CONVERSATION_H
#define MAIL_THREAD_CONVERSATION_H

#include "base/str.h"
#include "mail/agent/relative_time.h"
#include "mail/thread/request.h"
#include "mail/thread/thread.h"

#define CONVERSATION_NONE UINT32_MAX

enum conversation_form {
    CONVERSATION_THREAD,
    CONVERSATION_IDLE,    /* all idle notices of one agent to another: each alone says little */
    CONVERSATION_DAMAGED, /* one damaged message: what it says of threads is not to be relied on */
};

/* All of it borrows from the messages. Where messages are numbers they are the model's. */
struct conversation {
    uint32_t first, count; /* its messages: talks->order[first] and on; see thread_arrange() */
    uint32_t named_by; /* the message whose subject stands for all; see conversation_subject() */
    uint32_t ask;      /* what is waited for, as a number of the asks; or ASK_NONE */
    uint32_t unread;   /* messages that their recipients have not read; see conversations_build() */
    uint32_t unread_mine;  /* of these the ones for the person */
    struct span id;        /* what the thread is called, by a message in it or after its first */
    struct span waits_on;  /* who was asked; absent when nobody is waited for */
    struct span stuck;     /* the agent that may be stuck; absent when none was hinted at */
    struct span stuck_why; /* the evidence in words ... */
    const struct aging *stuck_ages; /* ... and the ages in these; or NULL */
    int64_t waits_us;               /* since when, of the ask; TIME_NONE */
    int64_t stuck_us;               /* since when that is */
    int64_t unread_us; /* of the oldest unread message, of the person's if there are any */
    int64_t last_us;   /* of the newest message */
    uint8_t form;      /* enum conversation_form */
    uint8_t kind;      /* of the ask, else of the most demanding message */
    uint8_t priority;  /* the highest of what is open, else of all */
    bool waits_for_us; /* it is the person who was asked */
    bool ours;         /* the person wrote or got some of it */
    bool archived;     /* all of it */
    bool failed;       /* an unread idle notice says that its agent failed */
};

struct conversations {
    const struct model *model; /* borrowed */
    const struct asks *asks;   /* borrowed */
    struct conversation *items;
    size_t count;
    uint32_t *order; /* messages, talk by talk */
    uint32_t *of;    /* for each message: its talk, or CONVERSATION_NONE when it is left out */
};

/* A suspicion that an agent is stuck, and the message that shows it. */
struct conversation_hint {
    uint32_t message;
    struct span agent, why;
    int64_t since_us;         /* TIME_NONE: since the message came */
    const struct aging *ages; /* in the words; must outlive the talks. NULL: there are none */
};

struct conversation_input {
    const struct model *model;
    const struct threads *threads;
    const struct asks *asks;
    const struct conversation_hint *hints;
    size_t hint_count;
    int64_t now_us;
    bool expired; /* with what has expired: else that is in no talk, unless it was archived */
};

/* A message counts as unread while its recipient has not read it and it is neither archived,
 * expired nor damaged. A talk waits for its oldest open ask, one for the person before all others.
 * The input must outlive the talks, but for the hints' array. */
void conversations_build(struct conversations *conversations,
                         const struct conversation_input *input);
/* For who knows of suspicions only afterwards. */
void conversations_take_hints(struct conversations *conversations,
                              const struct conversation_hint *hints, size_t count);
void conversations_free(struct conversations *conversations);

const struct message *conversation_message(const struct conversations *conversations,
                                           const struct conversation *conversation, size_t at);

/* What it is about, for people: a subject, or what is wrong with a damaged message. Absent where
 * nothing says it. */
struct span conversation_subject(const struct conversations *conversations,
                                 const struct conversation *conversation);

/* Appends what tells this talk from all others, also when messages have come since: its first
 * message, or who tells whom that it is idle, or the damaged file. */
void conversation_add_key(struct str *key, const struct conversations *conversations,
                          const struct conversation *conversation);

/* Adds everybody who wrote or got some of it, in the order of appearance, each name once. */
void conversation_participants(const struct conversations *conversations,
                               const struct conversation *conversation, struct span_list *names);

/* Whether AGENT or AGENT@TEAM wrote some of it, got some of it or has it in a box. */
bool conversation_has_agent(const struct conversations *conversations,
                            const struct conversation *conversation, struct span agent);

/* Whether this message is a plan whose place a later one has taken. */
bool conversation_is_superseded(const struct conversations *conversations, uint32_t message);

#endif
