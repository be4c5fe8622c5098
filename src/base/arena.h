/* Arena: many small pieces of memory with one lifetime. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/str.h"

struct arena_chunk;

/* Zero-initialised is empty and valid. Everything taken from it lives until arena_free(). */
struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t used;                /* bytes used in the newest chunk */
    size_t total;               /* bytes held in all chunks, for the curious */
};

void arena_free(struct arena *arena);

/* Zeroed and aligned for any type. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* Unaligned and not zeroed: for text. */
char *arena_bytes(struct arena *arena, size_t bytes);

/* Copies are terminated, so that .at may also be used as a C string where no NUL can occur. An
 * absent span stays absent. */
struct span arena_copy(struct arena *arena, struct span text);
const char *arena_strdup(struct arena *arena, const char *text);

#endif
