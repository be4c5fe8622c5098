/* Requests: messages that want something from somebody, their text, and their answers. */
#ifndef MAIL_THREAD_REQUEST_H
#define MAIL_THREAD_REQUEST_H

#include "mail/message/kind.h"
#include "mail/message/message.h"
#include "mail/message/model.h"

/* Appends the full text of a request: tool and use, host, plan, reason to stop, or reason not to
 * stop; else its subject or, without one, its body. Without message data the subject of a protocol
 * message has the same text, but only its first line. The text is raw: sanitize it before
 * printing. */
void request_add_text(struct str *out, const struct message *message);

/* Like request_add_text(), but on one line: the first line, followed by "..." if there is more, or
 * a plan's title. */
void request_add_title(struct str *out, const struct message *message);

/* Returns the first line of the subject, without the word for the kind that a program puts before
 * it; empty if nothing else is left. */
struct span request_subject(const struct message *message);

/* Requests, and the messages that answer or replace them. */

#define REQUEST_NONE UINT32_MAX

/* One request. Message numbers are those of the model. */
struct request {
    uint32_t message;
    uint32_t answer;        /* the first message that answers it, or REQUEST_NONE */
    uint32_t superseded_by; /* the request that replaced this one, or REQUEST_NONE */
    uint32_t supersedes;    /* the request that this one replaced, or REQUEST_NONE */
    bool open;              /* no answer yet */
    bool refusal;           /* an agent's refusal to stop: it needs to be read, but no answer */
};

/* True if the sender waits for an answer. */
static inline bool request_waits(const struct request *ask)
{
    return ask->open && !ask->refusal;
}

struct requests {
    struct request *items; /* in the order of the model */
    size_t count, cap;
    uint32_t *of;      /* for each message: its index in items, or REQUEST_NONE */
    uint32_t *answers; /* for each message: the request that it answers, or REQUEST_NONE */
};

/* True if the message wants something from its recipient, by its type or by convention; also true
 * for a refusal, which the person should see. */
bool message_asks(const struct message *message);

/* True if an agent says that it will not stop. */
bool message_turns_down(const struct message *message);

/* Finds the requests, their answers and the plans that later plans replaced. An answer is found by
 * the id that it answers or by the request id; an answer that its reader has deleted counts through
 * message.answered. A later plan of the same agent replaces earlier ones, except approved ones; a
 * plan that must not be approved replaces only plans of that sort. A refusal is open until it is
 * read, or until the agent is asked to stop again. */
void requests_build(struct requests *asks, const struct model *model, int64_t now_us);
void requests_free(struct requests *asks);

#endif
