/* A screen with any text in a pager: help, output of commands. */
#ifndef UI_WIDGET_TEXT_SCREEN_H
#define UI_WIDGET_TEXT_SCREEN_H

#include "ui/ui.h"

/* Returns a new screen; copies both texts. */
struct screen *text_screen_new(struct ui *ui, const char *title, struct span text);

/* Opens the help: the keys of a screen, from the table of actions. */

void help_open(struct ui *ui, unsigned where);

#endif
