/* Files, writing: stage, publish, sync. */
#include "base/file/file.h"

#include "base/file/signal_cleanup.h"
#include "base/time.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool file_sync_dir(int dir, struct err *err)
{
    if (retry_fsync(dir) == 0 || errno == EINVAL ||
        errno == EROFS) /* some file systems cannot and need not sync directories */
        return true;
    return err_set(err, ERR_BOX, "the directory cannot be synced to disk: %s", strerror(errno));
}

bool file_sync(int dir, const char *name, struct err *err)
{
    int fd = file_open_beneath(dir, name, O_RDONLY);
    bool ok = fd >= 0 && retry_fsync(fd) == 0;

    if (!ok)
        err_set(err, ERR_MESSAGE, "%s: it cannot be synced to disk: %s", name, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool make_one_dir(int dir, const char *path, mode_t mode, struct err *err)
{
    char parent[4096];

    if (mkdirat(dir, path, mode) < 0) {
        if (errno == EEXIST)
            return true;
        return err_set(err, ERR_BOX, "%s: this directory cannot be made: %s", path,
                       strerror(errno));
    }
    const char *slash = strrchr(path, '/');
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    int fd = file_open_beneath(dir, parent, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return err_set(err, ERR_BOX, "%s: %s", parent, strerror(errno));
    bool ok = file_sync_dir(fd, err) || err_at(err, parent);
    close(fd);
    return ok;
}

bool file_make_dirs(int dir, const char *path, mode_t mode, struct err *err)
{
    char part[4096];

    if (strlen(path) >= sizeof part)
        return err_set(err, ERR_BOX, "%s: the path is too long", path);
    for (const char *slash = strchr(path, '/');; slash = strchr(slash + 1, '/')) {
        size_t len = slash ? (size_t)(slash - path) : strlen(path);
        memcpy(part, path, len);
        part[len] = '\0';
        if (!make_one_dir(dir, part, mode, err))
            return false;
        /* Check before creating anything beneath it: refuse a link or a file at this name. */
        int fd = file_open_beneath(dir, part, O_PATH | O_DIRECTORY);
        if (fd < 0)
            return err_set(err, ERR_BOX, "%s: it is in the way and no directory: %s", part,
                           strerror(errno));
        close(fd);
        if (!slash)
            return true;
    }
}

bool file_write_all(int fd, struct span bytes)
{
    while (bytes.len) {
        ssize_t put = write(fd, bytes.at, bytes.len);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes.at += put;
        bytes.len -= (size_t)put;
    }
    return true;
}

void file_private_name(char temp[FILE_NAME_SIZE], const char *name)
{
    uint32_t salt;

    if (getrandom(&salt, sizeof salt, GRND_NONBLOCK) < 0)
        salt = (uint32_t)clock();
    snprintf(temp, FILE_NAME_SIZE, ".%.200s.%ld.%08x.tmp", name, (long)getpid(), salt);
}

/* Creates the temporary file and registers it for removal if a signal ends the process. */
static int create_temp(struct staged_file *staged, mode_t mode)
{
    struct signal_cleanup_undo undo = {.dir = staged->dir, .inner_dir = -1};
    sigset_t before;

    memcpy(undo.name, staged->temp, sizeof undo.name);
    signal_cleanup_enter(&before);
    int fd = retry_open(staged->dir, staged->temp,
                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    int problem = errno;
    if (fd >= 0)
        staged->slot = signal_cleanup_add(&undo);
    signal_cleanup_leave(&before);
    errno = problem;
    return fd;
}

/* Unregisters the temporary file once its name may refer to a file of others: it must not be
 * removed then. */
static void let_stay(struct staged_file *staged)
{
    signal_cleanup_forget(staged->slot);
    staged->slot = -1;
}

static bool stage_file(struct staged_file *staged, int dir, const char *name, struct span bytes,
                       mode_t mode, bool sync, struct err *err)
{
    int fd;

    staged->dir = dir;
    staged->slot = -1;
    staged->temp[0] = '\0';
    if (!name[0] || name[0] == '.' || strchr(name, '/'))
        return err_set(err, ERR_REFUSED, "\"%s\" cannot be the name of a file", name);
    if (strlen(name) >= sizeof staged->name)
        return err_set(err, ERR_MESSAGE, "%s: the file name is too long", name);
    memcpy(staged->name, name, strlen(name) + 1);
    do {
        file_private_name(staged->temp, name);
        fd = create_temp(staged, mode);
    } while (fd < 0 && errno == EEXIST);
    if (fd < 0) {
        staged->temp[0] = '\0';
        return err_set(err, ERR_MESSAGE, "%s: it cannot be written here: %s", name,
                       strerror(errno));
    }
    struct stat st;
    if (!file_write_all(fd, bytes) || (sync && retry_fsync(fd) < 0) || fstat(fd, &st) < 0) {
        err_set(err, ERR_MESSAGE, "%s: it cannot be written: %s", name, strerror(errno));
        close(fd);
        file_discard(staged);
        return false;
    }
    staged->dev = st.st_dev;
    staged->ino = st.st_ino;
    if (retry_close(fd) < 0) {
        err_set(err, ERR_MESSAGE, "%s: it cannot be written: %s", name, strerror(errno));
        file_discard(staged);
        return false;
    }
    return true;
}

bool file_stage(struct staged_file *staged, int dir, const char *name, struct span bytes,
                mode_t mode, struct err *err)
{
    return stage_file(staged, dir, name, bytes, mode, true, err);
}

bool file_stage_quickly(struct staged_file *staged, int dir, const char *name, struct span bytes,
                        mode_t mode, struct err *err)
{
    return stage_file(staged, dir, name, bytes, mode, false, err);
}

void file_discard(struct staged_file *staged)
{
    if (staged->temp[0])
        unlinkat(staged->dir, staged->temp, 0);
    let_stay(staged);
    staged->temp[0] = '\0';
}

static enum file_result fail_staging(struct staged_file *staged, const char *what, struct err *err)
{
    err_set(err, ERR_MESSAGE, "%s: %s: %s", staged->name, what, strerror(errno));
    file_discard(staged);
    return FILE_FAILED;
}

enum file_result file_publish_new(struct staged_file *staged, struct err *err)
{
    if (linkat(staged->dir, staged->temp, staged->dir, staged->name, 0) == 0) {
        file_discard(staged);
        return FILE_OK;
    }
    if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) { /* no hard links here */
        if (renameat2(staged->dir, staged->temp, staged->dir, staged->name, RENAME_NOREPLACE) ==
            0) {
            let_stay(staged);
            staged->temp[0] = '\0';
            return FILE_OK;
        }
    }
    if (errno == EEXIST)
        return FILE_EXISTS;
    return fail_staging(staged, "it cannot be given its name", err);
}

bool file_lock_names(int dir, struct err *err)
{
    enum { TRIES = 10000 };

    for (int i = 0; i < TRIES; i++) {
        if (flock(dir, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true; /* without locks, the checks before and after the exchange must do */
        time_sleep(1000);
    }
    return err_set(err, ERR_BOX, "another swarmutt is at work in this mailbox; try again");
}

bool file_is_same(const struct file_id *a, const struct file_id *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->mtime_ns == b->mtime_ns;
}

/* Checks, then renames. Also used where the file system cannot exchange two names. */
enum file_result file_publish_locked(struct staged_file *staged, const struct file_id *read,
                                     struct err *err)
{
    struct file_id now;
    enum file_result result = file_stat(staged->dir, staged->name, &now, err);

    if (result == FILE_OK && (!file_is_same(&now, read) || now.ctime_ns != read->ctime_ns))
        result = FILE_CHANGED;
    if (result != FILE_OK) {
        file_discard(staged);
        return result;
    }
    if (fchmodat(staged->dir, staged->temp, read->mode & 07777, 0) < 0)
        return fail_staging(staged, "its mode cannot be kept", err);
    if (renameat(staged->dir, staged->temp, staged->dir, staged->name) < 0)
        return fail_staging(staged, "it cannot be replaced", err);
    let_stay(staged);
    staged->temp[0] = '\0';
    return FILE_OK;
}

/* Leaves a file of others under the temporary name, because its own name cannot be restored. */
static enum file_result keep_displaced(struct staged_file *staged, struct err *err)
{
    err_set(err, ERR_MESSAGE, "%s: a change by someone else is kept in %s: %s", staged->name,
            staged->temp, strerror(errno));
    staged->temp[0] = '\0';
    return FILE_FAILED;
}

static enum file_result put_back_newest(struct staged_file *staged, struct err *err)
{
    if (renameat2(staged->dir, staged->temp, staged->dir, staged->name, RENAME_EXCHANGE) < 0)
        return keep_displaced(staged, err);
    file_discard(staged);
    return FILE_CHANGED;
}

/* Exchanges the names again: our file has the name and theirs the temporary one. Never removes a
 * file of others, whatever happens. */
static enum file_result put_back(struct staged_file *staged, struct err *err)
{
    struct file_id now;

    if (renameat2(staged->dir, staged->temp, staged->dir, staged->name, RENAME_EXCHANGE) == 0) {
        /* If they wrote again, the temporary name now refers to that newer file: restore it,
         * too. */
        if (file_stat(staged->dir, staged->temp, &now, err) == FILE_OK &&
            (now.ino != staged->ino || now.dev != staged->dev))
            return put_back_newest(staged, err);
        file_discard(staged);
        return FILE_CHANGED;
    }
    if (errno == ENOENT &&
        renameat2(staged->dir, staged->temp, staged->dir, staged->name, RENAME_NOREPLACE) == 0) {
        staged->temp[0] = '\0';
        return FILE_CHANGED;
    }
    return keep_displaced(staged, err);
}

/* Exchanges the two names instead of renaming over the old file. That fails if the old file is gone
 * (a plain rename would restore an archived message) and keeps the old file under the temporary
 * name: if it is not the one that was read, the exchange displaced someone's change and is
 * undone. */
enum file_result file_publish_over(struct staged_file *staged, const struct file_id *read,
                                   struct err *err)
{
    struct file_id displaced;

    if (fchmodat(staged->dir, staged->temp, read->mode & 07777, 0) < 0)
        return fail_staging(staged, "its mode cannot be kept", err);
    let_stay(staged);
    if (renameat2(staged->dir, staged->temp, staged->dir, staged->name, RENAME_EXCHANGE) < 0) {
        if (errno == EINVAL || errno == ENOSYS)
            return file_publish_locked(staged, read, err);
        if (errno != ENOENT)
            return fail_staging(staged, "it cannot be replaced", err);
        file_discard(staged);
        return FILE_GONE;
    }
    if (file_stat(staged->dir, staged->temp, &displaced, err) != FILE_OK ||
        !file_is_same(&displaced, read))
        return put_back(staged, err);
    file_discard(staged);
    return FILE_OK;
}
