/* What the tests of searching share: a slow model of what a search means, and two stores that are
 * held against it, one with an index and one without. */
#ifndef TESTS_SEARCHING_H
#define TESTS_SEARCHING_H

#include "world.h"

enum { SEARCHING_LETTERS = 36, SEARCHING_NAMES = 4 };

extern const char *const searching_names[SEARCHING_NAMES];

/* The same numbers in every run, so that a failure can be seen again. */
uint32_t searching_draw(uint32_t below);
/* Words that queries ask for. The caller frees. */
char *searching_text(size_t words);
/* Makes any query and appends it as it is written; for searching_fulfils(), until the next one. */
int searching_wish(struct str *text);
bool searching_fulfils(const struct message *message, int number);

/* In searching_both.c: the store that has an index. */
extern struct store *searching_indexed;

void searching_fill(size_t letters);
/* Puts some away, so that there are archives and copies. */
void searching_archive_some(uint32_t one_in);
/* One store that has an index, and one that never does. */
void searching_open_both(bool build);
void searching_close_both(void);
/* How many messages the index knows right now. */
size_t searching_known(void);
/* Everything that is asked of both stores has the same answer, which is the model's. */
void searching_assert_all_agree(const char *when, bool informed);

#endif
