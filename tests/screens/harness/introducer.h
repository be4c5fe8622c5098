/* A terminal without controls (no_escape.ti): its sequences begin with a letter of their own, so
 * any control that is written to it comes from a text. */
#ifndef SCREENS_INTRODUCER_H
#define SCREENS_INTRODUCER_H

#include "scan.h"

#define INTRODUCER_TERM "vt-no-escape"

/* Makes the terminal known to this process, and to all that get the variable. Appends
 * NAME=value. */
void introducer_find(struct str *variable);

/* Zero-initialised; freed by introducer_free(). */
struct introducer {
    struct str pending; /* the start of a sequence */
    struct str last;    /* the text after the last sequence, or the start of it */
};

void introducer_free(struct introducer *introducer);

/* Reads the next bytes and appends those that an ordinary terminal would have got. Reports controls
 * as problems of the scan, except the one that ncurses itself writes at its end. */
void introducer_feed(struct introducer *introducer, struct span bytes, struct scan *scan,
                     struct str *out);

#endif
