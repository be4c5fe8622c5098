/* Plain text of screens: rows as lines, and lines that were typed. No curses. */
#ifndef UI_PLAIN_PLAIN_SHOW_H
#define UI_PLAIN_PLAIN_SHOW_H

#include "ui/term/grid.h"

/* Columns before a row: "  1. ". */
enum { PLAIN_MARGIN = 5 };

/* Appends all rows as lines: those that can be chosen have their number before them, in the order
 * of the grid's stops. Blank rows at both ends are left out, and of many in a row all but one.
 * Returns whether the last row of the grid is used: there may be more than fits. */
bool plain_add_rows(struct str *out, const struct grid *grid);

/* The key of the row that the cursor is on, borrowed from the grid; false when none can be chosen
 * there. */
bool plain_selected(const struct grid *grid, struct span *key);
/* Appends the rows in which something was found; false when there are none. */
bool plain_add_found(struct str *out, const struct grid *grid);

/* Takes the next line out of what was read, without its end; `ended` when no more will be read.
 * False while there is none. */
bool plain_take_line(struct str *input, bool ended, struct str *line);

/* Takes a number that starts the line, and the blanks behind it; false when none is there. */
bool plain_take_number(struct span *line, size_t *number);

#endif
