/* The lock directory of an inbox and what may stand in its place; only for lock.c. */
#ifndef STORE_SEND_LOCK_PRIVATE_H
#define STORE_SEND_LOCK_PRIVATE_H

#include "store/send/lock.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { STALE_MS = 10000, FILE_STALE_MS = 30000 };
enum { DIR_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

#define CLAIM "claim"

enum lock_outcome {
    LOCK_TAKEN,
    LOCK_AGAIN, /* what was in the way is gone: try at once */
    LOCK_BUSY,
    LOCK_FAILED, /* errno says why */
};

/* One try, without waiting. */
enum lock_outcome lock_try_dir(struct lock *lock);

/* Takes over a directory that was left behind; or only one that was ours. */
bool lock_take_over(struct lock *lock, bool only_left_over);

/* lock_look.c changes nothing. What is at the lock's name: -1 and errno on failure. */
int lock_stat(const struct lock *lock, struct stat *st);
bool lock_is_stale(const struct stat *st, int64_t limit_ms);
/* Nothing but `except` (which may be NULL) is in the directory. */
bool lock_holds_only(int parent, const char *name, const char *except);
/* The opened directory has nothing but a claim in it, whose process was killed. */
bool lock_claim_is_left(int fd);
/* The process that the opened lock file names on its first line: 0 when that is no plain number. */
pid_t lock_pid_in(int fd);

/* What is there now. */
struct lock_seen lock_look_at(const struct lock *lock);

/* Fills the error with what keeps us out, as it is now: the lock, or the file `name` of another
 * custom. Always returns false. */
bool lock_say_busy(const struct lock *lock, const char *name, int64_t wait_ms, struct err *err);

#endif
