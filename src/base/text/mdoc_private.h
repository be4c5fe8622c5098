/* Manual pages: what their blocks and what stands in lines share. */
#ifndef BASE_TEXT_MDOC_PRIVATE_H
#define BASE_TEXT_MDOC_PRIVATE_H

#include "base/text/fill.h"
#include "base/text/mdoc.h"

#include <stdio.h>

enum { MDOC_DEPTH = 8, MDOC_COLUMNS = 8, MDOC_ARGS = 128 };

enum mdoc_list_kind { LIST_TAG, LIST_BULLET, LIST_ENUM, LIST_COLUMN, LIST_KINDS };

struct mdoc_list {
    enum mdoc_list_kind kind;
    size_t base, width; /* where items begin, and how far from there their text does */
    bool compact;
    bool below_heading; /* nothing stands between it and a heading */
    unsigned items;
    size_t starts[MDOC_COLUMNS]; /* of columns */
    size_t columns, column;
};

struct mdoc {
    struct fill fill;
    bool ascii;
    struct span name; /* what Nm alone means */
    struct mdoc_list lists[MDOC_DEPTH];
    size_t depth;
    bool literal;       /* lines stay as they are */
    bool synopsis;      /* Nm begins a line */
    bool heading;       /* the line was one ... */
    bool below_heading; /* ... and the one before it */
};

/* The words of a line with macros, the first one without its dot. */
struct mdoc_arg {
    struct span text;
    bool quoted; /* it is never a macro */
};

struct mdoc_args {
    struct mdoc_arg items[MDOC_ARGS];
    size_t count;
};

void mdoc_read_args(struct mdoc_args *args, struct span line);
/* Puts what the words from that one on mean; the macros among them are obeyed. */
void mdoc_put_args(struct mdoc *page, const struct mdoc_args *args, size_t from);
void mdoc_put_word(struct mdoc *page, struct span word);
void mdoc_unescape(struct str *out, struct span text);
/* Goes to the next cell of a row. */
void mdoc_next_cell(struct mdoc *page);

#endif
