/* Help: the keys of a screen, from the one table. */
#ifndef UI_WIDGET_HELP_H
#define UI_WIDGET_HELP_H

#include "ui/ui.h"

void help_open(struct ui *ui, unsigned where);

#endif
