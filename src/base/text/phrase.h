/* Phrases: words in a row, sought in a text. */
#ifndef BASE_TEXT_PHRASE_H
#define BASE_TEXT_PHRASE_H

#include "base/arena.h"
#include "base/text/words.h"

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
