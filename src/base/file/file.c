/* Files: reading what others may be writing; removing, moving and creating names; system calls that
 * are repeated after EINTR. */
#include "base/file/file.h"

#include "base/thread.h"
#include "base/time.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Opening beneath a directory, and reading. */

bool file_open_root(const char *path, int *fd, struct err *err)
{
    *fd = retry_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (*fd < 0)
        return err_set(err, ERR_SOURCE, "%s: cannot open this directory: %s", path,
                       strerror(errno));
    return true;
}

/* Fallback without openat2(): opens one component at a time and refuses a link in any of them. */
static int open_by_steps(int dir, const char *path, int flags)
{
    int at = dir;

    for (;;) {
        const char *slash = strchr(path, '/');
        char step[256];
        size_t len = slash ? (size_t)(slash - path) : strlen(path);
        if (len >= sizeof step) {
            errno = ENAMETOOLONG;
            break;
        }
        memcpy(step, path, len);
        step[len] = '\0';
        if (!len || strcmp(step, "..") == 0) {
            errno = EXDEV;
            break;
        }
        int next =
            retry_open(at, step, slash ? O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC : flags, 0);
        int saved = errno;
        if (at != dir)
            close(at);
        errno = saved;
        if (next < 0 || !slash)
            return next;
        at = next;
        path = slash + 1;
    }
    if (at != dir)
        close(at);
    return -1;
}

int file_open_beneath(int dir, const char *path, int flags)
{
    flags |= O_NOFOLLOW | O_CLOEXEC;
    if (!(flags & O_PATH)) /* O_PATH excludes most other flags */
        flags |= O_NONBLOCK | O_NOCTTY;
    /* A single name cannot lead out of the directory: openat() is enough. */
    if (!strchr(path, '/') && strcmp(path, "..") != 0)
        return retry_open(dir, path, flags, 0);
    struct open_how how = {.flags = (uint64_t)flags,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    long fd;

    do
        fd = syscall(SYS_openat2, dir, path, &how, sizeof how);
    while (fd < 0 && errno == EINTR);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM))
        return open_by_steps(dir, path, flags);
    return (int)fd;
}

static int64_t in_ns(const struct timespec *time)
{
    return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

static void fill_file_id(const struct stat *st, struct file_id *id)
{
    *id = (struct file_id){.dev = st->st_dev,
                           .ino = st->st_ino,
                           .size = st->st_size,
                           .mtime_ns = in_ns(&st->st_mtim),
                           .ctime_ns = in_ns(&st->st_ctim),
                           .mode = st->st_mode,
                           .uid = st->st_uid};
}

static const char *kind_of(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "a directory";
    case S_IFLNK:
        return "a symbolic link, which is not followed";
    case S_IFIFO:
        return "a FIFO";
    case S_IFSOCK:
        return "a socket";
    case S_IFCHR:
    case S_IFBLK:
        return "a device";
    default:
        return "no regular file";
    }
}

static enum file_result cannot_open(int dir, const char *name, struct err *err)
{
    struct stat st;
    int saved = errno;

    if (saved == ENOENT)
        return FILE_GONE;
    /* ELOOP for links, ENXIO for sockets and some devices: name the kind of file instead. */
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode)) {
        err_set(err, ERR_MESSAGE, "it is %s", kind_of(st.st_mode));
        saved = 0;
    } else {
        err_set(err, ERR_MESSAGE, "it cannot be opened: %s", strerror(saved));
    }
    errno = saved;
    return FILE_FAILED;
}

/* Reports whether reading on is useless because the file will be refused. */
static bool is_hopeless(int fd, size_t cap)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (!S_ISREG(st.st_mode) || (uintmax_t)st.st_size > cap);
}

/* Reads to the end of the file, or until it is longer than the cap. */
static bool read_all(int fd, size_t expected, size_t cap, struct str *out)
{
    size_t want = expected + 1; /* one more than expected, so that a short read is the end */

    str_clear(out);
    for (;;) {
        ssize_t got = read(fd, str_room(out, want), want);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        out->len += (size_t)got;
        out->at[out->len] = '\0';
        if ((size_t)got < want || out->len > cap || is_hopeless(fd, cap))
            return true;
        want = out->len;
    }
}

/* A file whose mtime is this recent may have been written while it was read. The clock for mtimes
 * advances only every few milliseconds. */
