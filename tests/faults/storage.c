/* A library to be preloaded: makes the k-th storage call of a process fail, come short, or be its
 * last. It counts calls on paths and descriptors below the given directories, whoever makes them:
 * SQLite's too.
 *
 * FAULT_UNDER   directories, separated by colons
 * FAULT_COUNTS  a mapped file of one page: the number of calls of each kind, in the order of
 *               enum kind, followed by the number of calls that were made to fail
 * FAULT_KINDS   bits of enum kind: the calls that are counted for FAULT_AT
 * FAULT_AT      the number of the call to fail, from 1; 0: none
 * FAULT_ERRNO   its errno; 0: it comes short; -1: the process is killed before it; -3: the process
 *               is stopped before it, and makes the call when it continues
 * FAULT_STICKY  every later call of those kinds fails, too
 * FAULT_JOURNAL a file to which all calls are appended (journal.h)
 *
 * A program with this file built in sets the same values with storage.h. */
#include "storage.h"

#include "journal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Called by programs that were compiled with more checks; no header declares these. */
int __open_2(const char *path, int flags, ...);
int __open64_2(const char *path, int flags, ...);
int __openat_2(int dir, const char *path, int flags, ...);
int __openat64_2(int dir, const char *path, int flags, ...);
ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room);
ssize_t __pread_chk(int fd, void *bytes, size_t count, off_t offset, size_t room);

enum { FD_MAX = 4096, UNDER_MAX = 8 };

static struct {
    _Atomic uint64_t *counts; /* of each kind, and of the calls that failed on purpose */
    uint64_t at;
    atomic_uint_fast64_t made;
    unsigned long kinds;
    int error;
    bool sticky;
    void (*meanwhile)(void);
    const char *under[UNDER_MAX];
    atomic_bool ours[FD_MAX];
} fault;

static _Thread_local bool is_other; /* the current call is not the program's own */

/* The function of that name in the next library, looked up once. */
#define NEXT(name)                                                                                 \
    static __typeof__(name) *next;                                                                 \
    if (!next)                                                                                     \
    next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static long number_of(const char *name)
{
    const char *text = getenv(name);

    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *under = getenv("FAULT_UNDER"), *counts = getenv("FAULT_COUNTS");
    char *rest = under ? strdup(under) : NULL;
    int fd = counts ? (int)syscall(SYS_openat, AT_FDCWD, counts, O_RDWR | O_CLOEXEC) : -1;

    if (!rest || fd < 0)
        return;
    journal_start();
    for (size_t i = 0; i < UNDER_MAX - 1 && rest; i++)
        fault.under[i] = strsep(&rest, ":");
    fault.at = (uint64_t)number_of("FAULT_AT");
    fault.kinds = (unsigned long)number_of("FAULT_KINDS");
    fault.error = (int)number_of("FAULT_ERRNO");
    fault.sticky = number_of("FAULT_STICKY");
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (page != MAP_FAILED)
        fault.counts = page;
}

void fault_begin(const struct fault_order *order)
{
    static _Atomic uint64_t counts[KINDS + 1];

    for (size_t i = 0; i <= KINDS; i++)
        atomic_store(&counts[i], 0);
    fault.under[0] = order->under;
    fault.kinds = 1ul << order->kind;
    fault.at = order->at;
    fault.error = order->error;
    fault.sticky = order->lasting;
    fault.meanwhile = order->meanwhile;
    atomic_store(&fault.made, 0);
    fault.counts = counts;
}

unsigned fault_end(void)
{
    unsigned hits = (unsigned)atomic_load(&fault.counts[KINDS]);

    fault.counts = NULL;
    return hits;
}

static bool is_under(const char *path)
{
    for (const char *const *one = fault.under; *one; one++) {
        size_t len = strlen(*one);
        if (strncmp(path, *one, len) == 0 && (path[len] == '/' || !path[len]))
            return true;
    }
    return false;
}

static bool is_ours(int fd)
{
    return fault.counts && fd >= 0 && fd < FD_MAX && atomic_load(&fault.ours[fd]);
}

static bool is_our_path(int dir, const char *path)
{
    char here[PAGE];

    if (!fault.counts)
        return false;
    if (path[0] == '/')
        return is_under(path);
    return dir == AT_FDCWD ? getcwd(here, sizeof here) && is_under(here) : is_ours(dir);
}

