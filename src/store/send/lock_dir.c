/* The lock directory: one try to make it, or to take over what was left behind in its place. */
#include "store/send/lock_private.h"

#include "base/file/file.h"
#include "base/file/retry.h"
#include "base/process.h"
#include "base/when.h"

#include <errno.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

enum { SURE_MS = 3000 }; /* what was made this long ago nobody has taken for left behind yet */

#define PRIVATE "lock" /* .lock.PID.SALT.tmp */

static bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* From here on the lock is ours. Inside crash_enter(). The directory stays open, so that no other
 * can get its inode number while we compare with it. */
static void now_ours(struct lock *lock, const struct stat *st, int fd)
{
    crash_undo_identify(&lock->undo, st);
    lock->opened = lock->undo.inner_dir = fd;
    lock->undo.inner = CLAIM;
    lock->slot = crash_add(&lock->undo);
}

/* The claim was made in the opened directory: it is ours if it is still the lock. */
static bool own(struct lock *lock, int fd)
{
    struct stat st, there;

    if (fstat(fd, &st) == 0 && lock_stat(lock, &there) == 0 && same_state(&st, &there)) {
        now_ours(lock, &st, fd);
        return true;
    }
    unlinkat(fd, CLAIM, AT_REMOVEDIR);
    return false;
}

/* Claims the opened stale directory. Without a claim inside, an agent that also found the lock
 * stale could remove and make it anew; with it, only one of our own kind could take it as well, and
 * that is what the flock() is for. */
static bool claim(struct lock *lock, int fd, bool only_left_over)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    bool alone = flock(fd, LOCK_EX | LOCK_NB) == 0;
    struct stat st;
    bool made = false;

    if ((!alone && errno == EWOULDBLOCK) || fstat(fd, &st) < 0 || !lock_is_stale(&st, STALE_MS))
        return false;
    if (!only_left_over && lock_holds_only(fd, ".", NULL))
        made = mkdirat(fd, CLAIM, 0777) == 0;
    if (!made && !(alone && lock_claim_is_left(fd)))
        return false;
    futimens(fd, now);
    file_private_name(lock->undo.aside, PRIVATE);
    return own(lock, fd);
}

bool lock_take_over(struct lock *lock, bool only_left_over)
{
    int fd = retry_open(lock->undo.dir, lock->undo.name, DIR_FLAGS, 0);
    sigset_t before;

    if (fd < 0)
        return false;
    crash_enter(&before);
    bool ours = claim(lock, fd, only_left_over);
    crash_leave(&before);
    if (!ours)
        close(fd);
    return ours;
}

/* A directory under a private name whose process was killed: -1 when it is none. */
static int open_left_private(int dir, const char *name)
{
    int fd = lock_is_private(span_of(name)) ? retry_open(dir, name, DIR_FLAGS, 0) : -1;
    struct stat st;

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
        lock_is_stale(&st, STALE_MS) && lock_holds_only(fd, ".", CLAIM))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

bool lock_is_private(struct span name)
{
    struct span target;
    pid_t pid;

    return file_is_staged_name(name, &pid, &target) && span_is(target, PRIVATE);
}

