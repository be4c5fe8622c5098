/* Forms: an object that is known, as labels and values. */
#ifndef MAIL_DOCUMENT_FORM_H
#define MAIL_DOCUMENT_FORM_H

#include "mail/document_private.h"

struct form {
    struct writer *w;
    size_t columns; /* of the labels, with at least one blank behind them */
};

enum form_how {
    FORM_PLAIN,    /* a text, all of whose blanks count; anything else as JSON */
    FORM_PROSE,    /* a text, wrapped between words */
    FORM_EXACT,    /* a text that is to be taken by the letter, such as a command */
    FORM_SAID,     /* what an agent says about itself */
    FORM_MARKDOWN, /* below its label */
    FORM_STEPS,    /* an array of texts, numbered */
    FORM_LIST,     /* an array of texts */
    FORM_INPUT,    /* what a tool is to work on: a form of its own */
};

struct form_field {
    const char *key, *label; /* a key of NULL ends a table */
    enum form_how how;
    bool needed; /* "none" is said when there is nothing in it; else it is left out then */
};

/* A text with its label, on one line: newlines are shown as ^J. */
void form_line(struct form *form, const char *label, struct span text, enum line_mode mode,
               enum look look);
/* A text with its label, which may have several lines: none of them can pass for a label. */
void form_text(struct form *form, const char *label, struct span text, enum line_mode mode,
               enum look look);

/* The members that the table knows, in its order, then all others as JSON. Equal keys are all
 * shown. The object was scanned before. */
void form_members(struct form *form, struct span object, const struct form_field *fields);

/* Shows the message of a protocol; false when it is none. */
bool protocol_put(struct writer *w, struct span text);

/* A context that handoff_is_context(). */
void handoff_put(struct writer *w, struct span context);

/* A message with its head and all that it carries; what document_message() is made of. */
void message_put(struct writer *w, const struct message *message);

/* The head of a part of a message. */
void form_title(struct writer *w, const char *title);

#endif
