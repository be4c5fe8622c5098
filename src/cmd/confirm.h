/* Questions at the terminal. What disables all protection needs a typed name, not a key. */
#ifndef CMD_CONFIRM_H
#define CMD_CONFIRM_H

#include "cmd/app.h"

/* Asks at the terminal and reads one line, without its newline. Returns false if there is no line,
 * or it is too long for `line` or not terminated. */
bool app_ask(const struct app *app, const char *question, char *line, size_t size);

/* Requires the person to name the agent concerned, with --confirm or at the terminal. `what` is a
 * sentence without its period about what is going to happen. Returns false with ERR_REFUSED if the
 * name was not given or is wrong. With --dry-run it does not ask, because nothing happens. */
bool app_confirm(const struct app *app, struct span name, const char *what, struct err *err);

#endif
