/* A page of Markdown while it is written: the text, its marks, and who writes. */
#ifndef MAIL_PAGE_DOCUMENT_PAGE_H
#define MAIL_PAGE_DOCUMENT_PAGE_H

#include "mail/page/document_markup.h"
#include "mail/page/document_private.h"

struct page {
    struct writer *w;
    struct span text;
    struct markup markup;
    struct str next;  /* scratch */
    size_t table;     /* the next one */
    bool was_heading; /* the line before: dashes below it only underline it */
};

/* The first mark that has to do with these bytes, or NULL. */
const struct mark *page_mark(const struct page *page, size_t from, size_t to);

/* Where the bullets, numbers, quote marks and blanks end that a line starts with; not beyond `to`.
 */
size_t page_lead(const struct page *page, size_t from, size_t to);

/* Bytes of the text onto the line that is open, as their marks say. */
void page_put(struct page *page, size_t from, size_t to);

/* Shows the table that starts in this line, and takes its lines off the rest; false when it has not
 * the shape of one. */
bool page_put_table(struct page *page, struct span line, uint32_t rows, struct span *rest);

#endif
