/* Shared by the tests of the lock: a directory, one lock, and hooks into system calls. */
#include "inbox_lock_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct lock lock;
struct err err;
void (*before_mkdir)(int call, const char *name);
void (*before_look)(int call);
void (*before_flock)(void);
void (*after_unlink)(void);
int mkdir_calls;

static void make(void)
{
    tmp_make(&tmp);
}

static void clear(void)
{
    tmp_remove(&tmp);
}

TestSuite(lock, .init = make, .fini = clear, .timeout = 120);

int mkdirat(int dir, const char *path, mode_t mode)
{
    void (*hook)(int call, const char *name) = before_mkdir;

    if (hook) {
        before_mkdir = NULL; /* the hook itself may call it */
        hook(++mkdir_calls, path);
        if (mkdir_calls < 100)
            before_mkdir = hook;
    }
    return (int)syscall(SYS_mkdirat, dir, path, mode);
}

/* Only calls for the lock are counted. */
int fstatat(int dir, const char *path, struct stat *st, int flags)
{
    static int calls;
    void (*hook)(int call) = before_look;

    if (hook && strcmp(path, LOCK) == 0) {
        before_look = NULL; /* the hook itself may call it */
        hook(++calls);
        before_look = hook;
    }
    return (int)syscall(SYS_newfstatat, dir, path, st, flags);
}

bool is_new_lock(const char *name)
{
    return strncmp(name, ".lock.", 6) == 0;
}

int flock(int fd, int operation)
{
    if (before_flock)
        before_flock();
    return (int)syscall(SYS_flock, fd, operation);
}

int unlinkat(int dir, const char *path, int flags)
{
    void (*hook)(void) = after_unlink;
    int result = (int)syscall(SYS_unlinkat, dir, path, flags);

    after_unlink = NULL;
    if (hook)
        hook();
    return result;
}

void age(const char *name, int age_s)
{
    struct timespec times[2];

    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= age_s;
    times[1] = times[0];
    cr_assert_eq(utimensat(tmp.fd, name, times, AT_SYMLINK_NOFOLLOW), 0, "%s", name);
}

void make_dir(const char *name, int age_s)
{
    cr_assert_eq(mkdirat(tmp.fd, name, 0777), 0, "%s", name);
    age(name, age_s);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void write_pid(char *text, size_t size, const char *form, int pid)
{
    snprintf(text, size, form, pid);
}

void take(int64_t wait_ms)
{
    const struct lock_options options = {.wait_ms = wait_ms};

    cr_assert(lock_take(&lock, tmp.fd, INBOX, &options, &err), "%s", err.text);
}

void release(void)
{
    lock_release(&lock);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

void remove_by_hand(void)
{
    unlinkat(tmp.fd, LOCK "/claim", AT_REMOVEDIR);
    cr_assert_eq(unlinkat(tmp.fd, LOCK, AT_REMOVEDIR), 0);
}

void expect_busy(int64_t wait_ms, const char *says)
{
    const struct lock_options options = {.wait_ms = wait_ms};
    struct timespec start, end;

    clock_gettime(CLOCK_MONOTONIC, &start);
    cr_assert_not(lock_take(&lock, tmp.fd, INBOX, &options, &err), "taken in spite of: %s", says);
    clock_gettime(CLOCK_MONOTONIC, &end);
    int64_t waited_ms =
        (end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000;
    cr_assert_geq(waited_ms, wait_ms, "%s: it gave up early", says);
    cr_assert_lt(waited_ms, wait_ms + 2000, "%s: it waited too long", says);
    cr_assert(err.scope == ERR_BOX && strstr(err.text, says), "not \"%s\": %s", says, err.text);
}