static bool is_settled(const struct stat *st)
{
    struct timespec now;
    const int64_t margin_ns = 50 * INT64_C(1000000);

    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    int64_t age_ns = (now.tv_sec - st->st_mtim.tv_sec) * INT64_C(1000000000) +
                     (now.tv_nsec - st->st_mtim.tv_nsec);
    return age_ns > margin_ns;
}

static bool is_same_stat(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool is_readable(const struct stat *st, size_t cap, struct err *err)
{
    errno = 0;
    if (!S_ISREG(st->st_mode))
        return err_set(err, ERR_MESSAGE, "it is %s", kind_of(st->st_mode));
    if ((uintmax_t)st->st_size > cap)
        return err_set(err, ERR_MESSAGE, "it is too large (%jd bytes; the limit is %zu)",
                       (intmax_t)st->st_size, cap);
    return true;
}

/* Reads until the content is consistent. `before`, if not NULL, is the state of the file before the
 * first read. */
static bool read_settled(int fd, const struct stat *before, size_t cap, struct str *out,
                         struct stat *after, struct err *err)
{
    enum { ROUNDS = 3, GUESS = 16384 };
    struct stat last;

    for (int round = 0; round < ROUNDS; round++) {
        size_t expected = before && before->st_size >= 0 ? (size_t)before->st_size : GUESS;
        if ((round && lseek(fd, 0, SEEK_SET) < 0) || !read_all(fd, expected, cap, out) ||
            fstat(fd, after) < 0)
            return err_set(err, ERR_MESSAGE, "it cannot be read: %s", strerror(errno));
        if (!is_readable(after, cap, err))
            return false;
        if (out->len > cap) /* errno is 0 */
            return err_set(err, ERR_MESSAGE, "it is too large (the limit is %zu bytes)", cap);
        if ((off_t)out->len == after->st_size &&
            (is_settled(after) || (before && is_same_stat(before, after))))
            return true;
        if (round == ROUNDS - 1 && before)
            *after = *before; /* someone keeps writing: report the state before the first read */
        last = *after;
        before = &last;
    }
    return true; /* the parser notices torn content */
}

static enum file_result read_open(int fd, const struct stat *before, size_t cap, struct str *out,
                                  struct file_id *id, struct err *err)
{
    struct stat after = {0};
    bool ok = read_settled(fd, before, cap, out, &after, err);
    int problem = errno;

    if (ok)
        fill_file_id(&after, id);
    close(fd);
    errno = problem;
    return ok ? FILE_OK : FILE_FAILED;
}

enum file_result file_read(int dir, const char *name, size_t cap, struct str *out,
                           struct file_id *id, struct err *err)
{
    struct stat before;
    int fd = file_open_beneath(dir, name, O_RDONLY);

    if (fd < 0)
        return cannot_open(dir, name, err);
    bool known = fstat(fd, &before) == 0 ||
                 err_set(err, ERR_MESSAGE, "it cannot be looked at: %s", strerror(errno));
    if (!known || !is_readable(&before, cap, err)) {
        int problem = errno;
        close(fd); /* a FIFO or a device must not be read from at all */
        errno = problem;
        return FILE_FAILED;
    }
    return read_open(fd, &before, cap, out, id, err);
}

enum file_result file_read_listed(int dir, const char *name, size_t cap, struct str *out,
                                  struct file_id *id, struct err *err)
{
    int fd = file_open_beneath(dir, name, O_RDONLY);

    if (fd < 0)
        return cannot_open(dir, name, err);
    return read_open(fd, NULL, cap, out, id, err);
}

enum file_result file_stat(int dir, const char *name, struct file_id *id, struct err *err)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        fill_file_id(&st, id);
        return FILE_OK;
    }
    if (errno == ENOENT)
        return FILE_GONE;
    err_set(err, ERR_MESSAGE, "it cannot be looked at: %s", strerror(errno));
    return FILE_FAILED;
}

bool file_stat_open(int fd, struct file_id *id, struct err *err)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return err_set(err, ERR_MESSAGE, "it cannot be looked at: %s", strerror(errno));
    fill_file_id(&st, id);
    return true;
}

int64_t file_pause_us(size_t n)
{
    static const int pauses_ms[] = {20, 50, 100, 200};
    enum { LAST = sizeof pauses_ms / sizeof *pauses_ms - 1 };

    return pauses_ms[n < LAST ? n : LAST] * INT64_C(1000);
}

