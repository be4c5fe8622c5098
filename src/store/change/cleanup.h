/* Cleaning up: what a layout lets go of, on request. */
#ifndef STORE_CHANGE_CLEANUP_H
#define STORE_CHANGE_CLEANUP_H

#include "store/change/change.h"

struct cleaning {
    int64_t older_us; /* only what is older; TIME_NONE: the layout's own age */
    bool dry_run;     /* only count */
};

/* What became of one source. */
struct cleaned {
    size_t count;
    size_t failed;
    struct err err; /* of the last that failed */
};

/* Removes or archives what the layout's rule says. False when the source cannot be read. */
bool cleanup_source(const struct changing *how, const struct cleaning *cleaning,
                    struct cleaned *result, struct err *err);

/* Empties the inbox of AGENT@TEAM, after a copy of every entry was kept here. Only in a team that
 * nobody runs any more. */
bool cleanup_clear(const struct changing *how, struct span address, bool dry_run,
                   struct cleaned *result, struct err *err);

#endif
