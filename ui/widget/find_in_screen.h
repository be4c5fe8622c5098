/* Incremental search in any screen that can be searched. */
#ifndef UI_WIDGET_FIND_IN_SCREEN_H
#define UI_WIDGET_FIND_IN_SCREEN_H

#include "ui/ui.h"

bool search_act(struct ui *ui, enum action action, struct span argument);

#endif