bool file_is_settled(int64_t mtime_us)
{
    static const int64_t settled_us = 2000000;
    int64_t age_us = time_now() - mtime_us;

    return age_us > settled_us || age_us < -settled_us;
}

size_t file_read_at(int fd, void *out, size_t len, int64_t from)
{
    char *to = out;
    size_t got = 0;

    errno = 0;
    while (got < len) {
        ssize_t part = pread(fd, to + got, len - got, (off_t)from + (off_t)got);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0) {
            errno = part ? errno : 0;
            break;
        }
        got += (size_t)part;
    }
    return got;
}

/* Removing what was read, moving, creating. */

/* Renames to NAME.RANDOM.EXTENSION, which readers of the directory still find. */
static bool keep_beside(struct staged_file *taken, const char *name)
{
    const char *dot = strrchr(name, '.');
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    const char *salt = strrchr(taken->temp, '.') - 8; /* in .NAME.PID.RANDOM.tmp */
    char kept[300];

    snprintf(kept, sizeof kept, "%.*s.%.8s%s", stem, name, salt, dot ? dot : "");
    bool ok = renameat2(taken->dir, taken->temp, taken->dir, kept, RENAME_NOREPLACE) == 0;
    errno = ok ? 0 : EEXIST;
    return ok;
}

/* Restores the name of a file that was renamed away but cannot be removed. */
static enum file_result give_back(const struct staged_file *taken, const char *name,
                                  struct err *err)
{
    const char *why = strerror(errno);

    if (renameat2(taken->dir, taken->temp, taken->dir, name, RENAME_NOREPLACE) == 0)
        err_set(err, ERR_MESSAGE, "it cannot be removed: %s", why);
    else
        err_set(err, ERR_MESSAGE, "it cannot be removed, and is %s now: %s", taken->temp, why);
    return FILE_FAILED;
}

/* Renames the file to a private name first, so that it can be checked without a race and restored
 * if it is not the file that was read. */
static enum file_result remove_read(int dir, const char *name, const struct file_id *read,
                                    bool precious, struct err *err)
{
    struct staged_file taken = {.dir = dir, .slot = -1};
    struct file_id now;
    enum file_result result = file_stat(dir, name, &now, err);

    if (result == FILE_OK && !file_is_same(&now, read))
        result = FILE_CHANGED;
    if (result != FILE_OK)
        return result;
    file_private_name(taken.temp, name);
    if (renameat(dir, name, dir, taken.temp) < 0) {
        if (errno == ENOENT)
            return FILE_GONE;
        err_set(err, ERR_MESSAGE, "it cannot be removed: %s", strerror(errno));
        return FILE_FAILED;
    }
    result = file_stat(dir, taken.temp, &now, err);
    if (result == FILE_OK && file_is_same(&now, read))
        return unlinkat(dir, taken.temp, 0) == 0 ? FILE_OK : give_back(&taken, name, err);
    if (renameat2(dir, taken.temp, dir, name, RENAME_NOREPLACE) == 0)
        return result == FILE_FAILED ? FILE_FAILED : FILE_CHANGED;
    if (errno == EEXIST && precious && keep_beside(&taken, name))
        return FILE_CHANGED;
    if (errno == EEXIST && !precious) { /* rewritten since: this one is out of date */
        file_discard(&taken);
        return FILE_CHANGED;
    }
    err_set(err, ERR_MESSAGE, "a change by someone else is kept in %s: %s", taken.temp,
            strerror(errno));
    return FILE_FAILED;
}

enum file_result file_remove(int dir, const char *name, const struct file_id *read, struct err *err)
{
    return remove_read(dir, name, read, false, err);
}

enum file_result file_remove_slot(int dir, const char *name, const struct file_id *read,
                                  struct err *err)
{
    return remove_read(dir, name, read, true, err);
}

/* Removes "." and what follows the last dot from the end of *name. */
static bool take_part(struct span *name, struct span *part)
{
    return span_split_last(*name, '.', name, part);
}

