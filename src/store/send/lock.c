/* The lock of an inbox: waiting for it, the customs of others, release. */
#include "store/send/lock_private.h"

#include "base/file/retry.h"
#include "base/str.h"
#include "base/when.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

enum { STEP_MS = 5, STEP_MAX_MS = 100, TELL_MS = 1000 };

/* One at a time: two processes with two locks could wait for each other. Not while waiting, or one
 * inbox that others hold would keep all threads from all inboxes. */
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

/* What cannot be opened for these reasons is no file that others lock, or not for us. */
static bool is_no_custom(int problem)
{
    return problem == ENOENT || problem == ELOOP || problem == ENXIO || problem == EACCES ||
           problem == EPERM;
}

/* flock()s a file that other programs lock this way, if they made one. Busy when they have it. */
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

/* One try for everything; what was to be had is given back when the rest was not, because others
 * may need only that. `in_the_way` is the name of what was not to be had, and stays when another
 * thread of this process is in the way. */
static enum lock_outcome attempt(struct lock *lock, const char *agent_lock, const char **in_the_way)
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

/* Sleeps for one step to two, but not past the end; the next step is twice as long. */
static void back_off(int64_t *step_us, int64_t left_us)
{
    uint32_t salt = 0;

    if (getrandom(&salt, sizeof salt, GRND_NONBLOCK) < 0)
        salt = (uint32_t)when_steady();
    int64_t pause_us = *step_us + salt % *step_us;
    if (pause_us > left_us)
        pause_us = left_us;
    when_sleep(pause_us);
    *step_us *= 2;
    if (*step_us > STEP_MAX_MS * 1000)
        *step_us = STEP_MAX_MS * 1000;
}

static bool prepare(struct lock *lock, int dir, const char *name)
{
    *lock = (struct lock){
        .undo = {.dir = dir, .is_dir = true, .inner_dir = -1}, .slot = -1, .customs = {-1, -1}};
    int len = snprintf(lock->undo.name, sizeof lock->undo.name, "%s.lock", name);
    return name[0] && !strchr(name, '/') && len < (int)sizeof lock->undo.name;
}

static bool take_before(struct lock *lock, const char *agent_lock, int64_t wait_ms,
                        const struct lock_options *options, struct err *err)
{
    int64_t start = when_steady(), end = start + wait_ms * 1000, step_us = STEP_MS * 1000;
    const char *in_the_way = NULL;
    bool told = !options || !options->waiting;

    for (;;) {
        enum lock_outcome outcome = attempt(lock, agent_lock, &in_the_way);
        if (outcome == LOCK_TAKEN) {
            lock->taken_us = when_steady();
            return true;
        }
        if (outcome == LOCK_FAILED)
            return say_failed(lock, err);
        int64_t left_us = end - when_steady();
        if (left_us <= 0)
            return say_busy(lock, in_the_way, wait_ms, err);
        if (!told && when_steady() - start > TELL_MS * INT64_C(1000)) {
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

    if (!prepare(lock, dir, name))
        return err_set(err, ERR_REFUSED, "\"%.200s\" cannot be the name of an inbox", name);
    if (whole.len > 5 && span_ends(whole, ".json"))
        snprintf(agent_lock, sizeof agent_lock, "%.*s.lock", (int)(whole.len - 5), name);
    return take_before(lock, agent_lock[0] ? agent_lock : NULL, wait_ms, options, err);
}

bool lock_still_ours(const struct lock *lock)
{
    return crash_undo_stands(&lock->undo);
}

/* Once it is moved aside nobody waits for the rest. */
static void remove_lock(struct lock *lock)
{
    sigset_t before;

    crash_enter(&before);
    crash_undo_hide(&lock->undo);
    int64_t free_us = when_steady();
    give_back_customs(lock);
    crash_undo_run(&lock->undo);
    crash_forget(lock->slot);
    crash_leave(&before);
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

    if (!prepare(&lock, dir, name) || !lock_take_over(&lock, true))
        return false;
    remove_lock(&lock);
    return true;
}

struct lock_seen lock_look(int dir, const char *name)
{
    struct lock lock;

    return prepare(&lock, dir, name) ? lock_look_at(&lock) : (struct lock_seen){.state = LOCK_NONE};
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
