/* UTF-8: reading one code point at a time, with invalid bytes reported; case folding. */
#ifndef BASE_TEXT_UTF8_H
#define BASE_TEXT_UTF8_H

#include "base/str.h"

#include <stdint.h>

/* The result of utf8_next() for bytes that are not UTF-8. */
enum { UTF8_INVALID = -1 };

/* Removes one code point from the front of a non-empty span and returns it. A surrogate in three
 * bytes (how a lone one from JSON is kept) is returned as itself, 0xd800 to 0xdfff; other invalid
 * bytes are returned one by one as UTF8_INVALID. */
int32_t utf8_next(struct span *rest);

/* Appends one code point; surrogates are kept in three bytes. */
void utf8_add(struct str *out, int32_t code);

/* Report whether the text is all ASCII, or all well-formed UTF-8 without surrogates. */
bool utf8_is_ascii(struct span text);
bool utf8_valid(struct span text);
/* Like utf8_valid(), but accepts surrogates, which JSON can hold. */
bool utf8_escapable(struct span text);

/* Returns the text without a byte order mark at its start. */
struct span utf8_without_mark(struct span text);

/* Returns the longest start of the text with at most `count` code points. */
struct span utf8_start(struct span text, size_t count);

/* Folding: converting text to a form in which case does not matter. */

/* Returns the character in lower case if it is an ASCII letter. */
static inline char fold_char(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Appends the text with Unicode's full case folding, in which one character may become several (a
 * German sharp s becomes "ss"). Makes nothing else equal; keeps bytes that are not UTF-8. Folding
 * is idempotent. */
void fold_add(struct str *out, struct span text);

/* Reports whether a text equals the word, ignoring the case of ASCII letters. The word is lower
 * case. */
bool fold_is(struct span text, const char *word);

#endif
