/* Field tables: a known JSON object as labels and values. */
#ifndef MAIL_PAGE_PAGE_MESSAGE_H
#define MAIL_PAGE_PAGE_MESSAGE_H

#include "mail/page/page.h"

struct page_fields {
    struct writer *w;
    size_t columns; /* of the labels, with at least one blank after them */
};

enum page_field_how {
    PAGE_FIELD_PLAIN,    /* a text, all of whose blanks count; anything else as JSON */
    PAGE_FIELD_PROSE,    /* a text, wrapped between words */
    PAGE_FIELD_EXACT,    /* a text in which every character counts, such as a command */
    PAGE_FIELD_SAID,     /* a statement of the agent, shown in quotes */
    PAGE_FIELD_MARKDOWN, /* below its label */
    PAGE_FIELD_STEPS,    /* an array of texts, numbered */
    PAGE_FIELD_LIST,     /* an array of texts */
    PAGE_FIELD_INPUT,    /* the input of a tool: with its own table of labels */
};

struct page_field_field {
    const char *key, *label; /* a key of NULL ends a table */
    enum page_field_how how;
    bool needed; /* if empty, "none" is shown; otherwise an empty field is left out */
};

#endif
