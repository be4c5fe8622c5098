/* A screen with the output of a command of the program, while it runs. */
#ifndef UI_PROCESS_COMMAND_OUTPUT_H
#define UI_PROCESS_COMMAND_OUTPUT_H

#include "ui/ui.h"

/* Runs the command with these words after those of the program; NULL ends them. Closing the screen
 * ends the command. */
void command_output_open(struct ui *ui, const struct ui_command *command, const char *const *words);

#endif
