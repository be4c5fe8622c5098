/* The lock of an inbox that many programs append to: a directory NAME.lock next to it.
 *
 * Agents' programs take it by making the directory and keep it fresh while they hold it. A
 * directory that is ten seconds old counts as abandoned: they remove it and make their own, with a
 * pause between checking its age and removing it in which it may have become ours. So our lock has
 * a directory `claim` inside from its first to its last moment, which makes that removal fail: a
 * new lock is made under a private name and renamed, an abandoned one is claimed in place, and
 * before the claim is removed the lock gets a private name again. Other programs lock with a file
 * of the same name, or with flock() on files that exist already; both are honoured. Anything else
 * at that name is never removed. */
#ifndef STORE_SEND_INBOX_LOCK_H
#define STORE_SEND_INBOX_LOCK_H

#include "base/err.h"
#include "base/file/signal_cleanup.h"
#include "base/str.h"
#include "store/source/source.h"

#include <stdint.h>

struct lock_options {
    int64_t wait_ms; /* how long to wait for others; 0: the default, see lock_set_timeout() */
    /* Called once when the wait takes longer than a second; may be NULL. */
    void (*waiting)(const void *context);
    const void *context;
};

/* Sets the default time to wait, from now on. */
void lock_set_timeout(int64_t wait_us);

/* A lock that is held between lock_take() and lock_release(). The handler of
 * signal_cleanup_install() removes it when the process ends. */
struct lock {
    struct signal_cleanup_undo undo; /* identity of the directory and how to remove it */
    int slot;                        /* in the table of signal_cleanup.h */
    int opened;                      /* descriptor of the lock directory */
    int customs[2];                  /* files of other programs that are flocked as well, or -1 */
    int64_t taken_us, held_us;
};

/* Takes the lock of the inbox `name` in the opened directory `dir`, which must stay open until the
 * release. A process holds one lock at a time, over all threads, and only as long as it takes to
 * rename a file: agents give up after two thirds of a second. Returns false after the time to wait,
 * with a sentence that names what is in the way; or at once when the directory is gone or cannot be
 * written. */
bool lock_take(struct lock *lock, int dir, const char *name, const struct lock_options *options,
               struct err *err);

/* True if nobody took the lock from us. Call it right before the rename, and after it. False, with
 * errno, if the lock cannot be read. */
bool lock_still_ours(const struct lock *lock);

/* Removes the lock unless it is no longer ours. */
void lock_release(struct lock *lock);

/* Removes the lock of an inbox if a process of ours left it with a claim and was killed more than
 * ten seconds ago: agents cannot remove such a lock. True if there was one. */
bool lock_clear_claim(int dir, const char *name);

/* Private names: a lock directory before it is renamed to its place and after it is renamed away.
 * It is in nobody's way. lock_is_private() is true for such a name, lock_is_left_private() if its
 * process was killed more than ten seconds ago; lock_clear_private() removes it then, and is true
 * if it did. */
bool lock_is_private(struct span name);
bool lock_is_left_private(int dir, const char *name);
bool lock_clear_private(int dir, const char *name);

/* The state of an inbox's lock, determined without changing anything. */
enum lock_state {
    LOCK_NONE,
    LOCK_HELD,       /* fresh: a program holds it */
    LOCK_AHEAD,      /* dated so far in the future that its age is unknown */
    LOCK_LEFT,       /* an abandoned directory */
    LOCK_LEFT_CLAIM, /* an abandoned directory with a claim: agents cannot remove it */
    LOCK_LEFT_FILE,  /* an abandoned file: agents cannot remove it */
    LOCK_DEAD_FILE,  /* a file whose process has ended */
    LOCK_FILLED,     /* an old directory that is not empty: nobody can take it */
    LOCK_STRANGE,    /* neither directory nor regular file */
};

struct lock_seen {
    enum lock_state state;
    bool claimed; /* a directory with our claim in it, held or not */
    int64_t age_ms;
    pid_t pid; /* the process that a lock file names, else 0 */
};

struct lock_seen lock_inspect(int dir, const char *name);

/* True if lock_take() removes or takes over a lock in this state. */
bool lock_is_left(enum lock_state state);

/* Returns the longest time that this process has held a lock. */
int64_t lock_longest_hold_us(void);

/* Locks that killed processes of ours have left in a whole source. Agents' programs cannot take
 * these over. */

/* The time after which an abandoned lock can be cleared. */
#define LOCK_LEFT_US INT64_C(11000000)

/* Clears the locks that are old enough. True if others may be abandoned: call it again after
 * LOCK_LEFT_US. */
bool lock_clear_left(const struct source *source);

/* True if a file name in a directory of inboxes is the name of a lock. */
bool lock_is_name(struct span name);

#endif
