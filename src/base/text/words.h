/* Words: what a text is made of for whoever searches it. This is the only place that knows it.
 *
 * Letters, digits and marks make words; everything else stands between them. So a path, an
 * identifier or a number with points in it is several words: src/base/fold.c is "src", "base",
 * "fold" and "c", and whoever seeks it seeks these in a row. Letters of scripts that are written
 * without blanks (Chinese, Japanese, Thai and their like) are a word each, for the same reason.
 * Characters that nobody sees, such as a soft hyphen, neither belong to a word nor end it. Bytes
 * that are not UTF-8 stand between words.
 *
 * Words are compared case aside, and in the form in which characters that are only encoded or drawn
 * in another way are the same (Unicode's NFKC). Of a very long one the start counts. */
#ifndef BASE_TEXT_WORDS_H
#define BASE_TEXT_WORDS_H

#include "base/mem.h"
#include "base/str.h"

/* So many characters of a word count, and folded it has at most so many bytes. */
enum { WORD_CHARS = 64, WORD_BYTES = 1024 };

struct word {
    struct span text; /* folded; borrowed until the next one is asked for */
    size_t at, end;   /* where it stands in the text, in bytes */
};

struct words {
    struct span text;
    size_t at; /* everything before was taken */
    char folded[WORD_BYTES];
};

/* Begins with a text, which is borrowed. What it was used for before is forgotten. */
void words_begin(struct words *words, struct span text);
/* The next word; false at the end. */
bool words_next(struct words *words, struct word *word);

/* Phrases: words in a row, sought in a text. */

/* Zero-initialised has no words, and stands in no text. */
struct phrase {
    const struct span *words; /* folded */
    size_t count;
    bool open; /* the last one may go on */
};

/* The words of a text, in the arena; `open` when its last one may go on, which it can only where
 * the text ends in it. */
void phrase_read(struct phrase *phrase, struct span text, bool open, struct arena *arena);

/* Whether the n-th word of the phrase is one of a text. */
bool phrase_takes(const struct phrase *phrase, size_t n, struct span word);

/* Whether it stands in the text, and where it does for the first time; `where` may be NULL. */
bool phrase_stands_in(const struct phrase *phrase, struct span text, struct span *where);

/* The same from the iterator on, for the next time. */
bool phrase_next(const struct phrase *phrase, struct words *words, struct span *where);

#endif
