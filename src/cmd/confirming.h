/* Confirming: what takes all protection away wants a name typed, not a key pressed. */
#ifndef CMD_CONFIRMING_H
#define CMD_CONFIRMING_H

#include "cmd/command.h"

/* Whether the person has named who it is about: with --confirm, or by typing it at the terminal.
 * `what` is a sentence without its end, on what is about to happen. Refused otherwise; with
 * --dry-run nobody is asked, as nothing happens. */
bool app_confirm(const struct app *app, struct span name, const char *what, struct err *err);

#endif