bool lock_is_left_private(int dir, const char *name)
{
    int fd = open_left_private(dir, name);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool lock_clear_private(int dir, const char *name)
{
    int fd = open_left_private(dir, name);

    if (fd < 0)
        return false;
    unlinkat(fd, CLAIM, AT_REMOVEDIR);
    close(fd);
    return unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

/* The file that was opened (or could not be: -1) is still the one seen. With the flock(), no other
 * of our kind removes it between this look and the removal. */
static bool still_there(struct lock *lock, int fd, const struct stat *seen)
{
    struct stat st;

    if (fd >= 0 && ((flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) ||
                    fstat(fd, &st) < 0 || !same_state(&st, seen)))
        return false;
    return lock_stat(lock, &st) == 0 && same_state(&st, seen);
}

/* Some programs lock with a file in the same place, which they may leave behind. */
static enum lock_outcome clear_file(struct lock *lock, const struct stat *seen)
{
    int fd = retry_open(lock->undo.dir, lock->undo.name,
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    pid_t pid = fd >= 0 ? lock_pid_in(fd) : 0;
    bool dead = lock_is_stale(seen, FILE_STALE_MS) || process_has_ended(pid);
    bool removed =
        dead && still_there(lock, fd, seen) && unlinkat(lock->undo.dir, lock->undo.name, 0) == 0;

    if (fd >= 0)
        close(fd);
    return removed ? LOCK_AGAIN : LOCK_BUSY;
}

/* Makes a directory with our claim in it under a private name: -1 and errno on failure. */
static int make_private(struct lock *lock)
{
    file_private_name(lock->undo.aside, PRIVATE);
    if (mkdirat(lock->undo.dir, lock->undo.aside, 0777) < 0)
        return -1;
    int fd = retry_open(lock->undo.dir, lock->undo.aside, DIR_FLAGS, 0);
    if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
        mkdirat(fd, CLAIM, 0777) == 0)
        return fd;
    int reason = errno;
    if (fd >= 0)
        close(fd);
    unlinkat(lock->undo.dir, lock->undo.aside, AT_REMOVEDIR);
    errno = reason;
    return -1;
}

static void remove_private(const struct lock *lock, int fd)
{
    unlinkat(fd, CLAIM, AT_REMOVEDIR);
    unlinkat(lock->undo.dir, lock->undo.aside, AT_REMOVEDIR);
    close(fd);
}

/* Where the file system has no rename that replaces nothing: an agent that found an older lock
 * stale may remove the directory before our claim is in it. Who was stopped for long between making
 * it and opening it may have opened another one's. */
static enum lock_outcome make_in_place(struct lock *lock)
{
    int64_t start = when_steady();

    if (mkdirat(lock->undo.dir, lock->undo.name, 0777) < 0)
        return errno == EEXIST ? LOCK_BUSY : LOCK_FAILED;
    int fd = retry_open(lock->undo.dir, lock->undo.name, DIR_FLAGS, 0);
    bool sure = when_steady() - start < SURE_MS * INT64_C(1000);
    bool claimed = fd >= 0 && sure && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
                   mkdirat(fd, CLAIM, 0777) == 0;
    int reason = errno;
    if (claimed && own(lock, fd))
        return LOCK_TAKEN;
    bool again = claimed || !sure || reason == ENOENT || reason == EEXIST || reason == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return again ? LOCK_AGAIN : LOCK_FAILED; /* what is left is empty: anybody may take it over */
}

/* The lock appears with our claim in it: an agent that found an older one stale, and removes what
 * is there by now, cannot remove it. */
static enum lock_outcome publish(struct lock *lock, int fd)
{
    struct stat st;

    if (fstat(fd, &st) == 0 && renameat2(lock->undo.dir, lock->undo.aside, lock->undo.dir,
                                         lock->undo.name, RENAME_NOREPLACE) == 0) {
        now_ours(lock, &st, fd);
        return LOCK_TAKEN;
    }
    int reason = errno;
    remove_private(lock, fd);
    if (reason == EINVAL || reason == ENOSYS || reason == EOPNOTSUPP)
        return make_in_place(lock);
    errno = reason;
    return reason == EEXIST ? LOCK_BUSY : LOCK_FAILED;
}

static enum lock_outcome make(struct lock *lock)
{
    enum lock_outcome outcome = LOCK_FAILED;
    sigset_t before;

    crash_enter(&before);
    int fd = make_private(lock);
    if (fd >= 0)
        outcome = publish(lock, fd);
    int reason = errno;
    crash_leave(&before);
    errno = reason;
    return outcome;
}

enum lock_outcome lock_try_dir(struct lock *lock)
{
    struct stat st;

    if (lock_stat(lock, &st) < 0)
        return errno == ENOENT ? make(lock) : LOCK_FAILED;
    if (S_ISREG(st.st_mode))
        return clear_file(lock, &st);
    if (S_ISDIR(st.st_mode) && lock_is_stale(&st, STALE_MS) && lock_take_over(lock, false))
        return LOCK_TAKEN;
    return LOCK_BUSY;
}
