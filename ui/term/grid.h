/* The grid that screens draw on, and wrapping a line of text into its rows. No curses. */
#ifndef UI_TERM_GRID_H
#define UI_TERM_GRID_H

#include "base/str.h"
#include "mail/page/style.h"

#include <stdint.h>

/* The grid: the wanted content of the screen, cell by cell.
 *
 * Screens draw here and never on the terminal. All text goes through base/text/sanitize.h, so text
 * that others wrote never reaches the terminal as it is. No curses. */

/* A rectangle of the screen. */
struct area {
    int y, x, rows, columns;
};

struct cell {
    uint32_t at;     /* its text in grid->text */
    uint8_t len;     /* 0: a blank, or covered by the wide character before */
    uint8_t covered; /* by the wide character before */
    uint8_t style;   /* enum style, or STYLE_AGENT and following */
    uint8_t over;    /* style of an overlay; STYLE_PLAIN for none */
};

/* A row that can be chosen by its number, and its key. */
struct grid_stop {
    int y;
    uint32_t at, len; /* its key in grid->text */
};

/* Zero-initialised is a grid without cells. */
struct grid {
    struct cell *cells;
    int rows, columns;
    struct str text;
    unsigned clean;          /* SANITIZE_ASCII or 0 */
    bool plain;              /* output without a screen: no rules, no panes side by side */
    struct grid_stop *stops; /* only if `plain`: from top to bottom */
    size_t stop_count, stop_cap;
    int cursor_y, cursor_x;
    bool has_cursor; /* set by grid_cursor(): an insertion point, or the selection */
};

void grid_resize(struct grid *grid, int rows, int columns);
/* Clears all cells and moves the cursor to the corner. */
void grid_clear(struct grid *grid);
void grid_free(struct grid *grid);

struct area grid_area(const struct grid *grid);
/* Cut the first or the last rows off an area and return them. */
struct area area_take_top(struct area *area, int rows);
struct area area_take_bottom(struct area *area, int rows);
/* Cuts the first columns off an area and returns them. */
struct area area_take_left(struct area *area, int columns);

/* Puts text into a row of the area, from column x on, in at most `columns` columns. Text that does
 * not fit is cut and marked. Returns the columns used. The text may be untrusted. */
int grid_put(struct grid *grid, const struct area *area, int y, int x, int columns, int style,
             struct span text);
/* Like grid_put(), but the text may start to the left of the area: draws only the part inside. */
void grid_put_from(struct grid *grid, const struct area *area, int y, int x, int style,
                   struct span text);
/* Like grid_put(), to the right end of the area, for our own words. */
int grid_puts(struct grid *grid, const struct area *area, int y, int x, int style,
              const char *text);
int grid_putf(struct grid *grid, const struct area *area, int y, int x, int style,
              const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Sets the style of a whole row, or the overlay of part of a row; the text stays. */
void grid_look(struct grid *grid, const struct area *area, int y, int style);
void grid_over(struct grid *grid, const struct area *area, int y, int x, int columns, int over);

/* Draws a line along a row of the area, or along a column. */
void grid_rule(struct grid *grid, const struct area *area, int y, int style);
void grid_wall(struct grid *grid, const struct area *area, int x, int style);

void grid_cursor(struct grid *grid, const struct area *area, int y, int x);

/* Notes in a plain grid that the row can be chosen. */
void grid_stop(struct grid *grid, const struct area *area, int y, struct span key);

/* Appends a row as text, without trailing blanks. */
void grid_add_row(struct str *out, const struct grid *grid, int y);

/* Cuts as much text off the front as fits into the columns. Breaks after a blank, which is not
 * drawn then, or anywhere in a word that is too long. Only a character wider than the columns makes
 * a row wider. */
struct span wrap_take(struct span *rest, int columns, unsigned clean);

/* Puts text into at most `rows` rows of an area, from row y on, each from column x on. Text that
 * does not fit is cut and marked in the last row. Returns the rows used. */
int wrap_put(struct grid *grid, const struct area *area, int y, int x, int rows, int style,
             struct span text);

#endif
