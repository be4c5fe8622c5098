/* A pager: any text on a screen of its own: help, what a command said. */
#ifndef UI_PAGER_H
#define UI_PAGER_H

#include "ui/ui.h"

enum pager_form { PAGER_TEXT, PAGER_RAW, PAGER_MARKDOWN };

/* Copies both. */
struct screen *pager_new(struct ui *ui, const char *title, struct span text, enum pager_form form);

#endif
