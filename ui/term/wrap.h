/* Wrapping: a line of text in rows, as it will be drawn. No curses. */
#ifndef UI_TERM_WRAP_H
#define UI_TERM_WRAP_H

#include "ui/term/grid.h"

/* Takes as much as fits into so many columns off the front of a text; broken behind a blank, which
 * is not drawn then, or anywhere in a word that is too long. Only a character that is wider than
 * the columns makes a row wider. */
struct span wrap_take(struct span *rest, int columns, unsigned clean);

/* Puts a text into at most so many rows of an area, from that row on, each of them from column x
 * on. What does not fit is cut and marked in the last row. Returns how many were used. */
int wrap_put(struct grid *grid, const struct area *area, int y, int x, int rows, int look,
             struct span text);

#endif
