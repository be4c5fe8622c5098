/* Memory. Allocation ends the process on failure: no caller checks for NULL. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/str.h"

#include <stddef.h>
#include <stdlib.h>

/* Calls `function` with the address of the variable when it goes out of scope:
 *
 *     CLEANUP(str_free) struct str text = {0};
 *
 * The variable must be initialised at its declaration. Do not use it for a value that is returned
 * to or stored for the caller. */
#define CLEANUP(function) __attribute__((cleanup(function)))

/* Sets the handler for allocation failure, once at start. It reports the failure and ends the
 * process with the right exit code; without a handler the process aborts. Ending the process is
 * safe because every write of this project survives a kill at any moment. */
void mem_on_failure(void (*handler)(void));

/* Runs the failure handler, for a caller that learned otherwise (from a library) that memory is
 * exhausted. */
_Noreturn void mem_exhausted(void);

/* These never return NULL. The caller frees the result with free(). */
void *mem_alloc(size_t bytes);
void *mem_zero(size_t count, size_t size);
void *mem_resize(void *old, size_t count, size_t size);

/* Returns a copy of a C string. The caller frees it. */
char *mem_strdup(const char *text);

/* Makes room for at least `need` items of `size` bytes, at least doubling the capacity; updates
 * *cap. Returns the array, which may have moved. */
void *mem_grow(void *old, size_t *cap, size_t need, size_t size);

/* Appends to a growing array and evaluates to the address of the new item, which is not
 * initialised:
 *
 *     *mem_push(list->items, list->count, list->cap) = item;
 *
 * The arguments are evaluated more than once; the capacity is a size_t. */
#define mem_push(items, count, cap)                                                                \
    ((items) = mem_grow((items), &(cap), (count) + 1, sizeof *(items)), &(items)[(count)++])

/* Frees what the pointer at this address points to; for CLEANUP(). */
static inline void mem_free(void *pointer)
{
    free(*(void **)pointer);
}

/* Returns zeroed memory for a table that is read all over before it is filled. calloc() would map
 * untouched pages to one shared page of zeroes; the first write to each would then have to unshare
 * it, which interrupts the other processors. The caller frees it. */
void *mem_table(size_t count, size_t size);

/* Hints that this memory is large and read repeatedly, so that the kernel uses large pages for
 * it. */
void mem_in_large_pages(void *at, size_t bytes);

/* Arena: many small allocations with one lifetime. */

struct arena_chunk;

/* An arena; zero-initialised is empty and valid. Everything allocated from it lives until
 * arena_free(). */
struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t used;                /* bytes used in the newest chunk */
    size_t total;               /* bytes in all chunks, for diagnostics */
};

void arena_free(struct arena *arena);

/* Allocates zeroed memory, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* Allocates memory that is neither aligned nor zeroed, for text. */
char *arena_bytes(struct arena *arena, size_t bytes);

/* Copy a text into the arena, terminated, so that .at may also be used as a C string if the text
 * contains no NUL. The copy of an absent span is absent. */
struct span arena_copy(struct arena *arena, struct span text);
const char *arena_strdup(struct arena *arena, const char *text);

#endif
