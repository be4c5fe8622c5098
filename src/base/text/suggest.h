/* Suggestions: the known names that a mistyped one may mean. */
#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H

#include "base/str.h"

/* Appends up to three of the names, nearest first, as the end of a sentence: `; near: "a", "b"`.
 * Appends nothing if none is near. */
void suggest_hint(struct str *out, struct span typed, const struct span *names, size_t count);
/* Like suggest_hint(), but only for names that are one or two typos away, where what was typed may
 * be meant as it is. */
void suggest_slip(struct str *out, struct span typed, const struct span *names, size_t count);
/* Like suggest_hint(), for word(0), word(1) and so on; NULL ends the words. */
void suggest_hint_words(struct str *out, struct span typed, const char *(*word)(unsigned number));

#endif
