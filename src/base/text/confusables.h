/* Look-alikes: names that are easily taken for one another, and names that hide something. */
#ifndef BASE_TEXT_CONFUSABLES_H
#define BASE_TEXT_CONFUSABLES_H

#include "base/str.h"

#include <stdint.h>

/* Appends what the name looks like at a glance: names that look alike have the same skeleton. Case,
 * accents, hidden characters, wide and fancy forms of letters and the kind of separator do not
 * count; letters of other scripts count as the Latin ones they are drawn like, 0 as o, 1 and i as
 * l, "rn" as m and "vv" as w. A skeleton is for comparing, not for showing. */
void confusable_skeleton(struct str *out, struct span name);

/* True for two names that differ and have one skeleton. */
bool confusable_same(struct span a, struct span b);

/* Whether it has letters of scripts that are not written together, such as Latin and Cyrillic ones.
 */
bool confusable_mixes(struct span name);

/* Whether it holds something that nobody sees, or that a line cannot hold. */
bool confusable_hides(struct span name);

/* The ASCII letters that a character of another script is drawn like, or NULL. */
const char *confusable_letters(int32_t code);

/* The ASCII character, letters small, that a character is drawn like without its accents, a blank
 * for an accent alone; '\0' where there is none, or several. */
char confusable_ascii(int32_t code);

#endif
