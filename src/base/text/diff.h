/* Differences between two texts, line by line. */
#ifndef BASE_TEXT_DIFF_H
#define BASE_TEXT_DIFF_H

#include "base/str.h"

enum diff_kind { DIFF_SAME, DIFF_GONE, DIFF_NEW };

struct diff_line {
    struct span text; /* from one of the two texts, without its newline */
    enum diff_kind kind;
};

/* A difference; zero-initialised is empty and valid. The lines borrow from the texts. */
struct difference {
    struct diff_line *lines;
    size_t count, cap;
    size_t changed; /* how many of the lines are not DIFF_SAME */
};

/* Fills in every line of both texts once, in an order that shows removed and new lines in place.
 * Finds a shortest difference, but of texts with hardly anything in common all lines are DIFF_GONE
 * and DIFF_NEW. */
void diff_find(struct difference *difference, struct span before, struct span after);
void diff_free(struct difference *difference);

#endif
