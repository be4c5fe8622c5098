/* Faults for a program that has storage.c in it, and makes its own calls fail. */
#ifndef FAULTS_STORAGE_H
#define FAULTS_STORAGE_H

#include "counts.h"

#include <stdbool.h>

enum {
    FAULT_SHORT = 0,
    FAULT_KILL = -1,
    FAULT_MEANWHILE = -2,
    FAULT_STOP = -3
}; /* beside errnos */

struct fault_order {
    const char *under; /* only what lies beneath it; borrowed */
    enum kind kind;
    unsigned at;  /* the how many-th call of that kind, from 1 */
    int error;    /* errno, or one of those above */
    bool lasting; /* and all after it */
    /* With FAULT_MEANWHILE: what somebody else does right before the call, which does not fail. Its
     * own calls do not count. */
    void (*meanwhile)(void);
};

/* From now on, in all threads, until fault_end(). */
void fault_begin(const struct fault_order *order);
/* How many calls were made to fail. */
unsigned fault_end(void);

/* The clock that tells the date, but not the one that stamps files, goes ahead by so much. */
void fault_clock(long seconds);

#endif
