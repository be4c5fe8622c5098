/* Forms: the page that one is laid out on. */
#ifndef UI_COMPOSE_FORM_PLANE_H
#define UI_COMPOSE_FORM_PLANE_H

#include "ui/compose/form_private.h"

/* Where it is drawn; without a grid it is only measured. */
struct plane {
    struct form_screen *form;
    struct grid *grid;
    const struct area *area;
    int shift;              /* which row of the page is at the top of the area */
    int x, columns;         /* of the values */
    int cursor_y, cursor_x; /* on the page; -1: none yet */
    bool on;                /* the present entry has the cursor */
};

/* As grid_put(), by rows of the page. */
int plane_put(const struct plane *plane, int y, int x, int columns, int look, struct span text);

/* Lays out the value of an entry from that row on, and returns how many rows it takes; a wide one
 * below its label, which is the first row. */
int plane_value(struct plane *plane, const struct entry *entry, int y);
int plane_wide(struct plane *plane, const struct entry *entry, int y);

#endif
