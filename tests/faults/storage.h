/* Faults for a program that has storage.c built in, and makes its own calls fail. */
#ifndef FAULTS_STORAGE_H
#define FAULTS_STORAGE_H

#include "counts.h"

#include <stdbool.h>

enum {
    FAULT_SHORT = 0,
    FAULT_KILL = -1,
    FAULT_MEANWHILE = -2,
    FAULT_STOP = -3
}; /* distinct from all errnos */

struct fault_order {
    const char *under; /* only calls on files below it; borrowed */
    enum kind kind;
    unsigned at;  /* the number of the call of that kind, from 1 */
    int error;    /* errno, or one of the values above */
    bool lasting; /* all later calls fail, too */
    /* With FAULT_MEANWHILE: runs right before the call, which does not fail. Its own calls do not
     * count. */
    void (*meanwhile)(void);
};

/* Applies from now on, in all threads, until fault_end(). */
void fault_begin(const struct fault_order *order);
/* Returns the number of calls that were made to fail. */
unsigned fault_end(void);

/* Advances the clock of the date by `seconds`, but not the one that stamps files. */
void fault_clock(long seconds);

#endif
