/* Help, made from the tables of commands and options, and from the manual pages. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/app.h"

int help_program(const struct app *app);
int help_command(const struct app *app, const struct command *command);
/* Returns the name of a help topic that is not a command; NULL after the last one. */
const char *help_topic(size_t number);

#endif
