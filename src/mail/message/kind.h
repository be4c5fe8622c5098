/* Kinds: the purpose of a message, in the same words for all layouts. */
#ifndef MAIL_MESSAGE_KIND_H
#define MAIL_MESSAGE_KIND_H

#include "mail/message/message.h"

enum kind {
    KIND_MESSAGE,    /* plain text */
    KIND_QUESTION,   /* wants a response and has none of the other kinds */
    KIND_HANDOFF,    /* work that is handed over to another agent */
    KIND_ESCALATION, /* a decision that the author cannot make */
    KIND_PLAN,       /* a plan that needs approval, or the answer to it */
    KIND_PERMISSION, /* a request to use a tool, or the answer to it */
    KIND_HOST,       /* a request to use a network host, or the answer to it */
    KIND_SHUTDOWN,   /* a request to end work, or the answer to it */
    KIND_TASK,       /* work that is assigned */
    KIND_MODE,       /* an order to change the mode */
    KIND_RULES,      /* permission rules for a whole team */
    KIND_IDLE,       /* a notice that an agent is idle */
    KIND_COUNT,
};

/* Returns the kind's name in queries and output. */
const char *kind_name(enum kind kind);
/* Returns a short word for lists, in capitals if the sender may be waiting for an answer. */
const char *kind_word(enum kind kind);
bool kind_parse(struct span word, enum kind *kind);

/* Returns the kind for a type, as a layout or its conventions spell it; KIND_MESSAGE if unknown. */
enum kind kind_of_type(struct span type);

/* Sets the kind from the message's type, then its subject, unless the layout has set it. */
void message_classify(struct message *message);

#endif
