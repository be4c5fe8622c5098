/* UTF-8: one code point at a time, telling invalid bytes apart. */
#ifndef BASE_TEXT_UTF8_H
#define BASE_TEXT_UTF8_H

#include "base/str.h"

#include <stdint.h>

/* What utf8_next() yields for bytes that are not UTF-8. */
enum { UTF8_INVALID = -1 };

/* Takes one code point off the front of a non-empty span. A surrogate in three bytes (how a lone
 * one from JSON is kept) comes out as itself, 0xd800 to 0xdfff; other invalid bytes come out one
 * by one as UTF8_INVALID. */
int32_t utf8_next(struct span *rest);

/* Appends one code point; surrogates are kept in three bytes. */
void utf8_add(struct str *out, int32_t code);

/* True when every byte belongs to a well-formed code point, surrogates excluded. */
bool utf8_is_ascii(struct span text);
bool utf8_valid(struct span text);
/* The same, surrogates included: what JSON can carry. */
bool utf8_escapable(struct span text);

/* The text without the byte order mark that it may start with. */
struct span utf8_without_mark(struct span text);

/* The longest start of the text with at most `count` code points. */
struct span utf8_start(struct span text, size_t count);

/* Folding: text in a form in which case does not matter. */

/* Appends the text with Unicode's full case folding, in which one character may become several (a
 * German sharp s is "ss"). Nothing else is made equal. Bytes that are not UTF-8 stay. Folding what
 * is folded changes nothing. */
void fold_add(struct str *out, struct span text);

/* Whether a text is that word, whatever the case of its ASCII letters. The word is lower case. */
bool fold_is(struct span text, const char *word);

#endif
