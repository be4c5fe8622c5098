/* Changing: what the commands mark and archive share. */
#ifndef CMD_CHANGING_H
#define CMD_CHANGING_H

#include "cmd/command.h"

/* Changes one message and says so on a line. Returns its exit code. */
int change_and_print(struct app *app, const struct message *message, enum status status);
/* The worse of two exit codes: anything is worse than done. */
int worse(int a, int b);

#endif
