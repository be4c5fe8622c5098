/* Sheets: an object that is known, as labels and values. */
#ifndef MAIL_PAGE_PAGE_FIELDS_H
#define MAIL_PAGE_PAGE_FIELDS_H

#include "mail/page/page_writer.h"

struct page_fields {
    struct writer *w;
    size_t columns; /* of the labels, with at least one blank behind them */
};

enum page_field_how {
    PAGE_FIELD_PLAIN,    /* a text, all of whose blanks count; anything else as JSON */
    PAGE_FIELD_PROSE,    /* a text, wrapped between words */
    PAGE_FIELD_EXACT,    /* a text that is to be taken by the letter, such as a command */
    PAGE_FIELD_SAID,     /* what an agent says about itself */
    PAGE_FIELD_MARKDOWN, /* below its label */
    PAGE_FIELD_STEPS,    /* an array of texts, numbered */
    PAGE_FIELD_LIST,     /* an array of texts */
    PAGE_FIELD_INPUT,    /* what a tool is to work on: a sheet of its own */
};

struct page_field_field {
    const char *key, *label; /* a key of NULL ends a table */
    enum page_field_how how;
    bool needed; /* "none" is said when there is nothing in it; else it is left out then */
};

/* A text with its label, on one line: newlines are shown as ^J. */
void page_field_line(struct page_fields *sheet, const char *label, struct span text,
                     enum line_mode mode, enum style style);
/* A text with its label, which may have several lines: none of them can pass for a label. */
void page_field_text(struct page_fields *sheet, const char *label, struct span text,
                     enum line_mode mode, enum style style);

/* The members that the table knows, in its order, then all others as JSON. Equal keys are all
 * shown. The object was scanned before. */
void page_field_members(struct page_fields *sheet, struct span object,
                        const struct page_field_field *fields);

/* The head of a part of a message. */
void page_field_title(struct writer *w, const char *title);

#endif
