/* The lock directory, looking: what is there, what of it was left behind, and what it is called. */
#include "store/send/lock_private.h"

#include "base/file/retry.h"
#include "base/process.h"
#include "base/str.h"
#include "base/when.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

static int64_t age_ms(const struct stat *st)
{
    return when_now() / 1000 - (st->st_mtim.tv_sec * INT64_C(1000) + st->st_mtim.tv_nsec / 1000000);
}

bool lock_is_stale(const struct stat *st, int64_t limit_ms)
{
    return age_ms(st) > limit_ms;
}

int lock_stat(const struct lock *lock, struct stat *st)
{
    return fstatat(lock->undo.dir, lock->undo.name, st, AT_SYMLINK_NOFOLLOW);
}

bool lock_holds_only(int parent, const char *name, const char *except)
{
    int fd = retry_open(parent, name, DIR_FLAGS, 0);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    bool only = dir != NULL;

    if (!dir) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    for (struct dirent *entry; only && (entry = retry_readdir(dir));)
        only = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
               (except && strcmp(entry->d_name, except) == 0);
    closedir(dir);
    return only;
}

/* A process that held the lock was killed before it could remove its claim. */
bool lock_claim_is_left(int fd)
{
    struct stat st;

    return fstatat(fd, CLAIM, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
           lock_is_stale(&st, STALE_MS) && lock_holds_only(fd, ".", CLAIM) &&
           lock_holds_only(fd, CLAIM, NULL);
}

pid_t lock_pid_in(int fd)
{
    char text[32];
    long number = 0;
    ssize_t len = pread(fd, text, sizeof text, 0), i = 0;

    for (; i < len && text[i] >= '0' && text[i] <= '9' && number <= INT_MAX; i++)
        number = number * 10 + (text[i] - '0');
    bool whole = i > 0 && len < (ssize_t)sizeof text && (i == len || text[i] == '\n');
    return whole && number <= INT_MAX ? (pid_t)number : 0;
}

static enum lock_state state_of_file(const struct lock *lock, const struct stat *st, pid_t *pid)
{
    int fd = retry_open(lock->undo.dir, lock->undo.name,
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);

    *pid = fd >= 0 ? lock_pid_in(fd) : 0;
    if (fd >= 0)
        close(fd);
    if (process_has_ended(*pid))
        return LOCK_DEAD_FILE;
    return lock_is_stale(st, FILE_STALE_MS) ? LOCK_LEFT_FILE : LOCK_HELD;
}

static enum lock_state state_of_dir(const struct lock *lock, const struct stat *st, bool *claimed)
{
    int fd = retry_open(lock->undo.dir, lock->undo.name, DIR_FLAGS, 0);
    enum lock_state state = LOCK_HELD;

    if (fd < 0)
        return lock_is_stale(st, STALE_MS) && errno != ENOENT ? LOCK_FILLED : LOCK_HELD;
    *claimed = faccessat(fd, CLAIM, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (!lock_is_stale(st, STALE_MS))
        state = LOCK_HELD;
    else if (lock_holds_only(fd, ".", NULL))
        state = LOCK_LEFT;
    else if (lock_claim_is_left(fd))
        state = LOCK_LEFT_CLAIM;
    else if (!lock_holds_only(fd, ".", CLAIM) || !lock_holds_only(fd, CLAIM, NULL))
        state = LOCK_FILLED;
    close(fd);
    return state;
}

struct lock_seen lock_look_at(const struct lock *lock)
{
    struct lock_seen seen = {.state = LOCK_NONE};
    struct stat st;

    if (lock_stat(lock, &st) < 0)
        return seen;
    seen.age_ms = age_ms(&st);
    if (S_ISREG(st.st_mode))
        seen.state = state_of_file(lock, &st, &seen.pid);
    else
        seen.state = S_ISDIR(st.st_mode) ? state_of_dir(lock, &st, &seen.claimed) : LOCK_STRANGE;
    if (seen.state == LOCK_HELD && seen.age_ms < -STALE_MS)
        seen.state = LOCK_AHEAD;
    return seen;
}

static void add_age(struct str *out, const struct stat *st)
{
    int64_t age = age_ms(st);

    if (age >= -STALE_MS) {
        str_addf(out, ", %lld s old", (long long)(age > 0 ? age / 1000 : 0));
        return;
    }
    str_puts(out, ", dated ");
    when_add_age(out, -age * 1000);
    str_puts(out, " in the future");
}

static const char *kind_of(mode_t mode)
{
    if (S_ISLNK(mode))
        return "a symbolic link";
    if (S_ISFIFO(mode))
        return "a FIFO";
    return S_ISSOCK(mode) ? "a socket" : "a device";
}

/* What is at the lock's name, and whether that is odd: no program will release it. */
static bool describe(const struct lock *lock, const struct stat *st, struct str *what)
{
    int dir = lock->undo.dir;
    const char *name = lock->undo.name;
    bool odd = true;

    if (S_ISREG(st->st_mode)) {
        str_puts(what, "the inbox is held by a lock file of another program");
        odd = age_ms(st) < -STALE_MS;
    } else if (!S_ISDIR(st->st_mode)) {
        str_addf(what, "%s is where the inbox's lock belongs", kind_of(st->st_mode));
    } else if (!lock_holds_only(dir, name, NULL) && !lock_holds_only(dir, name, CLAIM)) {
        str_puts(what, "the inbox is held by a lock directory that is not empty");
        odd = lock_is_stale(st, STALE_MS) || age_ms(st) < -STALE_MS;
    } else if (lock_is_stale(st, STALE_MS)) {
        str_puts(what,
                 "the inbox is held by an abandoned lock directory that cannot be taken over");
    } else {
        str_puts(what, "the inbox is held by a lock directory of another program");
        odd = age_ms(st) < -STALE_MS;
    }
    add_age(what, st);
    return odd;
}

bool lock_say_busy(const struct lock *lock, const char *name, int64_t wait_ms, struct err *err)
{
    struct str what = {0};
    struct stat st;
    bool odd = false;

    if (strcmp(name, lock->undo.name) != 0)
        str_puts(&what, "another program keeps this file locked");
    else if (lock_stat(lock, &st) < 0)
        str_puts(&what, "other programs keep taking the lock of this inbox");
    else
        odd = describe(lock, &st, &what);
    err_set(err, ERR_BOX, "%s: %s (waited %lld ms); %s", name, str_c(&what), (long long)wait_ms,
            odd ? "look at it, and remove it when no agent uses the inbox; swarmutt doctor lists it"
                : "try again");
    str_free(&what);
    return false;
}
