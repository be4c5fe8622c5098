/* Candidates for completing a word: fixed words, and names and ids from the mailboxes. */
#ifndef CMD_COMPLETE_COMPLETE_CANDIDATES_H
#define CMD_COMPLETE_COMPLETE_CANDIDATES_H

#include "cmd/complete/complete.h"

/* Adds candidates for the part of `typed` that starts at `start`, and advances completing->from if
 * they replace only a part of that. Opens the store if needed; what cannot be read yields no
 * candidates. */
void offer_words(struct completing *completing, struct app *app, const struct word_spec *spec,
                 struct span typed, size_t start);

/* Adds all commands and, if `topics`, the topics of help. */
void offer_commands(struct completion *offers, bool topics);

#endif
