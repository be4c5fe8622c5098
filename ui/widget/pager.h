/* A pager: any text on a screen of its own: help, what a command said. */
#ifndef UI_WIDGET_PAGER_H
#define UI_WIDGET_PAGER_H

#include "ui/ui.h"

/* Copies both. */
struct screen *pager_new(struct ui *ui, const char *title, struct span text);

#endif
