/* Memory: allocation that ends the process on failure, and arenas, which bump-allocate in chunks
 * that double up to a limit. */
#include "base/mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void (*failure_handler)(void);

void mem_on_failure(void (*handler)(void))
{
    failure_handler = handler;
}

void mem_exhausted(void)
{
    if (failure_handler)
        failure_handler();
    abort();
}

void *mem_alloc(size_t bytes)
{
    void *got = malloc(bytes ? bytes : 1);

    if (!got)
        mem_exhausted();
    return got;
}

void *mem_zero(size_t count, size_t size)
{
    void *got = calloc(count ? count : 1, size ? size : 1);

    if (!got)
        mem_exhausted();
    return got;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    void *got = reallocarray(old, count ? count : 1, size ? size : 1);

    if (!got)
        mem_exhausted();
    return got;
}

char *mem_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(mem_alloc(bytes), text, bytes);
}

void *mem_grow(void *old, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return old;
    size_t more = *cap < 8 ? 8 : *cap;
    if (more > SIZE_MAX / 2)
        mem_exhausted();
    more *= 2;
    if (more < need)
        more = need;
    *cap = more;
    return mem_resize(old, more, size);
}

void mem_in_large_pages(void *at, size_t bytes)
{
    const uintptr_t large = UINT64_C(2) << 20;
    uintptr_t start = ((uintptr_t)at + large - 1) & ~(large - 1);
    uintptr_t end = ((uintptr_t)at + bytes) & ~(large - 1);

    if (start < end)
        madvise((char *)at + (start - (uintptr_t)at), end - start, MADV_HUGEPAGE);
}

void *mem_table(size_t count, size_t size)
{
    void *got = mem_resize(NULL, count, size);

    mem_in_large_pages(got, count * size);
    memset(got, 0, count * size);
    return got;
}

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

static char *arena_take(struct arena *arena, size_t bytes, size_t align)
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
    return memset(arena_take(arena, bytes, alignof(max_align_t)), 0, bytes);
}

char *arena_bytes(struct arena *arena, size_t bytes)
{
    return arena_take(arena, bytes, 1);
}

struct span arena_copy(struct arena *arena, struct span text)
{
    if (!text.at)
        return text;
    char *to = arena_take(arena, text.len + 1, 1);
    if (text.len)
        memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return (struct span){to, text.len};
}

const char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_copy(arena, span_of(text)).at;
}