static void let_others_work(void)
{
    int before = errno;

    is_other = true;
    fault.meanwhile();
    is_other = false;
    errno = before;
}

/* Counts a call; returns true if it must fail, with errno set. Sets `shorter` for a call that must
 * come short; that one does not fail. */
static bool fails(enum kind kind, bool *shorter)
{
    if (is_other)
        return false;
    atomic_fetch_add(&fault.counts[kind], 1);
    if (!(fault.kinds >> kind & 1) || !fault.at)
        return false;
    uint64_t made = atomic_fetch_add(&fault.made, 1) + 1;
    if (made < fault.at || (made > fault.at && !fault.sticky))
        return false;
    atomic_fetch_add(&fault.counts[KINDS], 1);
    if (fault.error == FAULT_KILL)
        kill(getpid(), SIGKILL);
    if (fault.error == FAULT_STOP) {
        raise(SIGSTOP); /* stop this thread: another one would stop after the call */
        return false;
    }
    if (fault.error == FAULT_MEANWHILE) {
        let_others_work();
        return false;
    }
    if (fault.error == FAULT_SHORT) {
        if (shorter)
            *shorter = true;
        return false;
    }
    errno = fault.error;
    return true;
}

static bool fails_path(enum kind kind, int dir, const char *path)
{
    return is_our_path(dir, path) && fails(kind, NULL);
}

static bool fails_fd(enum kind kind, int fd)
{
    return is_ours(fd) && fails(kind, NULL);
}

static size_t half(size_t count, bool shorter)
{
    return shorter && count > 1 ? count / 2 : count;
}

/* Notes the file of a new descriptor. */
static int opened(int fd)
{
    char link[64], path[PAGE];
    int before = errno;

    if (fault.counts && fd >= 0 && fd < FD_MAX) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        ssize_t len = readlink(link, path, sizeof path - 1);
        path[len < 0 ? 0 : len] = '\0';
        atomic_store(&fault.ours[fd], is_under(path));
    }
    errno = before;
    return fd;
}

static int open_any(int dir, const char *path, int flags, mode_t mode)
{
    if (fails_path(OPEN, dir, path))
        return -1;
    bool found = !(flags & O_CREAT) || journal_finds(dir, path);
    int fd = opened((int)syscall(SYS_openat, dir, path, flags, mode));
    if (is_ours(fd))
        journal_open(fd, dir, path, flags, found);
    return fd;
}

#define MODE_OF(flags)                                                                             \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                       \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }

#define OPENS(name)                                                                                \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        MODE_OF(flags)                                                                             \
        return open_any(AT_FDCWD, path, flags, mode);                                              \
    }
#define OPENS_AT(name)                                                                             \
    int name(int dir, const char *path, int flags, ...)                                            \
    {                                                                                              \
        MODE_OF(flags)                                                                             \
        return open_any(dir, path, flags, mode);                                                   \
    }
OPENS(open)
OPENS(open64)
OPENS(__open_2)
OPENS(__open64_2)
OPENS_AT(openat)
OPENS_AT(openat64)
OPENS_AT(__openat_2)
OPENS_AT(__openat64_2)

long syscall(long number, ...)
{
    NEXT(syscall);
    va_list more;
    long a[6];

    va_start(more, number);
    for (size_t i = 0; i < 6; i++)
        a[i] = va_arg(more, long);
    va_end(more);
    if (number != SYS_openat2)
        return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    const char *path = (const char *)a[1];
    int dir = (int)a[0], flags = (int)((const struct open_how *)a[2])->flags;
    if (fails_path(OPEN, dir, path))
        return -1;
    bool found = !(flags & O_CREAT) || journal_finds(dir, path);
    int fd = opened((int)next(number, a[0], a[1], a[2], a[3], a[4], a[5]));
    if (is_ours(fd))
        journal_open(fd, dir, path, flags, found);
    return fd;
}

FILE *fopen(const char *path, const char *mode)
{
    NEXT(fopen);
    return fails_path(OPEN, AT_FDCWD, path) ? NULL : next(path, mode);
}

DIR *opendir(const char *path)
{
    NEXT(opendir);
    if (fails_path(OPEN, AT_FDCWD, path))
        return NULL;
    DIR *dir = next(path);
    if (dir)
        opened(dirfd(dir));
    return dir;
}

