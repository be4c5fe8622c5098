/* Whole screens kept in tests/screens/golden: the text, the cursor, and the style of each run of
 * cells.
 *
 * With SWARMUTT_GOLDEN=update the tests rewrite them in the sources; check the difference before a
 * commit. A screen that differs is kept in tests/screens/actual below the working directory of the
 * tests. */
#ifndef SCREENS_GOLDEN_H
#define SCREENS_GOLDEN_H

#include "tests/screens/terminal/terminal.h"

/* Appends the screen in the form of the files: random names become question marks if they are in
 * one row. */
void golden_describe(const struct terminal *terminal, struct str *out);

/* Waits until the screen equals the file; otherwise fails the test and shows the difference. */
void golden_check(struct terminal *terminal, const char *name);
/* Compares at once and without failing; appends the difference, one line each. */
bool golden_is_equal(const struct terminal *terminal, const char *name, struct str *difference);

/* Appends the lines that are only in one of two texts, prefixed with "- " (expected) or "+ ". */
void golden_add_difference(struct str *out, struct span expected, struct span actual);

#endif
