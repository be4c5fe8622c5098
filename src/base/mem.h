/* Memory that is there or the process is not: no caller checks for NULL. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

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

/* Zeroed memory for a table that is looked into all over before it is filled. Pages that were only
 * read are one and the same page of zeroes: each would be taken apart at its first write, which
 * interrupts the other processors. */
void *mem_table(size_t count, size_t size);

/* A hint that this memory is large and will be gone through again and again: the fewer pages it is
 * made of, the quicker. */
void mem_in_large_pages(void *at, size_t bytes);

#endif
