/* Nearest: which known names a mistyped one may have meant. */
#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H

#include "base/str.h"

/* Appends up to three of the names, nearest first, as the end of a sentence: `; near: "a", "b"`.
 * Nothing when none is near. */
void suggest_hint(struct str *out, struct span typed, const struct span *names, size_t count);
/* The same only of names that are a slip or two away, where what was typed may well be meant. */
void suggest_slip(struct str *out, struct span typed, const struct span *names, size_t count);
/* suggest_hint() of words, of which NULL stands behind the last. */
void suggest_hint_words(struct str *out, struct span typed, const char *(*word)(unsigned number));

#endif
