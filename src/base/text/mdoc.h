/* Manual pages as plain text, for machines on which there is no man.
 *
 * Knows the part of the mdoc language that our own pages are written in; of macros beyond that the
 * words are shown. What it makes has the words that mandoc prints, in the same order. */
#ifndef BASE_TEXT_MDOC_H
#define BASE_TEXT_MDOC_H

#include "base/str.h"

/* Appends the page, filled to that many columns. In ASCII alone when that is asked for. */
void mdoc_add(struct str *out, struct span page, size_t columns, bool ascii);

#endif
