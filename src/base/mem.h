/* Memory that is there or the process is not: no caller checks for NULL. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/str.h"

#include <stddef.h>
#include <stdlib.h>

/* Calls `function` with the address of the variable when it goes out of scope:
 *
 *     CLEANUP(str_free) struct str text = {0};
 *
 * The variable has to be initialised where it is declared. A value that is handed to the caller
 * must not have it. */
#define CLEANUP(function) __attribute__((cleanup(function)))

/* Every write this project makes survives a kill at any moment, so ending the process is a safe
 * answer to a lack of memory. The handler, set once at start, says the sentence and ends it with
 * the right exit code; without one the process aborts. */
void mem_on_failure(void (*handler)(void));

/* For who has found out otherwise, as a library may, that there is none left. */
_Noreturn void mem_exhausted(void);

/* Never return NULL. The caller frees with free(). */
void *mem_alloc(size_t bytes);
void *mem_zero(size_t count, size_t size);
void *mem_resize(void *old, size_t count, size_t size);

/* A copy of a C string. */
char *mem_strdup(const char *text);

/* Makes room for at least `need` items of `size` bytes, at least doubling; updates *cap. */
void *mem_grow(void *old, size_t *cap, size_t need, size_t size);

/* Appends to a growing array and is the address of the new item, which is not initialised:
 *
 *     *mem_push(list->items, list->count, list->cap) = item;
 *
 * The arguments are evaluated more than once; the capacity is a size_t. */
#define mem_push(items, count, cap)                                                                \
    ((items) = mem_grow((items), &(cap), (count) + 1, sizeof *(items)), &(items)[(count)++])

/* For CLEANUP(): frees what the pointer at that address points to. */
static inline void mem_free(void *pointer)
{
    free(*(void **)pointer);
}

/* Zeroed memory for a table that is looked into all over before it is filled. Pages that were only
 * read are one and the same page of zeroes: each would be taken apart at its first write, which
 * interrupts the other processors. */
void *mem_table(size_t count, size_t size);

/* A hint that this memory is large and will be gone through again and again: the fewer pages it is
 * made of, the quicker. */
void mem_in_large_pages(void *at, size_t bytes);

/* Arena: many small pieces of memory with one lifetime. */

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
