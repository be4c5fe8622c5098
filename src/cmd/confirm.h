/* Asking at the terminal; and confirming: what takes all protection away wants a name typed, not a
 * key pressed. */
#ifndef CMD_CONFIRM_H
#define CMD_CONFIRM_H

#include "cmd/app.h"

/* Asks at the terminal and takes one line, without its end. False when none was typed, or one that
 * is longer or was not ended. */
bool app_ask(const struct app *app, const char *question, char *line, size_t size);

/* Whether the person has named who it is about: with --confirm, or by typing it at the terminal.
 * `what` is a sentence without its end, on what is about to happen. Refused otherwise; with
 * --dry-run nobody is asked, as nothing happens. */
bool app_confirm(const struct app *app, struct span name, const char *what, struct err *err);

#endif
