/* Differences between two texts, line by line. */
#ifndef BASE_TEXT_DIFF_H
#define BASE_TEXT_DIFF_H

#include "base/str.h"

enum diff_kind { DIFF_SAME, DIFF_GONE, DIFF_NEW };

struct diff_line {
    struct span text; /* of one of the two, without its newline */
    enum diff_kind kind;
};

/* Zero-initialised is empty and valid. The lines borrow from the texts. */
struct difference {
    struct diff_line *lines;
    size_t count, cap;
    size_t changed; /* so many of them are gone or new */
};

/* Fills in every line of both texts once, in an order in which the lines that are gone can be
 * crossed out and the new ones put in. Few changes are found as few; of texts with hardly anything
 * in common all is gone and new. */
void diff_find(struct difference *difference, struct span before, struct span after);
void diff_free(struct difference *difference);

#endif