/* The note of a call that was made; may use its arguments and `done`. */
#define NOTHING (void)0

/* Calls on a descriptor that move bytes, and may come short. */
#define MOVES(kind, noted, name, type, rest, ...)                                                  \
    ssize_t name(int fd, type bytes, size_t count rest)                                            \
    {                                                                                              \
        NEXT(name);                                                                                \
        bool shorter = false;                                                                      \
        if (is_ours(fd) && fails(kind, &shorter))                                                  \
            return -1;                                                                             \
        ssize_t done = next(fd, bytes, half(count, shorter) __VA_ARGS__);                          \
        if (is_ours(fd))                                                                           \
            noted;                                                                                 \
        return done;                                                                               \
    }
#define AND ,
MOVES(READ, NOTHING, read, void *, )
MOVES(READ, NOTHING, pread, void *, AND off_t offset, , offset)
MOVES(READ, NOTHING, pread64, void *, AND off64_t offset, , offset)
MOVES(WRITE, journal_write(fd, bytes, done, -1), write, const void *, )
MOVES(WRITE, journal_write(fd, bytes, done, offset), pwrite, const void *, AND off_t offset, ,
      offset)
MOVES(WRITE, journal_write(fd, bytes, done, offset), pwrite64, const void *, AND off64_t offset, ,
      offset)

ssize_t __read_chk(int fd, void *bytes, size_t count, size_t room)
{
    if (count > room)
        abort();
    return read(fd, bytes, count);
}

ssize_t __pread_chk(int fd, void *bytes, size_t count, off_t offset, size_t room)
{
    if (count > room)
        abort();
    return pread(fd, bytes, count, offset);
}

/* Calls that succeed or fail as a whole: by descriptor, by path, by directory and path, by two of
 * these. */
#define BY_FD(kind, noted, name, rest, ...)                                                        \
    int name(int fd rest)                                                                          \
    {                                                                                              \
        NEXT(name);                                                                                \
        int done = fails_fd(kind, fd) ? -1 : next(fd __VA_ARGS__);                                 \
        if (done == 0 && is_ours(fd))                                                              \
            noted;                                                                                 \
        return done;                                                                               \
    }
#define BY_PATH(kind, noted, name, rest, ...)                                                      \
    int name(const char *path rest)                                                                \
    {                                                                                              \
        NEXT(name);                                                                                \
        int done = fails_path(kind, AT_FDCWD, path) ? -1 : next(path __VA_ARGS__);                 \
        if (done == 0 && is_our_path(AT_FDCWD, path))                                              \
            noted;                                                                                 \
        return done;                                                                               \
    }
#define BY_DIR(kind, noted, name, rest, ...)                                                       \
    int name(int dir, const char *path rest)                                                       \
    {                                                                                              \
        NEXT(name);                                                                                \
        int done = fails_path(kind, dir, path) ? -1 : next(dir, path __VA_ARGS__);                 \
        if (done == 0 && is_our_path(dir, path))                                                   \
            noted;                                                                                 \
        return done;                                                                               \
    }
#define BY_TWO(kind, noted, name, rest, ...)                                                       \
    int name(int dir, const char *path, int to, const char *path_to rest)                          \
    {                                                                                              \
        NEXT(name);                                                                                \
        int done = fails_path(kind, dir, path) ? -1 : next(dir, path, to, path_to __VA_ARGS__);    \
        if (done == 0 && is_our_path(dir, path))                                                   \
            noted;                                                                                 \
        return done;                                                                               \
    }
