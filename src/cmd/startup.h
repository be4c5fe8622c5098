/* Guarding: what is seen to before anything else is done. */
#ifndef CMD_STARTUP_H
#define CMD_STARTUP_H

#include "cmd/app.h"

/* Puts something into the place of standard streams that are closed, so that no file gets their
 * numbers: what is printed would be written into it. Nothing can be read from it or written to it.
 */
void startup_streams(void);

/* From now on a lack of memory ends the process with a sentence. `app` tells whether something may
 * have changed by then, and must stay. */
void startup_memory(const struct app *app);

/* Starting: the log, the store and the screens, as the command line wants them. */

/* Opens app->log in the state directory. */
bool startup_log(struct app *app, struct err *err);
/* Opens app->store with what the options name. */
bool startup_store(struct app *app, struct err *err);
/* Says when who we are, by --as, is nobody there and near somebody's name. */
void startup_doubt(const struct app *app);

/* What the person is to know about these mailboxes. */
struct startup_note {
    const char *said;  /* once, at the start */
    const char *label; /* all the time */
};

/* Opens the terminal interface and returns the exit code. `self` are the words that start this
 * program again with the same sources; `note` may be NULL. */
int startup_screens(struct app *app, const char *const *self, const struct startup_note *note);

#endif
