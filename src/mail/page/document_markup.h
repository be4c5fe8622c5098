/* Marks: what Markdown says about the bytes of a text. The text itself is shown from its own bytes,
 * so that nothing can get lost in the reading of it: marks only say how its parts look. */
#ifndef MAIL_PAGE_DOCUMENT_MARKUP_H
#define MAIL_PAGE_DOCUMENT_MARKUP_H

#include "base/str.h"

#include <stdint.h>

enum mark_block { BLOCK_TEXT, BLOCK_HEADING, BLOCK_CODE };

/* Some bytes that are text; what lies between marks is markup. In order, without overlaps. */
struct mark {
    uint32_t at, len;
    uint8_t look;
    uint8_t after; /* look of the markup behind it: an address belongs to its link */
    uint8_t block; /* enum mark_block */
};

/* Where a link leads that does not say so itself; stands behind that byte. In order. */
struct mark_note {
    uint32_t at;
    uint32_t from, len; /* in notes_text */
};

struct mark_table {
    uint32_t at; /* in its first row, which heads it; a row of dashes follows, then its body */
    uint32_t rows;
};

struct markup {
    struct mark *items;
    struct mark_note *notes;
    struct mark_table *tables;
    size_t count, note_count, table_count;
    size_t cap, note_cap, table_cap;
    struct str notes_text;
};

/* Without any marks when there are too many for the length of the text. */
void markup_read(struct markup *markup, struct span text);
void markup_free(struct markup *markup);

/* The first mark that ends behind that byte, the first note behind it. */
size_t markup_behind(const struct markup *markup, size_t at);
size_t markup_note_behind(const struct markup *markup, size_t at);

#endif
