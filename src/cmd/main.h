/* Preparations of the process, and opening the log, the store and the screens. */
#ifndef CMD_MAIN_H
#define CMD_MAIN_H

#include "cmd/app.h"

/* Opening what the command line asks for. */

/* Opens app->store with the sources that the options name. */
bool startup_store(struct app *app, struct err *err);

/* A note about the mailboxes that the screens show. */
struct startup_note {
    const char *said;  /* shown once, at the start */
    const char *label; /* shown permanently */
};

/* Runs the terminal interface and returns the exit code. `self` are the words that start this
 * program again with the same sources; `note` may be NULL. */
int startup_screens(struct app *app, const char *const *self, const struct startup_note *note);

#endif
