/* A pager: any text on a screen of its own: help, what a command said. */
#ifndef UI_WIDGET_TEXT_SCREEN_H
#define UI_WIDGET_TEXT_SCREEN_H

#include "ui/ui.h"

/* Copies both. */
struct screen *text_screen_new(struct ui *ui, const char *title, struct span text);

/* Help: the keys of a screen, from the one table. */

void help_open(struct ui *ui, unsigned where);

#endif
