/* What there is to complete a word with: fixed words, names and ids from live mail. */
#ifndef CMD_COMPLETE_COMPLETE_CANDIDATES_H
#define CMD_COMPLETE_COMPLETE_CANDIDATES_H

#include "cmd/complete/complete.h"

/* Adds what a word may be that starts there in what is typed, and moves completing->from where only
 * a part of it is meant. Opens the store when it is needed; what cannot be read offers nothing. */
void offer_words(struct completing *completing, struct app *app, const struct word_spec *spec,
                 struct span typed, size_t start);

/* Adds all commands, and the topics of help when they are wanted. */
void offer_commands(struct completion *offers, bool topics);

#endif
