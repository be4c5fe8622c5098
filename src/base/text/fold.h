/* Folding: text in a form in which case does not matter. */
#ifndef BASE_TEXT_FOLD_H
#define BASE_TEXT_FOLD_H

#include "base/str.h"

/* Appends the text with Unicode's full case folding, in which one character may become several (a
 * German sharp s is "ss"). Nothing else is made equal. Bytes that are not UTF-8 stay. Folding what
 * is folded changes nothing. */
void fold_add(struct str *out, struct span text);

/* Whether a text is that word, whatever the case of its ASCII letters. The word is lower case. */
bool fold_is(struct span text, const char *word);

#endif
