/* Memory that is there or the process is not. */
#include "base/mem.h"

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
