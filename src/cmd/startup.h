/* Preparations of the process, and opening the log, the store and the screens. */
#ifndef CMD_STARTUP_H
#define CMD_STARTUP_H

#include "cmd/app.h"

/* Opens /dev/null in place of closed standard streams, so that no other file gets their numbers and
 * receives what is printed. Reading or writing such a stream fails. */
void startup_streams(void);

/* Makes an allocation failure end the process with a sentence. `app` says whether something may
 * have changed by then; it must stay valid until the process ends. */
void startup_memory(const struct app *app);

/* Opening what the command line asks for. */

/* Opens app->log in the state directory. */
bool startup_log(struct app *app, struct err *err);
/* Opens app->store with the sources that the options name. */
bool startup_store(struct app *app, struct err *err);
/* Prints a remark if the name in --as is unknown and similar to a known one. */
void startup_doubt(const struct app *app);

/* A note about the mailboxes that the screens show. */
struct startup_note {
    const char *said;  /* shown once, at the start */
    const char *label; /* shown permanently */
};

/* Runs the terminal interface and returns the exit code. `self` are the words that start this
 * program again with the same sources; `note` may be NULL. */
int startup_screens(struct app *app, const char *const *self, const struct startup_note *note);

#endif
