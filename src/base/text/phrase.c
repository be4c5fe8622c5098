/* Phrases: each place where the first word stands is tried. */
#include "base/text/phrase.h"

#include "base/mem.h"

#include <stdlib.h>

void phrase_read(struct phrase *phrase, struct span text, bool open, struct arena *arena)
{
    struct span *found = NULL;
    size_t count = 0, cap = 0, end = 0;
    struct words words;
    struct word word;

    *phrase = (struct phrase){0};
    for (words_begin(&words, text); words_next(&words, &word);) {
        found = mem_grow(found, &cap, count + 1, sizeof *found);
        found[count++] = arena_copy(arena, word.text);
        end = word.end;
    }
    if (count) {
        struct span *kept = arena_alloc(arena, count * sizeof *kept);
        memcpy(kept, found, count * sizeof *kept);
        *phrase = (struct phrase){kept, count, open && end == text.len};
    }
    free(found);
}

bool phrase_takes(const struct phrase *phrase, size_t n, struct span word)
{
    if (phrase->open && n + 1 == phrase->count)
        return span_starts(word, phrase->words[n]);
    return span_eq(word, phrase->words[n]);
}

/* Whether the words behind its first one follow here. */
static bool follows(const struct phrase *phrase, const struct words *from, size_t *end)
{
    struct words ahead;
    struct word word;

    words_begin(&ahead, from->text);
    ahead.at = from->at;
    for (size_t i = 1; i < phrase->count; i++) {
        if (!words_next(&ahead, &word) || !phrase_takes(phrase, i, word.text))
            return false;
        *end = word.end;
    }
    return true;
}

bool phrase_next(const struct phrase *phrase, struct words *words, struct span *where)
{
    struct word word;

    while (phrase->count && words_next(words, &word)) {
        size_t end = word.end;
        if (!phrase_takes(phrase, 0, word.text) || !follows(phrase, words, &end))
            continue;
        if (where)
            *where = (struct span){words->text.at + word.at, end - word.at};
        return true;
    }
    return false;
}

bool phrase_stands_in(const struct phrase *phrase, struct span text, struct span *where)
{
    struct words words;

    words_begin(&words, text);
    return phrase_next(phrase, &words, where);
}
