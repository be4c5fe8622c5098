/* The lock directory: makes it, or takes over an abandoned one, and releases it. */
#include "store/send/inbox_lock.h"

#include "base/file/file.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/time.h"
#include "store/scan/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STALE_MS = 10000, FILE_STALE_MS = 30000 };
enum { DIR_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

#define CLAIM "claim"

enum lock_outcome {
    LOCK_TAKEN,
    LOCK_AGAIN, /* the obstacle was removed: try at once */
    LOCK_BUSY,
    LOCK_FAILED, /* errno has the reason */
};

/* Clearing abandoned locks: finds them by name in the directories that hold inboxes. */

struct clearing {
    int root;
    bool waits;
};

static bool inbox_of(struct span name, struct span *inbox)
{
    *inbox = (struct span){name.at, name.len - 5};
    return name.len > 5 && span_ends(name, ".lock");
}

bool lock_is_name(struct span name)
{
    struct span inbox;

    return inbox_of(name, &inbox) || lock_is_private(name);
}

static void ignore_mail(struct walker *walker, const struct found *file)
{
    (void)walker;
    (void)file;
}

static void clear_entry(struct walker *walker, const struct found *entry)
{
    struct clearing *clearing = walker->context;
    CLEANUP(str_free) struct str inbox = {0};
    struct span span;

    if (!lock_is_name(entry->name))
        return;
    int dir = file_open_beneath(clearing->root, entry->dir.len ? entry->dir.at : ".",
                                O_RDONLY | O_DIRECTORY);
    if (dir < 0)
        return;
    if (!inbox_of(entry->name, &span)) {
        clearing->waits |= !lock_clear_private(dir, entry->name.at);
    } else {
        str_add_span(&inbox, span);
        clearing->waits |=
            !lock_clear_claim(dir, str_c(&inbox)) && lock_inspect(dir, str_c(&inbox)).claimed;
    }
    close(dir);
}

bool lock_clear_left(const struct source *source)
{
    struct clearing clearing = {.root = source->root};
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .found = ignore_mail,
                            .other = clear_entry,
                            .context = &clearing};

    if (source->format->storage == STORAGE_ARRAY && source->root >= 0)
        walk_tree(&walker, source->root, NULL);
    return clearing.waits;
}

/* Inspecting a lock: its state, age and owner, without changing anything. */

static int64_t age_ms(const struct stat *st)
{
    return time_now() / 1000 - (st->st_mtim.tv_sec * INT64_C(1000) + st->st_mtim.tv_nsec / 1000000);
}

static bool lock_is_stale(const struct stat *st, int64_t limit_ms)
{
    return age_ms(st) > limit_ms;
}

/* Stats the lock's name without following links. Returns -1 with errno on failure. */
static int lock_stat(const struct lock *lock, struct stat *st)
{
    return fstatat(lock->undo.dir, lock->undo.name, st, AT_SYMLINK_NOFOLLOW);
}

/* True if the directory has no entry but `except` (which may be NULL). False if it cannot be
 * read. */
static bool lock_holds_only(int parent, const char *name, const char *except)
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

/* True if the opened directory has nothing but a stale, empty claim in it: a process that held the
 * lock was killed before it could remove its claim. */
