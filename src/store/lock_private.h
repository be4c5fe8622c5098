/* The lock directory of an inbox and what may stand in its place; only for lock.c. */
#ifndef STORE_LOCK_PRIVATE_H
#define STORE_LOCK_PRIVATE_H

#include "store/lock.h"

enum lock_outcome {
    LOCK_TAKEN,
    LOCK_AGAIN, /* what was in the way is gone: try at once */
    LOCK_BUSY,
    LOCK_FAILED, /* errno says why */
};

/* One try, without waiting. */
enum lock_outcome lock_try_dir(struct lock *lock);

/* Takes over a directory that was left behind; or only one that was taken over before. */
bool lock_take_over(struct lock *lock, bool only_left_over);

/* What is there now; changes nothing. */
struct lock_seen lock_look_at(const struct lock *lock);

/* Fills the error with what keeps us out, as it is now: the lock, or the file `name` of another
 * custom. Always returns false. */
bool lock_say_busy(const struct lock *lock, const char *name, int64_t wait_ms, struct err *err);

#endif
