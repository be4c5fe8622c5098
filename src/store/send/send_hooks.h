/* A guard: somebody who is asked while a message is on its way, and may stop it.
 *
 * All of it happens on the storage thread, and all may be NULL. */
#ifndef STORE_SEND_SEND_HOOKS_H
#define STORE_SEND_SEND_HOOKS_H

#include "base/err.h"
#include "base/str.h"

struct parcel;

enum guard_answer {
    SEND_NO,    /* it is not sent */
    SEND_YES,   /* it may go */
    SEND_AGAIN, /* it cannot be told just now: nothing is written, and the guard is asked again
                 * after it has inspected, which may take its time; only under a lock */
};

struct send_hooks {
    /* It has its bytes and its place, and nothing was written. False: it is not sent. */
    bool (*packed)(void *context, const struct parcel *parcel, struct err *err);
    /* What the file holds that it will be added to, before the lock is taken: whatever takes time
     * is done here. */
    void (*inspect)(void *context, struct span box);
    /* Right before it gets there, under the lock where there is one; `box` is what the file holds
     * that it is added to, absent where it has one of its own. */
    enum guard_answer (*confirm)(void *context, struct span box, struct err *err);
    /* It was written, and is not verified yet. */
    void (*written)(void *context, const struct parcel *parcel);
    void *context;
};

/* Whether it wants to be asked before anything is written. */
bool guard_asks(const struct send_hooks *hooks);
/* Lets it look; without a guard nobody does. */
void send_hooks_inspect(const struct send_hooks *hooks, struct span box);
/* Asks it; without a guard nothing hinders. */
enum guard_answer send_hooks_confirm(const struct send_hooks *hooks, struct span box,
                                     struct err *err);

#endif
