/* The command line: every action, and every command of the program, by name. */
#ifndef UI_WIDGET_COMMAND_LINE_H
#define UI_WIDGET_COMMAND_LINE_H

#include "ui/ui.h"

/* Opens the line with that text. */
void command_line_open(struct ui *ui, struct span text);
/* Reports whether the line starts with the name of an action or a command. */
bool command_line_knows(const struct ui *ui, struct span line);
/* Runs a line. Returns false, after saying why, if it is not valid. */
bool command_line_run(struct ui *ui, struct span line);

#endif
