/* Internals of the program without a screen. */
#ifndef UI_PLAIN_PLAIN_H
#define UI_PLAIN_PLAIN_H

#include "ui/term/grid.h"
#include "ui/ui_state.h"

/* Converting screens to text, and splitting typed lines. No curses. */

/* Columns before a row: " 1. ". */
enum { PLAIN_MARGIN = 5 };

/* Appends all rows as lines: rows that can be chosen after their number, in the order of the grid's
 * stops. Drops blank rows at both ends, and all but one of more than three in a row. Returns true
 * if the last row of the grid is used: there may be more than fits. */
bool plain_add_rows(struct str *out, const struct grid *grid);

/* Returns the key of the row under the cursor, borrowed from the grid; false if it cannot be
 * chosen. */
bool plain_selected(const struct grid *grid, struct span *key);
/* Appends the rows with matches; returns false if there are none. */
bool plain_add_found(struct str *out, const struct grid *grid);

/* Takes the next line off the input, without its end; `ended` if there will be no more input.
 * Returns false if no line is complete. */
bool plain_take_line(struct str *input, bool ended, struct str *line);

/* Takes a number and the blanks after it off the front; returns false if there is none. */
bool plain_take_number(struct span *line, size_t *number);

struct plain {
    struct ui *ui;
    bool typed;  /* lines come from a terminal, which echoes them */
    int signals; /* readable when ^C was pressed; -1: ^C ends the program */
    struct str input;
    bool ended; /* end of the input */
    /* The last output: the screen, and the keys of its rows by their numbers. */
    uint64_t screen;
    struct span_list keys;
    struct arena arena;
    bool more;          /* there may be more rows */
    enum action asking; /* action that opened the current prompt */
    /* Forms: the last form, the field that is asked for (SIZE_MAX: none), and the lines typed so
     * far of a field with several. */
    uint64_t form;
    size_t field;
    bool single;  /* ask only for that field */
    bool written; /* the field has some lines already */
    struct str text;
};

#endif
