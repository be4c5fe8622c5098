/* The search through all mail: a line of words, and what has them. */
#ifndef UI_VIEWS_SEARCH_VIEW_H
#define UI_VIEWS_SEARCH_VIEW_H

#include "ui/ui.h"

/* Opens it, with a line to type words into; or with words, and finds them. */
void search_view_open(struct ui *ui, struct span words);

#endif
