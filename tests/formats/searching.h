/* Shared by the tests of searching: a slow model of searching, and two stores to compare with it,
 * one with an index and one without. */
#ifndef TESTS_SEARCHING_H
#define TESTS_SEARCHING_H

#include "world.h"

enum { SEARCHING_LETTERS = 36, SEARCHING_NAMES = 4 };

extern const char *const searching_names[SEARCHING_NAMES];

/* Returns the same numbers in every run, so that a failure is reproducible. */
uint32_t searching_draw(uint32_t below);
/* Returns words that queries search for. The caller frees. */
char *searching_text(size_t words);
/* Makes a random query and appends its text; returns its number for searching_fulfils(), valid
 * until the next one. */
int searching_wish(struct str *text);
bool searching_fulfils(const struct message *message, int number);

/* In searching_both.c: the store that has an index. */
extern struct store *searching_indexed;

void searching_fill(size_t letters);
/* Archives some messages, so that there are archives and local copies. */
void searching_archive_some(uint32_t one_in);
/* Opens one store that has an index, and one that never does. */
void searching_open_both(bool build);
void searching_close_both(void);
/* Returns the number of messages in the index. */
size_t searching_known(void);
/* Asserts that every query of both stores has the answer of the model. */
void searching_assert_all_agree(const char *when, bool informed);

#endif
