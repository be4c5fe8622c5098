/* Conversations: threads with the facts that lists show. */
#ifndef MAIL_THREAD_CONVERSATION_H
#define MAIL_THREAD_CONVERSATION_H

#include "base/str.h"
#include "mail/agent/agent_reason.h"
#include "mail/thread/request.h"
#include "mail/thread/thread.h"

#define CONVERSATION_NONE UINT32_MAX

enum conversation_form {
    CONVERSATION_THREAD,
    CONVERSATION_IDLE,    /* all idle notices of one agent to another: a single one says little */
    CONVERSATION_DAMAGED, /* one damaged message: its thread fields are not reliable */
};

/* One conversation; it borrows from the messages. Message numbers are those of the model. */
struct conversation {
    uint32_t first, count; /* its messages, in order[]; see thread_arrange_numbers() */
    uint32_t named_by;     /* the message that gives the subject; see conversation_subject() */
    uint32_t ask;          /* index of the open request in asks; or REQUEST_NONE */
    uint32_t unread; /* messages that their recipients have not read; see conversations_build() */
    uint32_t unread_mine;  /* unread messages for the person */
    struct span id;        /* thread id that a message gives, else the first message's id */
    struct span waits_on;  /* recipient of `ask`; absent if it is REQUEST_NONE */
    struct span stuck;     /* the agent that may be stuck; absent without a hint */
    struct span stuck_why; /* the evidence, in words */
    const struct aging *stuck_ages; /* the ages in stuck_why; or NULL */
    int64_t waits_us;               /* time of the request; TIME_NONE without one */
    int64_t stuck_us;               /* start of the evidence; TIME_NONE without a hint */
    int64_t unread_us; /* oldest unread message; of those for the person if there are any */
    int64_t last_us;   /* newest message */
    uint8_t form;      /* enum conversation_form */
    uint8_t kind;      /* kind of the request, else of the most demanding message */
    uint8_t priority;  /* highest of the unread messages and open requests, else of all */
    bool waits_for_us; /* the open request was sent to the person */
    bool ours;         /* the person wrote or received part of it */
    bool archived;     /* all messages are archived */
    bool failed;       /* an unread idle notice says that its agent failed */
};

struct conversations {
    const struct model *model;   /* borrowed */
    const struct requests *asks; /* borrowed */
    struct conversation *items;
    size_t count;
    uint32_t *order; /* message numbers, conversation by conversation */
    uint32_t *of;    /* for each message: its conversation, or CONVERSATION_NONE if it is in none */
};

/* Evidence that an agent is stuck, and the message that shows it. */
struct conversation_hint {
    uint32_t message;
    struct span agent, why;
    int64_t since_us;         /* TIME_NONE: the time of the message */
    const struct aging *ages; /* ages in the words; must outlive the conversations. NULL: none */
};

struct conversation_input {
    const struct model *model;
    const struct threads *threads;
    const struct requests *asks;
    const struct conversation_hint *hints;
    size_t hint_count;
    int64_t now_us;
    bool expired; /* include expired messages: otherwise only archived ones are included */
};

/* Builds all conversations. A message is unread if its recipient has not read it and it is not
 * archived, expired or damaged. The request of a conversation is its oldest open one; a request to
 * the person precedes all others. The input must outlive the conversations, except for the array of
 * hints. */
void conversations_build(struct conversations *conversations,
                         const struct conversation_input *input);
/* Adds hints that were found after conversations_build(). */
void conversations_take_hints(struct conversations *conversations,
                              const struct conversation_hint *hints, size_t count);
void conversations_free(struct conversations *conversations);

const struct message *conversation_message(const struct conversations *conversations,
                                           const struct conversation *conversation, size_t at);

/* Returns the open request of the conversation, or NULL. */
const struct message *conversation_request(const struct conversations *conversations,
                                           const struct conversation *conversation);

/* Returns the subject to show, or the damage of a damaged message. Absent if there is neither. */
struct span conversation_subject(const struct conversations *conversations,
                                 const struct conversation *conversation);

/* Appends a key that identifies the conversation, also after new messages arrived: it is made from
 * the first message, the sender and recipient of idle notices, or the damaged file. */
void conversation_add_key(struct str *key, const struct conversations *conversations,
                          const struct conversation *conversation);

/* Adds the senders and recipients of all messages, in order of appearance, each name once. */
void conversation_participants(const struct conversations *conversations,
                               const struct conversation *conversation, struct span_list *names);

/* True if AGENT or AGENT@TEAM sent or received one of the messages, or has one in its box. */
bool conversation_has_agent(const struct conversations *conversations,
                            const struct conversation *conversation, struct span agent);

/* True if the message is a plan that a later plan has replaced. */
bool conversation_is_superseded(const struct conversations *conversations, uint32_t message);

#endif
