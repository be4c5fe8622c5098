/* Shared by the C tests: temporary directories, and the corpus that may be next to the project. */
#ifndef TESTS_UNIT_SUPPORT_H
#define TESTS_UNIT_SUPPORT_H

#include "base/str.h"

#include <criterion/criterion.h>

/* A new directory; tmp_remove() removes it with all its content. */
struct tmp {
    char path[256];
    int fd;
};

void tmp_make(struct tmp *tmp);
void tmp_remove(struct tmp *tmp);
/* Writes a file beneath it, and makes the directories of its path. */
void tmp_write(const struct tmp *tmp, const char *path, struct span bytes);
/* Returns the content of a file beneath it; the test fails if it is absent. The caller frees. */
struct str tmp_read(const struct tmp *tmp, const char *path);
bool tmp_exists(const struct tmp *tmp, const char *path);
/* Returns the number of entries of a directory beneath it, hidden ones included. */
int tmp_count(const struct tmp *tmp, const char *path);

/* Ends the test as skipped, because its rule does not apply to the layout. The suite's own .fini
 * does not run then, so `clear`, which may be NULL, must do its work. */
void skip_test(void (*clear)(void), const char *reason);
/* Like skip_test(), for a test that this machine or this user cannot run: the summary of a test run
 * names it. */
void skip_here(void (*clear)(void), const char *reason);
/* Only writes the line for the summary. */
void say_skipped(const char *reason);

/* Returns how many rounds of random tests to run: a quarter of `usual` with sanitizers, which are
 * slow. */
int usual_rounds(int usual);

/* Each of these may be the .init of a suite. In a zone one hour east of UTC no local time is
 * mistaken for UTC; in a UTF-8 locale wcwidth() returns what a terminal does with a character. */
void use_zone_utc(void);
void use_zone_east(void);
void use_utf8_locale(void);

/* Makes a path in the shared corpus. Returns false and reports the skip if it is absent: the test
 * then ends. */
bool shared_path(char *path, size_t size, const char *name);

/* Asserts that a span is exactly that text. */
#define assert_span(value, text)                                                                   \
    do {                                                                                           \
        struct span got_ = (value);                                                                \
        cr_assert(span_is(got_, (text)), "expected \"%s\", got \"%.*s\"", (text), (int)got_.len,   \
                  got_.at ? got_.at : "");                                                         \
    } while (0)

#endif
