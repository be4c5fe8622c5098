/* What the C tests share: temporary directories, and the corpus that may stand beside the project.
 */
#ifndef TESTS_UNIT_SUPPORT_H
#define TESTS_UNIT_SUPPORT_H

#include "base/str.h"

#include <criterion/criterion.h>

/* A fresh directory; removed with all it holds by tmp_remove(). */
struct tmp {
    char path[256];
    int fd;
};

void tmp_make(struct tmp *tmp);
void tmp_remove(struct tmp *tmp);
/* Writes a file beneath it, directories included. */
void tmp_write(const struct tmp *tmp, const char *path, struct span bytes);
/* The content of a file beneath it; the test fails when it is not there. The caller frees. */
struct str tmp_read(const struct tmp *tmp, const char *path);
bool tmp_exists(const struct tmp *tmp, const char *path);
/* How many entries a directory beneath it has, hidden ones included. */
int tmp_count(const struct tmp *tmp, const char *path);

/* Ends the test as skipped, because its rule does not apply to the layout. The suite's own end is
 * passed by then: clear, which may be NULL, does what it would do. */
void skip_test(void (*clear)(void), const char *reason);
/* The same, because this machine or this user cannot run it: the summary of a test run names it. */
void skip_here(void (*clear)(void), const char *reason);
/* Only the line for the summary. */
void say_skipped(const char *reason);

/* How often a test repeats itself with other chances: a quarter of the usual where sanitizers look
 * at every step, which makes it slow. */
int usual_rounds(int usual);

/* Each of these may be the .init of a suite. An hour east of UTC no local time is mistaken for UTC;
 * in a UTF-8 locale wcwidth() tells what a terminal does with a character. */
void use_zone_utc(void);
void use_zone_east(void);
void use_utf8_locale(void);

/* A path in the shared corpus, or false when it is not there: the test then says so and ends. */
bool shared_path(char *path, size_t size, const char *name);

/* Asserts that a span holds exactly that text. */
#define assert_span(value, text)                                                                   \
    do {                                                                                           \
        struct span got_ = (value);                                                                \
        cr_assert(span_is(got_, (text)), "expected \"%s\", got \"%.*s\"", (text), (int)got_.len,   \
                  got_.at ? got_.at : "");                                                         \
    } while (0)

#endif
