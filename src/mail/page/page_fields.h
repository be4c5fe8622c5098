/* Sheets: an object that is known, as labels and values. */
#ifndef MAIL_PAGE_PAGE_FIELDS_H
#define MAIL_PAGE_PAGE_FIELDS_H

#include "mail/page/page_writer.h"

struct sheet {
    struct writer *w;
    size_t columns; /* of the labels, with at least one blank behind them */
};

enum sheet_how {
    SHEET_PLAIN,    /* a text, all of whose blanks count; anything else as JSON */
    SHEET_PROSE,    /* a text, wrapped between words */
    SHEET_EXACT,    /* a text that is to be taken by the letter, such as a command */
    SHEET_SAID,     /* what an agent says about itself */
    SHEET_MARKDOWN, /* below its label */
    SHEET_STEPS,    /* an array of texts, numbered */
    SHEET_LIST,     /* an array of texts */
    SHEET_INPUT,    /* what a tool is to work on: a sheet of its own */
};

struct sheet_field {
    const char *key, *label; /* a key of NULL ends a table */
    enum sheet_how how;
    bool needed; /* "none" is said when there is nothing in it; else it is left out then */
};

/* A text with its label, on one line: newlines are shown as ^J. */
void sheet_line(struct sheet *sheet, const char *label, struct span text, enum line_mode mode,
                enum look look);
/* A text with its label, which may have several lines: none of them can pass for a label. */
void sheet_text(struct sheet *sheet, const char *label, struct span text, enum line_mode mode,
                enum look look);

/* The members that the table knows, in its order, then all others as JSON. Equal keys are all
 * shown. The object was scanned before. */
void sheet_members(struct sheet *sheet, struct span object, const struct sheet_field *fields);

/* The head of a part of a message. */
void sheet_title(struct writer *w, const char *title);

#endif
