/* Wrapping: a line of text in rows, as it will be drawn. No curses. */
#ifndef UI_TERM_GRID_H
#define UI_TERM_GRID_H

#include "base/str.h"
#include "mail/page/style.h"

#include <stdint.h>

/* The grid: what the screen is to look like, cell by cell.
 *
 * Screens draw here and never on the terminal. Everything that is put goes through base/clean.h, so
 * nothing that was written by others reaches the terminal as it is. No curses. */

/* A part of the screen. */
struct area {
    int y, x, rows, columns;
};

struct cell {
    uint32_t at;     /* its text in grid->text */
    uint8_t len;     /* 0: a blank, or covered by the wide character before it */
    uint8_t covered; /* by the wide character before it */
    uint8_t style;   /* enum look, or STYLE_AGENT and on */
    uint8_t over;    /* a look that is laid over it; STYLE_PLAIN for none */
};

/* A row that can be chosen by its number, and what it stands for. */
struct grid_stop {
    int y;
    uint32_t at, len; /* its key in grid->text */
};

/* Zero-initialised has no size. */
struct grid {
    struct cell *cells;
    int rows, columns;
    struct str text;
    unsigned clean;          /* SANITIZE_ASCII or 0 */
    bool plain;              /* for text without a screen: no rules, no panes side by side */
    struct grid_stop *stops; /* where it is plain: from top to bottom */
    size_t stop_count, stop_cap;
    int cursor_y, cursor_x;
    bool has_cursor; /* somebody has set it: an insertion point, or what is selected */
};

void grid_resize(struct grid *grid, int rows, int columns);
/* Blank again, with the cursor in the corner. */
void grid_clear(struct grid *grid);
void grid_free(struct grid *grid);

struct area grid_area(const struct grid *grid);
/* The first rows of an area, which loses them; and the last ones. */
struct area area_take_top(struct area *area, int rows);
struct area area_take_bottom(struct area *area, int rows);
/* The first columns of an area, which loses them. */
struct area area_take_left(struct area *area, int columns);

/* Puts text into a row of the area, from that column on, in at most `columns` of them; what does
 * not fit is cut and marked. Returns how many were used. Text of others may be given as it is. */
int grid_put(struct grid *grid, const struct area *area, int y, int x, int columns, int style,
             struct span text);
/* The same for text that may start to the left of the area: only what is in it is drawn. */
void grid_put_from(struct grid *grid, const struct area *area, int y, int x, int style,
                   struct span text);
/* The same for words of our own, to the end of the area. */
int grid_puts(struct grid *grid, const struct area *area, int y, int x, int style,
              const char *text);
int grid_putf(struct grid *grid, const struct area *area, int y, int x, int style,
              const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Gives a whole row, or a part of one, a look; its text stays. */
void grid_look(struct grid *grid, const struct area *area, int y, int style);
void grid_over(struct grid *grid, const struct area *area, int y, int x, int columns, int over);

/* Lines: a row of the area, or a column of it. */
void grid_rule(struct grid *grid, const struct area *area, int y, int style);
void grid_wall(struct grid *grid, const struct area *area, int x, int style);

void grid_cursor(struct grid *grid, const struct area *area, int y, int x);

/* Notes that the row can be chosen, in a plain grid. */
void grid_stop(struct grid *grid, const struct area *area, int y, struct span key);

/* Appends a row as text, without blanks at its end. */
void grid_add_row(struct str *out, const struct grid *grid, int y);

/* Takes as much as fits into so many columns off the front of a text; broken behind a blank, which
 * is not drawn then, or anywhere in a word that is too long. Only a character that is wider than
 * the columns makes a row wider. */
struct span wrap_take(struct span *rest, int columns, unsigned clean);

/* Puts a text into at most so many rows of an area, from that row on, each of them from column x
 * on. What does not fit is cut and marked in the last row. Returns how many were used. */
int wrap_put(struct grid *grid, const struct area *area, int y, int x, int rows, int style,
             struct span text);

#endif