static bool lock_claim_is_left(int fd)
{
    struct stat st;

    return fstatat(fd, CLAIM, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
           lock_is_stale(&st, STALE_MS) && lock_holds_only(fd, ".", CLAIM) &&
           lock_holds_only(fd, CLAIM, NULL);
}

/* Returns the process id on the first line of the opened lock file, 0 when that is not a plain
 * number. */
static pid_t lock_pid_in(int fd)
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

/* Inspects the lock as it is now. */
static struct lock_seen lock_inspect_at(const struct lock *lock)
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
    time_add_age(out, -age * 1000);
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

/* Describes what is at the lock's name. True if it is odd: no program will release it. */
static bool describe_holder(const struct lock *lock, const struct stat *st, struct str *what)
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

/* Fills in the error with what is in the way now: the lock, or the file `name` that others flock().
 * Always returns false. */
static bool lock_say_busy(const struct lock *lock, const char *name, int64_t wait_ms,
                          struct err *err)
{
    CLEANUP(str_free) struct str what = {0};
    struct stat st;
    bool odd = false;

    if (strcmp(name, lock->undo.name) != 0)
        str_puts(&what, "another program keeps this file locked");
    else if (lock_stat(lock, &st) < 0)
        str_puts(&what, "other programs keep taking the lock of this inbox");
    else
        odd = describe_holder(lock, &st, &what);
    return err_set(err, ERR_BOX, "%s: %s (waited %lld ms); %s", name, str_c(&what),
                   (long long)wait_ms,
                   odd ? "look at it, and remove it when no agent uses the inbox; swarmutt doctor "
                         "lists it"
                       : "try again");
}

enum { SURE_MS = 3000 }; /* younger than this, a lock is not yet stale for anybody */

#define PRIVATE "lock" /* .lock.PID.SALT.tmp */

static bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Registers the lock as ours. Call inside signal_cleanup_enter(). The directory stays open, so that
 * no other directory can get its inode number while we compare with it. */
static void now_ours(struct lock *lock, const struct stat *st, int fd)
{
    signal_undo_identify(&lock->undo, st);
    lock->opened = lock->undo.inner_dir = fd;
    lock->undo.inner = CLAIM;
    lock->slot = signal_cleanup_add(&lock->undo);
}

/* Owns the opened directory, in which our claim was made, if it is still the lock. Otherwise
 * removes the claim. */
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
 * stale could remove and remake it; with the claim, only another process of ours could take it too,
 * and the flock() excludes that. */
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

/* Takes over an abandoned directory; with `only_left_over`, only one that has the claim of a killed
 * process of ours. */
static bool lock_take_over(struct lock *lock, bool only_left_over)
{
    int fd = retry_open(lock->undo.dir, lock->undo.name, DIR_FLAGS, 0);
    sigset_t before;

    if (fd < 0)
        return false;
    signal_cleanup_enter(&before);
    bool ours = claim(lock, fd, only_left_over);
    signal_cleanup_leave(&before);
    if (!ours)
        close(fd);
    return ours;
}

/* Opens a directory with a private name whose process was killed. Returns -1 when it is not one. */
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

/* True if the opened file (`fd` is -1 when it could not be opened) is still the one in `seen`. With
 * the flock(), no other process of ours removes it between this check and the removal. */
static bool still_there(struct lock *lock, int fd, const struct stat *seen)
{
    struct stat st;

    if (fd >= 0 && ((flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) ||
                    fstat(fd, &st) < 0 || !same_state(&st, seen)))
        return false;
    return lock_stat(lock, &st) == 0 && same_state(&st, seen);
}

/* Removes an abandoned lock file: some programs lock with a file of that name. */
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

/* Makes a directory with our claim in it under a private name. Returns -1 with errno on failure. */
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

/* Makes the lock on file systems without RENAME_NOREPLACE. An agent that found an older lock stale
 * may remove the directory before our claim is in it. If we were stopped for long between making
 * the directory and opening it, we may have opened another program's directory. */
static enum lock_outcome make_in_place(struct lock *lock)
{
    int64_t start = time_steady();

    if (mkdirat(lock->undo.dir, lock->undo.name, 0777) < 0)
        return errno == EEXIST ? LOCK_BUSY : LOCK_FAILED;
    int fd = retry_open(lock->undo.dir, lock->undo.name, DIR_FLAGS, 0);
    bool sure = time_steady() - start < SURE_MS * INT64_C(1000);
    bool claimed = fd >= 0 && sure && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
                   mkdirat(fd, CLAIM, 0777) == 0;
    int reason = errno;
    if (claimed && own(lock, fd))
        return LOCK_TAKEN;
    bool again = claimed || !sure || reason == ENOENT || reason == EEXIST || reason == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return again ? LOCK_AGAIN : LOCK_FAILED; /* what remains is empty: anybody may take it over */
}

/* Renames the private directory, so that the lock appears with our claim already in it: an agent
 * that found an older lock stale, and now removes what is there, fails. */
static enum lock_outcome publish_lock(struct lock *lock, int fd)
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

static enum lock_outcome make_lock_dir(struct lock *lock)
{
    enum lock_outcome outcome = LOCK_FAILED;
    sigset_t before;

    signal_cleanup_enter(&before);
    int fd = make_private(lock);
    if (fd >= 0)
        outcome = publish_lock(lock, fd);
    int reason = errno;
    signal_cleanup_leave(&before);
    errno = reason;
    return outcome;
}

/* Tries once, without waiting. */
static enum lock_outcome lock_try_dir(struct lock *lock)
{
    struct stat st;

    if (lock_stat(lock, &st) < 0)
        return errno == ENOENT ? make_lock_dir(lock) : LOCK_FAILED;
    if (S_ISREG(st.st_mode))
        return clear_file(lock, &st);
    if (S_ISDIR(st.st_mode) && lock_is_stale(&st, STALE_MS) && lock_take_over(lock, false))
        return LOCK_TAKEN;
    return LOCK_BUSY;
}

/* Taking and releasing the lock: waiting for it, with the locks of other programs. */

enum { STEP_MS = 5, STEP_MAX_MS = 100, TELL_MS = 1000 };

/* A process holds one lock at a time: two processes with two locks each could wait for each other.
 * It is not held while waiting, or one inbox that others hold would keep all threads from all
 * inboxes. */
static atomic_bool held;
static atomic_llong longest_hold_us;
static atomic_llong usual_wait_ms = 15000;

void lock_set_timeout(int64_t wait_us)
{
    atomic_store(&usual_wait_ms, wait_us < 1000 ? 1 : wait_us / 1000);
}

static void give_back_customs(struct lock *lock)
{
    for (size_t i = 0; i < 2; i++) {
        if (lock->customs[i] >= 0)
            close(lock->customs[i]);
        lock->customs[i] = -1;
    }
}

/* True if, for this errno, the file is not one that others lock, or not one for us. */
static bool is_no_custom(int problem)
{
    return problem == ENOENT || problem == ELOOP || problem == ENXIO || problem == EACCES ||
           problem == EPERM;
}

/* flock()s a file that other programs lock this way, if it exists. Returns LOCK_BUSY when they hold
 * it. */
static enum lock_outcome take_custom(struct lock *lock, int which, const char *name)
{
    int fd = retry_open(lock->undo.dir, name,
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    struct stat st, there;

    if (fd < 0)
        return is_no_custom(errno) ? LOCK_TAKEN : LOCK_FAILED;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return LOCK_TAKEN;
    }
    bool refused = flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
    bool replaced = fstatat(lock->undo.dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                    (there.st_ino != st.st_ino || there.st_dev != st.st_dev);
    if (refused || replaced) {
        close(fd);
        return LOCK_BUSY;
    }
    lock->customs[which] = fd;
    return LOCK_TAKEN;
}

/* Tries once to take everything. If one lock is busy, releases those already taken, because others
 * may need only these. `in_the_way` is set to the name of the busy one, and stays as it is when
 * another thread of this process is in the way. */
static enum lock_outcome attempt_lock(struct lock *lock, const char *agent_lock,
                                      const char **in_the_way)
{
    const char *names[] = {".lock", agent_lock};
    enum lock_outcome outcome = LOCK_TAKEN;

    if (atomic_exchange(&held, true))
        return LOCK_BUSY;
    for (int i = 0; outcome == LOCK_TAKEN && i < 2; i++) {
        if (names[i])
            outcome = take_custom(lock, i, names[i]);
        if (outcome != LOCK_TAKEN)
            *in_the_way = names[i];
    }
    if (outcome == LOCK_TAKEN) {
        *in_the_way = lock->undo.name;
        outcome = lock_try_dir(lock);
    }
    int reason = errno;
    if (outcome != LOCK_TAKEN) {
        give_back_customs(lock);
        atomic_store(&held, false);
    }
    errno = reason;
    return outcome;
}

static bool say_busy(const struct lock *lock, const char *in_the_way, int64_t wait_ms,
                     struct err *err)
{
    if (in_the_way)
        return lock_say_busy(lock, in_the_way, wait_ms, err);
    return err_set(err, ERR_BOX, "%s: another inbox is locked already (waited %lld ms); try again",
                   lock->undo.name, (long long)wait_ms);
}

static bool say_failed(const struct lock *lock, struct err *err)
{
    if (errno == ENOENT)
        return err_set(err, ERR_BOX, "%s: the team is gone: its directory of inboxes was removed",
                       lock->undo.name);
    return err_set(err, ERR_BOX, "%s: this lock cannot be made: %s", lock->undo.name,
                   strerror(errno));
}

/* Sleeps for one to two steps, but not past the end, and doubles the step. */
static void back_off(int64_t *step_us, int64_t left_us)
{
    uint32_t salt = 0;

    if (getrandom(&salt, sizeof salt, GRND_NONBLOCK) < 0)
        salt = (uint32_t)time_steady();
    int64_t pause_us = *step_us + salt % *step_us;
    if (pause_us > left_us)
        pause_us = left_us;
    time_sleep(pause_us);
    *step_us *= 2;
    if (*step_us > STEP_MAX_MS * 1000)
        *step_us = STEP_MAX_MS * 1000;
}

static bool prepare_lock(struct lock *lock, int dir, const char *name)
{
    *lock = (struct lock){
        .undo = {.dir = dir, .is_dir = true, .inner_dir = -1}, .slot = -1, .customs = {-1, -1}};
    int len = snprintf(lock->undo.name, sizeof lock->undo.name, "%s.lock", name);
    return name[0] && !strchr(name, '/') && len < (int)sizeof lock->undo.name;
}

static bool take_before(struct lock *lock, const char *agent_lock, int64_t wait_ms,
                        const struct lock_options *options, struct err *err)
{
    int64_t start = time_steady(), end = start + wait_ms * 1000, step_us = STEP_MS * 1000;
    const char *in_the_way = NULL;
    bool told = !options || !options->waiting;

    for (;;) {
        enum lock_outcome outcome = attempt_lock(lock, agent_lock, &in_the_way);
        if (outcome == LOCK_TAKEN) {
            lock->taken_us = time_steady();
            return true;
        }
        if (outcome == LOCK_FAILED)
            return say_failed(lock, err);
        int64_t left_us = end - time_steady();
        if (left_us <= 0)
            return say_busy(lock, in_the_way, wait_ms, err);
        if (!told && time_steady() - start > TELL_MS * INT64_C(1000)) {
            told = true;
            options->waiting(options->context);
        }
        if (outcome == LOCK_BUSY)
            back_off(&step_us, left_us);
    }
}

bool lock_take(struct lock *lock, int dir, const char *name, const struct lock_options *options,
               struct err *err)
{
    int64_t wait_ms =
        options && options->wait_ms > 0 ? options->wait_ms : atomic_load(&usual_wait_ms);
    struct span whole = span_of(name);
    char agent_lock[256] = "";

    if (!prepare_lock(lock, dir, name))
        return err_set(err, ERR_REFUSED, "\"%.200s\" cannot be the name of an inbox", name);
    if (whole.len > 5 && span_ends(whole, ".json"))
        snprintf(agent_lock, sizeof agent_lock, "%.*s.lock", (int)(whole.len - 5), name);
    return take_before(lock, agent_lock[0] ? agent_lock : NULL, wait_ms, options, err);
}

bool lock_still_ours(const struct lock *lock)
{
    return signal_undo_stands(&lock->undo);
}

/* Removes the lock. Once it is moved aside nobody waits for it, so the hold time ends there. */
static void remove_lock(struct lock *lock)
{
    sigset_t before;

    signal_cleanup_enter(&before);
    signal_undo_hide(&lock->undo);
    int64_t free_us = time_steady();
    give_back_customs(lock);
    signal_undo_run(&lock->undo);
    signal_cleanup_forget(lock->slot);
    signal_cleanup_leave(&before);
    close(lock->opened);
    lock->held_us = free_us - lock->taken_us;
}

void lock_release(struct lock *lock)
{
    remove_lock(lock);
    long long longest = atomic_load(&longest_hold_us);
    while (lock->held_us > longest &&
           !atomic_compare_exchange_weak(&longest_hold_us, &longest, lock->held_us))
        ;
    atomic_store(&held, false);
}

bool lock_clear_claim(int dir, const char *name)
{
    struct lock lock;

    if (!prepare_lock(&lock, dir, name) || !lock_take_over(&lock, true))
        return false;
    remove_lock(&lock);
    return true;
}

struct lock_seen lock_inspect(int dir, const char *name)
{
    struct lock lock;

    return prepare_lock(&lock, dir, name) ? lock_inspect_at(&lock)
                                          : (struct lock_seen){.state = LOCK_NONE};
}

bool lock_is_left(enum lock_state state)
{
    return state == LOCK_LEFT || state == LOCK_LEFT_CLAIM || state == LOCK_LEFT_FILE ||
           state == LOCK_DEAD_FILE;
}

int64_t lock_longest_hold_us(void)
{
    return atomic_load(&longest_hold_us);
}
