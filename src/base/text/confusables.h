/* Look-alikes: names that are easily mistaken for one another, and names with hidden characters. */
#ifndef BASE_TEXT_CONFUSABLES_H
#define BASE_TEXT_CONFUSABLES_H

#include "base/str.h"

#include <stdint.h>

/* Appends the skeleton of a name: names that look alike have the same skeleton. It ignores case,
 * accents, hidden characters, wide and fancy forms of letters and the kind of separator; letters of
 * other scripts become the Latin ones they look like, 0 becomes o, 1 and i become l, "rn" becomes m
 * and "vv" becomes w. A skeleton is for comparing, not for display. */
void confusable_skeleton(struct str *out, struct span name);

/* Reports whether two names differ but have the same skeleton. */
bool confusable_same(struct span a, struct span b);

/* Reports whether the name has letters of scripts that are not written together, such as Latin and
 * Cyrillic. */
bool confusable_mixes(struct span name);

/* Reports whether the name holds a character that is escaped for display: an invisible one, or one
 * that a line cannot hold. */
bool confusable_hides(struct span name);

/* Returns the ASCII letters that a character of another script looks like, or NULL. */
const char *confusable_letters(int32_t code);

/* Returns the ASCII character, in lower case, that a character without its accents looks like; ' '
 * for an accent alone; '\0' if there is none or more than one. */
char confusable_ascii(int32_t code);

#endif