bool file_is_staged_name(struct span name, pid_t *pid, struct span *target)
{
    enum { SALT_MIN = 4, SALT_MAX = 32 }; /* ours has eight, but peers may use other lengths */
    struct span end, salt, number;
    long value = 0;

    if (!take_part(&name, &end) || !span_is(end, "tmp") || !take_part(&name, &salt) ||
        salt.len < SALT_MIN || salt.len > SALT_MAX || !take_part(&name, &number) ||
        number.len > 9 || name.len < 2 || name.at[0] != '.')
        return false;
    for (size_t i = 0; i < salt.len; i++)
        if (!isalnum((unsigned char)salt.at[i]))
            return false;
    for (size_t i = 0; i < number.len; i++) {
        if (number.at[i] < '0' || number.at[i] > '9')
            return false;
        value = value * 10 + (number.at[i] - '0');
    }
    *pid = (pid_t)value;
    *target = (struct span){name.at + 1, name.len - 1};
    return value > 0;
}

void file_sweep(int dir, const char *name, bool (*is_known)(struct span bytes, const void *context),
                const void *context)
{
    int fd = file_open_beneath(dir, ".", O_RDONLY | O_DIRECTORY);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    CLEANUP(str_free) struct str bytes = {0};
    struct dirent *entry;
    struct file_id id;
    struct span target;
    pid_t pid;

    if (!stream && fd >= 0)
        close(fd);
    while (stream && (entry = retry_readdir(stream)))
        if (file_is_staged_name(span_of(entry->d_name), &pid, &target) && span_is(target, name) &&
            process_has_ended(pid) &&
            file_read(dir, entry->d_name, FILE_SIZE_MAX, &bytes, &id, NULL) == FILE_OK &&
            is_known(str_span(&bytes), context))
            unlinkat(dir, entry->d_name, 0);
    if (stream)
        closedir(stream);
}

void file_numbered_name(struct str *out, const char *name, int number)
{
    const char *dot = strrchr(name, '.');
    size_t stem = dot ? (size_t)(dot - name) : strlen(name);

    str_add(out, name, stem);
    if (number > 1)
        str_addf(out, "-%d", number);
    str_puts(out, name + stem);
}

bool file_create(int dir, const char *name, struct span bytes, mode_t mode, struct err *err)
{
    struct staged_file staged;

    if (faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return true;
    if (!file_stage(&staged, dir, name, bytes, mode, err))
        return false;
    enum file_result result = file_publish_new(&staged, err);
    if (result == FILE_EXISTS)
        file_discard(&staged);
    return result == FILE_OK || result == FILE_EXISTS;
}

/* Reports whether both names refer to one file: the state that an interrupted move leaves. */
static bool is_half_moved(int from, const char *name, int to, const char *new_name)
{
    struct stat here, there;

    return fstatat(from, name, &here, AT_SYMLINK_NOFOLLOW) == 0 &&
           fstatat(to, new_name, &there, AT_SYMLINK_NOFOLLOW) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

enum file_result file_move(int from, const char *name, int to, const char *new_name,
                           struct err *err)
{
    if (renameat2(from, name, to, new_name, RENAME_NOREPLACE) == 0)
        return FILE_OK;
    if (errno == EINVAL ||
        errno == ENOSYS) { /* no RENAME_NOREPLACE here; a link does not replace either */
        if (linkat(from, name, to, new_name, 0) == 0 && unlinkat(from, name, 0) == 0)
            return FILE_OK;
    }
    if (errno == EEXIST) {
        if (!is_half_moved(from, name, to, new_name))
            return FILE_EXISTS;
        if (unlinkat(from, name, 0) == 0)
            return FILE_OK;
    }
    if (errno == ENOENT)
        return FILE_GONE;
    err_set(err, ERR_MESSAGE, "%s: it cannot be moved: %s", name, strerror(errno));
    return FILE_FAILED;
}

int retry_open(int dir, const char *path, int flags, mode_t mode)
{
    int fd;

    do
        fd = openat(dir, path, flags, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

DIR *retry_opendir(const char *path)
{
    DIR *dir;

    do
        dir = opendir(path);
    while (!dir && errno == EINTR);
    return dir;
}

struct dirent *retry_readdir(DIR *dir)
{
    struct dirent *entry;

    do {
        errno = 0;
        entry = readdir(dir);
    } while (!entry && errno == EINTR);
    return entry;
}

int retry_fsync(int fd)
{
    int done;

    do
        done = fsync(fd);
    while (done < 0 && errno == EINTR);
    return done;
}

int retry_close(int fd)
{
    return close(fd) < 0 && errno != EINTR ? -1 : 0;
}
