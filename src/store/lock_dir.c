/* The lock directory: one try to make it, or to take over what was left behind in its place. */
#include "store/lock_private.h"

#include "base/process.h"
#include "base/str.h"
#include "base/when.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <unistd.h>

enum { STALE_MS = 10000, FILE_STALE_MS = 30000 };
enum { SURE_MS = 3000 }; /* what was made this long ago nobody has taken for left behind yet */
enum { DIR_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

#define CLAIM "claim"

static int64_t age_ms(const struct stat *st)
{
    return when_now() / 1000 - (st->st_mtim.tv_sec * INT64_C(1000) + st->st_mtim.tv_nsec / 1000000);
}

static bool is_stale(const struct stat *st, int64_t limit_ms)
{
    return age_ms(st) > limit_ms;
}

static bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int look(const struct lock *lock, struct stat *st)
{
    return fstatat(lock->undo.dir, lock->undo.name, st, AT_SYMLINK_NOFOLLOW);
}

/* Nothing but `except` (which may be NULL) is in the directory. */
static bool holds_only(int parent, const char *name, const char *except)
{
    int fd = openat(parent, name, DIR_FLAGS);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    bool only = dir != NULL;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    for (struct dirent *entry; only && (entry = readdir(dir));)
        only = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
               (except && strcmp(entry->d_name, except) == 0);
    closedir(dir);
    return only;
}

/* A process that took the lock over was killed before it could remove its claim. */
static bool claim_is_left_over(int fd)
{
    struct stat st;

    return fstatat(fd, CLAIM, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
           is_stale(&st, STALE_MS) && holds_only(fd, ".", CLAIM) && holds_only(fd, CLAIM, NULL);
}

/* From here on the lock is ours. Inside crash_enter(). The directory stays open, so that no other
 * can get its inode number while we compare with it. */
static void now_ours(struct lock *lock, const struct stat *st, int fd, bool claimed)
{
    crash_undo_identify(&lock->undo, st);
    lock->opened = fd;
    lock->undo.inner_dir = claimed ? fd : -1;
    lock->undo.inner = CLAIM;
    lock->slot = crash_add(&lock->undo);
}

/* Claims the opened stale directory. Without a claim inside, an agent that also found the lock
 * stale could remove and make it anew; with it, only one of our own kind could take it as well, and
 * that is what the flock() is for. */
static bool claim(struct lock *lock, int fd, bool only_left_over)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    bool alone = flock(fd, LOCK_EX | LOCK_NB) == 0;
    struct stat st, there;
    bool made = false;

    if ((!alone && errno == EWOULDBLOCK) || fstat(fd, &st) < 0 || !is_stale(&st, STALE_MS))
        return false;
    if (!only_left_over && holds_only(fd, ".", NULL))
        made = mkdirat(fd, CLAIM, 0777) == 0;
    if (!made && !(alone && claim_is_left_over(fd)))
        return false;
    futimens(fd, now);
    if (fstat(fd, &st) == 0 && look(lock, &there) == 0 && same_state(&st, &there)) {
        now_ours(lock, &st, fd, true);
        return true;
    }
    unlinkat(fd, CLAIM, AT_REMOVEDIR);
    return false;
}

bool lock_take_over(struct lock *lock, bool only_left_over)
{
    int fd = openat(lock->undo.dir, lock->undo.name, DIR_FLAGS);
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

/* Reads the process that a lock file names on its first line: 0 when that is no plain number. */
static pid_t pid_in(int fd)
{
    char text[32];
    long number = 0;
    ssize_t len = pread(fd, text, sizeof text, 0), i = 0;

    for (; i < len && text[i] >= '0' && text[i] <= '9' && number <= INT_MAX; i++)
        number = number * 10 + (text[i] - '0');
    bool whole = i > 0 && len < (ssize_t)sizeof text && (i == len || text[i] == '\n');
    return whole && number <= INT_MAX ? (pid_t)number : 0;
}

/* The file that was opened (or could not be: -1) is still the one seen. With the flock(), no other
 * of our kind removes it between this look and the removal. */
static bool still_there(struct lock *lock, int fd, const struct stat *seen)
{
    struct stat st;

    if (fd >= 0 && ((flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) ||
                    fstat(fd, &st) < 0 || !same_state(&st, seen)))
        return false;
    return look(lock, &st) == 0 && same_state(&st, seen);
}

/* Some programs lock with a file in the same place, which they may leave behind. */
static enum lock_outcome clear_file(struct lock *lock, const struct stat *seen)
{
    int fd = openat(lock->undo.dir, lock->undo.name,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    pid_t pid = fd >= 0 ? pid_in(fd) : 0;
    bool dead = is_stale(seen, FILE_STALE_MS) || process_has_ended(pid);
    bool removed =
        dead && still_there(lock, fd, seen) && unlinkat(lock->undo.dir, lock->undo.name, 0) == 0;

    if (fd >= 0)
        close(fd);
    return removed ? LOCK_AGAIN : LOCK_BUSY;
}

/* Who was stopped for long between making it and opening it may have opened another one's. */
static enum lock_outcome make(struct lock *lock)
{
    int64_t start = when_steady();
    sigset_t before;
    struct stat st;

    crash_enter(&before);
    bool made = mkdirat(lock->undo.dir, lock->undo.name, 0777) == 0;
    int fd = made ? openat(lock->undo.dir, lock->undo.name, DIR_FLAGS | O_PATH) : -1;
    bool seen = fd >= 0 && fstat(fd, &st) == 0;
    int reason = errno;
    bool sure = when_steady() - start < SURE_MS * INT64_C(1000), ours = seen && sure;
    if (ours)
        now_ours(lock, &st, fd, false);
    else if (sure && made && reason != ENOENT) /* no more files can be opened */
        unlinkat(lock->undo.dir, lock->undo.name, AT_REMOVEDIR);
    if (!ours && fd >= 0)
        close(fd);
    crash_leave(&before);
    errno = reason;
    if (ours)
        return LOCK_TAKEN;
    if (made)
        return !sure || errno == ENOENT ? LOCK_AGAIN : LOCK_FAILED;
    return errno == EEXIST ? LOCK_BUSY : LOCK_FAILED;
}

enum lock_outcome lock_try_dir(struct lock *lock)
{
    struct stat st;
    enum lock_outcome outcome = make(lock);

    if (outcome != LOCK_BUSY)
        return outcome;
    if (look(lock, &st) < 0)
        return errno == ENOENT ? LOCK_AGAIN : LOCK_BUSY;
    if (S_ISREG(st.st_mode))
        return clear_file(lock, &st);
    if (S_ISDIR(st.st_mode) && is_stale(&st, STALE_MS) && lock_take_over(lock, false))
        return LOCK_TAKEN;
    return LOCK_BUSY;
}

static enum lock_state state_of_file(const struct lock *lock, const struct stat *st, pid_t *pid)
{
    int fd = openat(lock->undo.dir, lock->undo.name,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    *pid = fd >= 0 ? pid_in(fd) : 0;
    if (fd >= 0)
        close(fd);
    if (process_has_ended(*pid))
        return LOCK_DEAD_FILE;
    return is_stale(st, FILE_STALE_MS) ? LOCK_LEFT_FILE : LOCK_HELD;
}

static enum lock_state state_of_dir(const struct lock *lock, const struct stat *st)
{
    int fd = is_stale(st, STALE_MS) ? openat(lock->undo.dir, lock->undo.name, DIR_FLAGS) : -1;
    enum lock_state state = LOCK_HELD;

    if (fd < 0)
        return is_stale(st, STALE_MS) && errno != ENOENT ? LOCK_FILLED : LOCK_HELD;
    if (holds_only(fd, ".", NULL))
        state = LOCK_LEFT;
    else if (claim_is_left_over(fd))
        state = LOCK_LEFT_CLAIM;
    else if (!holds_only(fd, ".", CLAIM))
        state = LOCK_FILLED;
    close(fd);
    return state;
}

struct lock_seen lock_look_at(const struct lock *lock)
{
    struct lock_seen seen = {.state = LOCK_NONE};
    struct stat st;

    if (look(lock, &st) < 0)
        return seen;
    seen.age_ms = age_ms(&st);
    if (S_ISREG(st.st_mode))
        seen.state = state_of_file(lock, &st, &seen.pid);
    else
        seen.state = S_ISDIR(st.st_mode) ? state_of_dir(lock, &st) : LOCK_STRANGE;
    if (seen.state == LOCK_HELD && seen.age_ms < -STALE_MS)
        seen.state = LOCK_AHEAD;
    return seen;
}

static void add_age(struct str *out, const struct stat *st)
{
    int64_t age = age_ms(st);

    if (age < 0)
        str_addf(out, "dated %lld s in the future", (long long)(-age / 1000));
    else
        str_addf(out, "%lld s old", (long long)(age / 1000));
}

static const char *kind_of(mode_t mode)
{
    if (S_ISLNK(mode))
        return "a symbolic link";
    if (S_ISFIFO(mode))
        return "a FIFO";
    return S_ISSOCK(mode) ? "a socket" : "a device";
}

bool lock_say_busy(const struct lock *lock, const char *name, int64_t wait_ms, struct err *err)
{
    struct str what = {0};
    struct stat st;
    const char *advice = "try again";

    if (strcmp(name, lock->undo.name) != 0) {
        str_puts(&what, "another program keeps this file locked");
    } else if (look(lock, &st) < 0) {
        str_puts(&what, "other programs keep taking the lock of this inbox");
    } else if (S_ISREG(st.st_mode)) {
        str_puts(&what, "the inbox is held by a lock file of another program, ");
        add_age(&what, &st);
        advice = "try again, or remove it if that program is gone";
    } else if (!S_ISDIR(st.st_mode)) {
        str_addf(&what, "%s is where the inbox's lock belongs, ", kind_of(st.st_mode));
        add_age(&what, &st);
        advice = "find out who made it, and remove it by hand";
    } else if (!holds_only(lock->undo.dir, name, NULL) &&
               !holds_only(lock->undo.dir, name, CLAIM)) {
        str_puts(&what, "the inbox is held by a lock directory that is not empty, ");
        add_age(&what, &st);
        advice = "if it stays, look at what is in it and remove it by hand";
    } else if (is_stale(&st, STALE_MS)) {
        str_puts(&what,
                 "the inbox is held by an abandoned lock directory that cannot be taken over, ");
        add_age(&what, &st);
        advice = "look at its owner and mode, and remove it by hand";
    } else {
        str_puts(&what, "the inbox is held by a lock directory of another program, ");
        add_age(&what, &st);
        if (age_ms(&st) < -2000)
            advice = "compare the clocks; remove it by hand if no program is at work";
    }
    err_set(err, ERR_BOX, "%s: %s (waited %lld ms); %s", name, str_c(&what), (long long)wait_ms,
            advice);
    str_free(&what);
    return false;
}
