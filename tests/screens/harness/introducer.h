/* A terminal without controls (no_escape.ti): its sequences begin with a letter of their own, so
 * that each control that is written to it came out of a text. */
#ifndef SCREENS_INTRODUCER_H
#define SCREENS_INTRODUCER_H

#include "scan.h"

#define INTRODUCER_TERM "vt-no-escape"

/* Lets this process, and who gets the variable, know the terminal. Appends NAME=value. */
void introducer_find(struct str *variable);

/* Zero-initialised; freed by introducer_free(). */
struct introducer {
    struct str pending; /* the start of one */
    struct str last;    /* what followed the last one, or the start of it */
};

void introducer_free(struct introducer *introducer);

/* Takes the next bytes and appends what another terminal would have got. Controls are problems of
 * the scan, but for the one that ncurses itself writes at its end. */
void introducer_feed(struct introducer *introducer, struct span bytes, struct scan *scan,
                     struct str *out);

#endif
