/* A library to be preloaded: the k-th request of a process for memory fails. Requests of SQLite and
 * of the C library count, too.
 *
 * FAULT_COUNTS  a mapped file of one page; see counts.h
 * FAULT_AT      the number of the request to fail, from 1; 0: none
 * FAULT_STICKY  every later request fails, too */
#include "counts.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The C library's own names of these functions: dlsym() would allocate memory. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static struct {
    _Atomic uint64_t *counts;
    uint64_t at;
    bool sticky;
} fault;

static uint64_t number_of(const char *name)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *counts = getenv("FAULT_COUNTS");
    int fd = counts ? open(counts, O_RDWR | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    fault.at = number_of("FAULT_AT");
    fault.sticky = number_of("FAULT_STICKY");
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (page != MAP_FAILED)
        fault.counts = page;
}

static bool fails(void)
{
    if (!fault.counts)
        return false;
    uint64_t made = atomic_fetch_add(&fault.counts[MEMORY], 1) + 1;
    if (!fault.at || made < fault.at || (made > fault.at && !fault.sticky))
        return false;
    atomic_fetch_add(&fault.counts[KINDS], 1);
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **at, size_t alignment, size_t size)
{
    void *got = memalign(alignment, size);

    if (!got)
        return ENOMEM;
    *at = got;
    return 0;
}
