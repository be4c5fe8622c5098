/* Help: from the tables that the command line is read with, and from the manual pages. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/app.h"

int help_program(const struct app *app);
int help_command(const struct app *app, const struct command *command);
/* What help explains besides commands; NULL behind the last one. */
const char *help_topic(size_t number);

#endif
