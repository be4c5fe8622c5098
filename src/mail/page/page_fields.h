/* Field tables: a known JSON object as labels and values. */
#ifndef MAIL_PAGE_PAGE_FIELDS_H
#define MAIL_PAGE_PAGE_FIELDS_H

#include "mail/page/page_writer.h"

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

/* Writes a text with its label on one line; newlines are shown as ^J. */
void page_field_line(struct page_fields *sheet, const char *label, struct span text,
                     enum line_mode mode, enum style style);
/* Writes a text with its label. The text may have several lines: none of them can be taken for a
 * label. */
void page_field_text(struct page_fields *sheet, const char *label, struct span text,
                     enum line_mode mode, enum style style);

/* Writes the members that the table knows, in its order, then all others as JSON. Equal keys are
 * all shown. The object must have been scanned successfully. */
void page_field_members(struct page_fields *sheet, struct span object,
                        const struct page_field_field *fields);

/* Writes the heading of a part of a message. */
void page_field_title(struct writer *w, const char *title);

#endif