BY_FD(SYNC, journal_sync(fd), fsync, )
BY_FD(SYNC, journal_sync(fd), fdatasync, )
BY_FD(WRITE, journal_size(fd, size), ftruncate, AND off_t size, , size)
BY_FD(WRITE, journal_size(fd, size), ftruncate64, AND off64_t size, , size)
BY_FD(LOCK, NOTHING, flock, AND int how, , how)
BY_FD(ATTR, NOTHING, fchmod, AND mode_t mode, , mode)
BY_FD(ATTR, NOTHING, futimens, AND const struct timespec times[2], , times)
BY_DIR(ATTR, NOTHING, fchmodat, AND mode_t mode AND int flags, , mode, flags)
BY_DIR(ATTR, NOTHING, utimensat, AND const struct timespec times[2] AND int flags, , times, flags)
BY_PATH(ATTR, NOTHING, chmod, AND mode_t mode, , mode)
BY_PATH(MKDIR, journal_mkdir(AT_FDCWD, path), mkdir, AND mode_t mode, , mode)
BY_DIR(MKDIR, journal_mkdir(dir, path), mkdirat, AND mode_t mode, , mode)
BY_PATH(UNLINK, journal_unlink(AT_FDCWD, path), unlink, )
BY_PATH(UNLINK, journal_unlink(AT_FDCWD, path), rmdir, )
BY_DIR(UNLINK, journal_unlink(dir, path), unlinkat, AND int flags, , flags)
BY_PATH(RENAME, journal_rename(AT_FDCWD, path, AT_FDCWD, to, 0), rename, AND const char *to, , to)
BY_TWO(RENAME, journal_rename(dir, path, to, path_to, 0), renameat, )
BY_TWO(RENAME, journal_rename(dir, path, to, path_to, flags), renameat2, AND unsigned flags, ,
       flags)
BY_PATH(LINK, journal_link(AT_FDCWD, path, AT_FDCWD, to), link, AND const char *to, , to)
BY_TWO(LINK, journal_link(dir, path, to, path_to), linkat, AND int flags, , flags)

/* Forgets the descriptor: it is closed whatever close() returns. */
int close(int fd)
{
    NEXT(close);
    bool failed = fails_fd(CLOSE, fd);
    int error = errno;

    if (fd >= 0 && fd < FD_MAX)
        atomic_store(&fault.ours[fd], false);
    int done = next(fd);
    if (!failed)
        return done;
    errno = error;
    return -1;
}

int closedir(DIR *dir)
{
    NEXT(closedir);
    int fd = dirfd(dir);

    if (fd >= 0 && fd < FD_MAX)
        atomic_store(&fault.ours[fd], false);
    return next(dir);
}

BY_FD(LOOK, NOTHING, fstat, AND struct stat *st, , st)
BY_FD(LOOK, NOTHING, fstat64, AND struct stat64 *st, , st)
BY_PATH(LOOK, NOTHING, stat, AND struct stat *st, , st)
BY_PATH(LOOK, NOTHING, stat64, AND struct stat64 *st, , st)
BY_PATH(LOOK, NOTHING, lstat, AND struct stat *st, , st)
BY_PATH(LOOK, NOTHING, lstat64, AND struct stat64 *st, , st)
BY_DIR(LOOK, NOTHING, fstatat, AND struct stat *st AND int flags, , st, flags)
BY_DIR(LOOK, NOTHING, fstatat64, AND struct stat64 *st AND int flags, , st, flags)
BY_DIR(LOOK, NOTHING, statx, AND int flags AND unsigned mask AND struct statx *st, , flags, mask,
       st)

#define LISTS(type, name)                                                                          \
    struct type *name(DIR *dir)                                                                    \
    {                                                                                              \
        NEXT(name);                                                                                \
        return fails_fd(LIST, dirfd(dir)) ? NULL : next(dir);                                      \
    }
LISTS(dirent, readdir)
LISTS(dirent64, readdir64)

#define MAPS(name)                                                                                 \
    void *name(void *at, size_t size, int hooks, int flags, int fd, off_t offset)                  \
    {                                                                                              \
        NEXT(name);                                                                                \
        return fails_fd(MAP, fd) ? MAP_FAILED : next(at, size, hooks, flags, fd, offset);          \
    }
MAPS(mmap)
MAPS(mmap64)

/* Only file locks are storage calls of fcntl(); the third argument is an int or a pointer. */
#define CONTROLS(name)                                                                             \
    int name(int fd, int what, ...)                                                                \
    {                                                                                              \
        NEXT(name);                                                                                \
        va_list more;                                                                              \
        va_start(more, what);                                                                      \
        void *value = va_arg(more, void *);                                                        \
        va_end(more);                                                                              \
        bool locks = what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK;                   \
        if (locks && fails_fd(LOCK, fd))                                                           \
            return -1;                                                                             \
        int done = next(fd, what, value);                                                          \
        return what == F_DUPFD || what == F_DUPFD_CLOEXEC ? opened(done) : done;                   \
    }
CONTROLS(fcntl)
CONTROLS(fcntl64)
