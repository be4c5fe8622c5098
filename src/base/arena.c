/* Arena: bump allocation in chunks that double up to a limit. */
#include "base/arena.h"

#include "base/mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

enum { CHUNK_MIN = 4096, CHUNK_MAX = 256 * 1024 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    alignas(max_align_t) char bytes[];
};

void arena_free(struct arena *arena)
{
    while (arena->chunks) {
        struct arena_chunk *gone = arena->chunks;
        arena->chunks = gone->next;
        free(gone);
    }
    *arena = (struct arena){0};
}

static char *take(struct arena *arena, size_t bytes, size_t align)
{
    struct arena_chunk *chunk = arena->chunks;
    size_t at = (arena->used + align - 1) & ~(align - 1);

    if (!chunk || at > chunk->size || bytes > chunk->size - at) {
        size_t size = chunk ? chunk->size * 2 : CHUNK_MIN;
        if (size > CHUNK_MAX)
            size = CHUNK_MAX;
        if (size < bytes)
            size = bytes;
        chunk = mem_alloc(sizeof *chunk + size);
        chunk->size = size;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        arena->total += size;
        at = 0;
    }
    arena->used = at + bytes;
    return chunk->bytes + at;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    return memset(take(arena, bytes, alignof(max_align_t)), 0, bytes);
}

char *arena_bytes(struct arena *arena, size_t bytes)
{
    return take(arena, bytes, 1);
}

struct span arena_copy(struct arena *arena, struct span text)
{
    if (!text.at)
        return text;
    char *to = take(arena, text.len + 1, 1);
    if (text.len)
        memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return (struct span){to, text.len};
}

const char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_copy(arena, span_of(text)).at;
}
