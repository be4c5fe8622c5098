/* The lock of an inbox that many programs append to: a directory NAME.lock beside it.
 *
 * Agents' programs take it by making the directory and keep it fresh while they hold it. One that
 * is ten seconds old was left behind: they remove it and make their own, with a pause between the
 * look at its age and the removal in which it may have become ours. So ours has a directory `claim`
 * inside from its first to its last moment, which makes that removal fail: a new one is made under
 * a private name and renamed, one that was left behind is claimed where it is, and before the claim
 * is removed the lock gets a private name again. Others lock with a file in the same place, or with
 * flock() on files that are there already; both are honoured. What is neither is never removed. */
#ifndef STORE_SEND_INBOX_LOCK_H
#define STORE_SEND_INBOX_LOCK_H

#include "base/err.h"
#include "base/file/signal_cleanup.h"
#include "base/str.h"
#include "store/source/source.h"

#include <stdint.h>

struct lock_options {
    int64_t wait_ms; /* how long to wait for others; 0: as long as usual */
    /* Called once when that takes longer than a second; NULL for nobody to tell. */
    void (*waiting)(const void *context);
    const void *context;
};

/* How long is waited where nobody says otherwise, from now on. */
void lock_set_timeout(int64_t wait_us);

/* Held between lock_take() and lock_release(). Undone by the handler of signal_cleanup_install().
 */
struct lock {
    struct signal_cleanup_undo undo; /* how the directory is removed, and who it is */
    int slot;                        /* in the table of crashes */
    int opened;                      /* the directory */
    int customs[2];                  /* files of other programs that are flocked as well, or -1 */
    int64_t taken_us, held_us;
};

/* Takes the lock of the inbox `name` in the opened directory, which must stay open until the
 * release. A process holds one at a time, whichever thread does, and only as long as it takes to
 * rename a file: agents give up after two thirds of a second. False after the time to wait, with a
 * sentence that names what is in the way; or at once when the directory is gone or cannot be
 * written. */
bool lock_take(struct lock *lock, int dir, const char *name, const struct lock_options *options,
               struct err *err);

/* Reports whether the lock is still ours; call it right before the rename and after it. If it
 * cannot be read the answer is false, and errno says why. */
bool lock_still_ours(const struct lock *lock);

/* Removes the lock unless it is not ours any more. */
void lock_release(struct lock *lock);

/* Removes the lock of an inbox if it was left with a claim by a process of ours that was killed
 * more than ten seconds ago: agents cannot do that themselves. True when there was one. */
bool lock_clear_claim(int dir, const char *name);

/* Whether a directory of that name beside an inbox is a lock that is not there yet, or not any
 * more; whether a process left it that was killed more than ten seconds ago; and removing it then.
 * It is in nobody's way. */
bool lock_is_private(struct span name);
bool lock_is_left_private(int dir, const char *name);
bool lock_clear_private(int dir, const char *name);

/* How the lock of an inbox is, by a look that changes nothing. */
enum lock_state {
    LOCK_NONE,
    LOCK_HELD,       /* fresh: somebody has it */
    LOCK_AHEAD,      /* dated so far in the future that nobody can tell */
    LOCK_LEFT,       /* a directory that was left behind */
    LOCK_LEFT_CLAIM, /* one of ours that was left behind: agents cannot remove it */
    LOCK_LEFT_FILE,  /* a file that was left behind: agents cannot remove it */
    LOCK_DEAD_FILE,  /* a file of a process that has ended */
    LOCK_FILLED,     /* an old directory with something in it: nobody can take it */
    LOCK_STRANGE,    /* neither directory nor file */
};

struct lock_seen {
    enum lock_state state;
    bool claimed; /* a directory with a claim of ours in it, held or not */
    int64_t age_ms;
    pid_t pid; /* that a file names, else 0 */
};

struct lock_seen lock_look(int dir, const char *name);

/* Whether lock_take() clears what was seen there out of the way. */
bool lock_is_left(enum lock_state state);

/* The longest time this process ever held a lock. */
int64_t lock_longest_hold_us(void);

/* Locks of inboxes that killed processes of ours have left behind, in a whole source: agents'
 * programs cannot take these over. */

/* After this time a lock that was left behind can be cleared. */
#define LOCK_LEFT_US INT64_C(11000000)

/* Clears those that are old enough. True when there are others that may have been left behind: to
 * be called again after LOCK_LEFT_US. */
bool lock_clear_left(const struct source *source);

/* Whether a name beside inboxes is a lock. */
bool lock_is_name(struct span name);

#endif
