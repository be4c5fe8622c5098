/* Send hooks: functions that are called while a message is on its way, and may stop it.
 *
 * All are called on the storage thread, and all may be NULL. */
#ifndef STORE_SEND_SEND_HOOKS_H
#define STORE_SEND_SEND_HOOKS_H

#include "base/err.h"
#include "base/str.h"

struct parcel;

enum guard_answer {
    SEND_NO,    /* do not send it */
    SEND_YES,   /* send it */
    SEND_AGAIN, /* undecided just now: write nothing, and ask again after another inspect(), which
                   may take its time; only under a lock */
};

struct send_hooks {
    /* The message has its bytes and its place; nothing was written. If false, it is not sent. */
    bool (*packed)(void *context, const struct parcel *parcel, struct err *err);
    /* The content of the file that the message will be added to, before the lock is taken: anything
     * that takes time is done here. */
    void (*inspect)(void *context, struct span box);
    /* Called right before the write, under the lock where there is one. `box` is the content of the
     * file that the message is added to; absent where the message has a file of its own. */
    enum guard_answer (*confirm)(void *context, struct span box, struct err *err);
    /* The message was written, and is not verified yet. */
    void (*written)(void *context, const struct parcel *parcel);
    void *context;
};

/* True if the hooks have a confirm(). */
bool guard_asks(const struct send_hooks *hooks);
/* Calls inspect(), if there is one. */
void send_hooks_inspect(const struct send_hooks *hooks, struct span box);
/* Calls confirm(); SEND_YES without one. */
enum guard_answer send_hooks_confirm(const struct send_hooks *hooks, struct span box,
                                     struct err *err);

#endif
