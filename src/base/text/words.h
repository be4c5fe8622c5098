/* Words: how a text is split for searching. Only this module defines it.
 *
 * Letters, digits and marks form words; everything else separates them. So a path, an identifier or
 * a number with points is several words: src/base/fold.c is "src", "base", "fold" and "c", and a
 * search for it searches for these in a row. Letters of scripts that are written without blanks
 * (Chinese, Japanese, Thai and others) are one word each, for the same reason. Invisible
 * characters, such as a soft hyphen, neither belong to a word nor end it. Bytes that are not UTF-8
 * separate words.
 *
 * Words are compared ignoring case, in Unicode's form NFKC, in which characters that differ only in
 * encoding or presentation are equal. Only the start of a very long word counts. */
#ifndef BASE_TEXT_WORDS_H
#define BASE_TEXT_WORDS_H

#include "base/mem.h"
#include "base/str.h"

/* The number of characters of a word that count, and the most bytes of a folded word. */
enum { WORD_CHARS = 64, WORD_BYTES = 1024 };

struct word {
    struct span text; /* folded; borrowed until the next word is read */
    size_t at, end;   /* its position in the text, in bytes */
};

struct words {
    struct span text;
    size_t at; /* everything before this was read */
    char folded[WORD_BYTES];
};

/* Starts on a text, which is borrowed. Resets any earlier use. */
void words_begin(struct words *words, struct span text);
/* Reads the next word; returns false at the end. */
bool words_next(struct words *words, struct word *word);

/* Phrases: words in a row, searched for in a text. */

/* A phrase. Zero-initialised has no words and matches nowhere. */
struct phrase {
    const struct span *words; /* folded */
    size_t count;
    bool open; /* the last word is a prefix */
};

/* Reads the words of a text, which are kept in the arena. `open` makes the last word a prefix, but
 * only if the text ends with it. */
void phrase_read(struct phrase *phrase, struct span text, bool open, struct arena *arena);

/* Reports whether the n-th word of the phrase matches a word of a text. */
bool phrase_takes(const struct phrase *phrase, size_t n, struct span word);

/* Reports whether the phrase occurs in the text, and sets *where to its first occurrence; `where`
 * may be NULL. */
bool phrase_stands_in(const struct phrase *phrase, struct span text, struct span *where);

/* Like phrase_stands_in(), but continues from the iterator, for the next occurrence. */
bool phrase_next(const struct phrase *phrase, struct words *words, struct span *where);

#endif
