/* Asks: what is asked, in words. */
#ifndef MAIL_THREAD_REQUEST_H
#define MAIL_THREAD_REQUEST_H

#include "mail/message/kind.h"
#include "mail/message/message.h"
#include "mail/message/model.h"

/* Appends what a request asks for, whole: the tool and what it is to work on, the host, the plan,
 * the reason to stop, or why somebody does not; else its subject or, without one, its text. Without
 * the data the subject tells the same of a protocol, except for what stands behind the first line.
 * It holds raw text of others: clean it. */
void ask_add_text(struct str *out, const struct message *message);

/* Appends the same on one line: the first one, or a plan's title, with "..." when there is more. */
void ask_add_title(struct str *out, const struct message *message);

/* The first line of the subject without the word for its kind, where a program has put that before
 * it; empty when there is nothing else. */
struct span ask_subject(const struct message *message);

/* Asks: which messages want something of somebody, and what became of it. */

#define ASK_NONE UINT32_MAX

/* Messages are numbers in the model's order. */
struct ask {
    uint32_t message;
    uint32_t answer;        /* the first message that answers it, or ASK_NONE */
    uint32_t superseded_by; /* the ask that took its place, or ASK_NONE */
    uint32_t supersedes;    /* the ask whose place it took, or ASK_NONE */
    bool open;              /* somebody still waits for the one who was asked */
    bool refusal;           /* it asks nothing: an agent will not stop, and is not waiting */
};

/* Whether somebody waits for an answer to it. */
static inline bool ask_waits(const struct ask *ask)
{
    return ask->open && !ask->refusal;
}

struct asks {
    struct ask *items; /* in the model's order */
    size_t count, cap;
    uint32_t *of;      /* for each message: the ask it is, or ASK_NONE */
    uint32_t *answers; /* for each message: the ask it answers, or ASK_NONE */
};

/* Whether a message wants something of who gets it, by its type or by custom; also that the person
 * looks at a refusal. */
bool message_asks(const struct message *message);

/* Whether an agent says that it will not stop. */
bool message_turns_down(const struct message *message);

/* Finds the requests among the messages, joins them with their answers, by what an answer says it
 * answers or by the request id (an answer that its reader has removed counts by message.answered),
 * and finds the plans that later ones of the same agent replaced. An
 * approved plan is not replaced by the next one, and a plan that must not be approved replaces only
 * its like. A refusal is open until it is read, or the agent is asked to stop again. */
void asks_build(struct asks *asks, const struct model *model, int64_t now_us);
void asks_free(struct asks *asks);

#endif
