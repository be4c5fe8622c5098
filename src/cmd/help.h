/* Help: printed from the tables that the command line is read with. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/command.h"

int help_program(void);
int help_command(const struct command *command);

#endif
