/* Output: what a command of the program says, as it says it, on a screen. */
#ifndef UI_PROCESS_COMMAND_OUTPUT_H
#define UI_PROCESS_COMMAND_OUTPUT_H

#include "ui/ui.h"

/* Runs the command with these words behind the program's own; NULL ends them. Leaving the screen
 * ends it. */
void command_output_open(struct ui *ui, const struct ui_command *command, const char *const *words);

#endif
