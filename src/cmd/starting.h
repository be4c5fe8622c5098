/* Starting: the log, the store and the screens, as the command line wants them. */
#ifndef CMD_STARTING_H
#define CMD_STARTING_H

#include "cmd/app.h"

/* Opens app->log in the state directory. */
bool starting_log(struct app *app, struct err *err);
/* Opens app->store with what the options name. */
bool starting_store(struct app *app, struct err *err);
/* Says when who we are, by --as, is nobody there and near somebody's name. */
void starting_doubt(const struct app *app);

/* What the person is to know about these mailboxes. */
struct starting_note {
    const char *said;  /* once, at the start */
    const char *label; /* all the time */
};

/* Opens the terminal interface and returns the exit code. `self` are the words that start this
 * program again with the same sources; `note` may be NULL. */
int starting_screens(struct app *app, const char *const *self, const struct starting_note *note);

#endif
