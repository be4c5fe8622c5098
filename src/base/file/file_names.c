/* Files, names: removing what was read, moving, creating. */
#include "base/file/file.h"
#include "base/file/retry.h"
#include "base/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* NAME.RANDOM.EXTENSION: where readers of the directory still find it. */
static bool keep_beside(struct staged_file *taken, const char *name)
{
    const char *dot = strrchr(name, '.');
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    const char *salt = strrchr(taken->temp, '.') - 8; /* of .NAME.PID.RANDOM.tmp */
    char kept[300];

    snprintf(kept, sizeof kept, "%.*s.%.8s%s", stem, name, salt, dot ? dot : "");
    bool ok = renameat2(taken->dir, taken->temp, taken->dir, kept, RENAME_NOREPLACE) == 0;
    errno = ok ? 0 : EEXIST;
    return ok;
}

/* What was taken away and cannot be removed gets its name back. */
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

/* Takes the file away under a private name first: what was taken can then be looked at in peace,
 * and put back when it is not what was read. */
static enum file_result remove_read(int dir, const char *name, const struct file_id *read,
                                    bool precious, struct err *err)
{
    struct staged_file taken = {.dir = dir, .slot = -1};
    struct file_id now;
    enum file_result result = file_look(dir, name, &now, err);

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
    result = file_look(dir, taken.temp, &now, err);
    if (result == FILE_OK && file_is_same(&now, read))
        return unlinkat(dir, taken.temp, 0) == 0 ? FILE_OK : give_back(&taken, name, err);
    if (renameat2(dir, taken.temp, dir, name, RENAME_NOREPLACE) == 0)
        return result == FILE_FAILED ? FILE_FAILED : FILE_CHANGED;
    if (errno == EEXIST && precious && keep_beside(&taken, name))
        return FILE_CHANGED;
    if (errno == EEXIST && !precious) { /* they wrote once more: what was taken is out of date */
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

/* Takes "." and what is behind the last dot off the end. */
static bool take_part(struct span *name, struct span *part)
{
    return span_split_last(*name, '.', name, part);
}

bool file_is_staged_name(struct span name, pid_t *pid, struct span *target)
{
    enum { SALT_MIN = 4, SALT_MAX = 32 }; /* ours are eight, but the custom says no number */
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
    struct str bytes = {0};
    struct dirent *entry;
    struct file_id id;
    struct span target;
    struct err ignored;
    pid_t pid;

    if (!stream && fd >= 0)
        close(fd);
    while (stream && (entry = retry_readdir(stream)))
        if (file_is_staged_name(span_of(entry->d_name), &pid, &target) && span_is(target, name) &&
            process_has_ended(pid) &&
            file_read(dir, entry->d_name, FILE_SIZE_MAX, &bytes, &id, &ignored) == FILE_OK &&
            is_known(str_span(&bytes), context))
            unlinkat(dir, entry->d_name, 0);
    if (stream)
        closedir(stream);
    str_free(&bytes);
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

/* Whether both names are of one file: a move that was cut short has left it both. */
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
        errno == ENOSYS) { /* no such rename here: a link cannot replace either */
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
