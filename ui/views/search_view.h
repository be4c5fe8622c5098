/* The search through all mail: an input line, and the messages that match. */
#ifndef UI_VIEWS_SEARCH_VIEW_H
#define UI_VIEWS_SEARCH_VIEW_H

#include "ui/ui.h"

/* Opens the search with an input line or, if there are words, with their results. */
void search_view_open(struct ui *ui, struct span words);

#endif
