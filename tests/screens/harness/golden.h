/* Whole screens kept in tests/screens/golden: the text, the cursor, and which runs of cells are
 * drawn how.
 *
 * With SWARMUTT_GOLDEN=update they are written anew in the sources; look at the difference before
 * it is committed. A screen that differs is left in tests/screens/actual where the tests run. */
#ifndef SCREENS_GOLDEN_H
#define SCREENS_GOLDEN_H

#include "tests/screens/terminal/terminal.h"

/* Appends the screen as it is kept: names that chance gives are question marks, as long as they are
 * in one row. */
void golden_describe(const struct terminal *terminal, struct str *out);

/* Waits until the screen is the one of that name; else the test fails and shows what differs. */
void golden_check(struct terminal *terminal, const char *name);
/* The same at once and without failing: what differs, a line each. */
bool golden_is_equal(const struct terminal *terminal, const char *name, struct str *difference);

/* Appends the lines that only one of two texts has, with "- " (expected) or "+ " before. */
void golden_add_difference(struct str *out, struct span expected, struct span actual);

#endif
