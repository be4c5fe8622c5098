/* Kinds: what a message is about, in the same words for all layouts. */
#ifndef MAIL_MESSAGE_KIND_H
#define MAIL_MESSAGE_KIND_H

#include "mail/message/message.h"

enum kind {
    KIND_MESSAGE,    /* plain talk */
    KIND_QUESTION,   /* wants a response and is nothing else below */
    KIND_HANDOFF,    /* work that goes to somebody else */
    KIND_ESCALATION, /* something that its author cannot decide */
    KIND_PLAN,       /* a plan that wants approval, and the verdict on it */
    KIND_PERMISSION, /* the use of a tool, and the verdict */
    KIND_HOST,       /* the use of a host on the network, and the verdict */
    KIND_SHUTDOWN,   /* to end work, and the answer */
    KIND_TASK,       /* work that is assigned */
    KIND_MODE,       /* an order in which mode to work */
    KIND_RULES,      /* permissions for a whole team */
    KIND_IDLE,       /* an agent says that it rests */
    KIND_COUNT,
};

/* The word for it in queries and output. */
const char *kind_name(enum kind kind);
/* A short one for lists, in capitals when somebody may be waited for. */
const char *kind_word(enum kind kind);
bool kind_parse(struct span word, enum kind *kind);

/* What a type stands for, in the words of a layout that has types or of its conventions;
 * KIND_MESSAGE for all others. */
enum kind kind_of_type(struct span type);

/* Sets the kind by the message's type and subject, unless its layout has set it. */
void message_classify(struct message *message);

#endif
