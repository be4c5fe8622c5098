/* Cleaning up: removes what a layout's rule allows to remove, on request. */
#ifndef STORE_CHANGE_CLEANUP_H
#define STORE_CHANGE_CLEANUP_H

#include "store/change/change.h"

struct cleaning {
    int64_t older_us; /* only messages that are older; TIME_NONE: the layout's own age */
    bool dry_run;     /* only count */
};

/* The result for one source. */
struct cleaned {
    size_t count;
    size_t failed;
    struct err err; /* of the first failure; ERR_UNCONFIRMED if any was */
};

/* Removes or archives what the layout's rule covers. False when the source cannot be read. */
bool cleanup_source(const struct changing *how, const struct cleaning *cleaning,
                    struct cleaned *result, struct err *err);

/* Empties the inbox of AGENT@TEAM, after keeping a copy of every entry in our state. Only in a team
 * that no program runs any more. */
bool cleanup_clear(const struct changing *how, struct span address, bool dry_run,
                   struct cleaned *result, struct err *err);

#endif
