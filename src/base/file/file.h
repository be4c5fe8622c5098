/* Files: reading files that may be half written, and writing so that nothing acknowledged is lost.
 *
 * Every path is relative to a directory that the caller opened; no link is followed and no path
 * leads out of it. This is the only module that writes files in a mailbox. */
#ifndef BASE_FILE_FILE_H
#define BASE_FILE_FILE_H

#include "base/err.h"
#include "base/str.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { FILE_SIZE_MAX = 64 << 20, FILE_NAME_SIZE = 256 };

enum file_result {
    FILE_OK,
    FILE_GONE,    /* no such file */
    FILE_EXISTS,  /* the name is taken */
    FILE_CHANGED, /* no longer the file that was read */
    FILE_FAILED,  /* anything else; the error has the reason. After reading, errno is that of the
                   * failed call, or 0 if it is not a file that can be read */
};

/* Identifies the version of a file that was read. */
struct file_id {
    dev_t dev;
    ino_t ino;
    off_t size;
    int64_t mtime_ns, ctime_ns;
    mode_t mode;
    uid_t uid;
};

/* Opens a directory that the user named; links in this path are followed. The caller closes *fd. */
bool file_open_root(const char *path, int *fd, struct err *err);

/* Opens a path beneath the directory without following any link. Returns -1 with errno on failure.
 * Never blocks on a FIFO. Not for creating files. The caller closes the descriptor. */
int file_open_beneath(int dir, const char *path, int flags);

/* Replaces the content of `out` by the whole file. Reads again if the file changes during reading.
 * Only regular files up to `cap` bytes; anything else is FILE_FAILED with the reason. */
enum file_result file_read(int dir, const char *name, size_t cap, struct str *out,
                           struct file_id *id, struct err *err);
/* Like file_read(), for a name that the directory just listed as a regular file: saves one
 * fstat(). */
enum file_result file_read_listed(int dir, const char *name, size_t cap, struct str *out,
                                  struct file_id *id, struct err *err);

/* Reports whether a file is still the version that was read. Ignores ctime. */
bool file_is_same(const struct file_id *a, const struct file_id *b);
/* Retries for a file whose content makes no sense, which may be half written. file_pause_us()
 * returns how long to wait before the n-th retry, from 0 up; retry until file_is_settled(): its
 * mtime is more than two seconds ago, or as far in the future (then it is never waited for). A file
 * that nobody writes to is settled after FILE_PATIENCE_US. */
int64_t file_pause_us(size_t n);
bool file_is_settled(int64_t mtime_us);
#define FILE_PATIENCE_US INT64_C(2500000)

/* Identifies what the name refers to now, without opening it. */
enum file_result file_stat(int dir, const char *name, struct file_id *id, struct err *err);

/* Like file_stat(), for an open file. */
bool file_stat_open(int fd, struct file_id *id, struct err *err);

/* Creates the missing directories of a path beneath `dir` and syncs each into its parent. */
bool file_make_dirs(int dir, const char *path, mode_t mode, struct err *err);

/* New content, written and synced under a temporary name that no peer reads, not yet visible. Ends
 * with one of the publish calls or file_discard(). */
struct staged_file {
    int dir; /* borrowed */
    char name[FILE_NAME_SIZE], temp[FILE_NAME_SIZE];
    dev_t dev;
    ino_t ino;
    int slot; /* in the table of signal_cleanup.h; -1: none */
};

bool file_stage(struct staged_file *staged, int dir, const char *name, struct span bytes,
                mode_t mode, struct err *err);
/* Like file_stage(), but does not sync: call file_sync() once the file has its name. */
bool file_stage_quickly(struct staged_file *staged, int dir, const char *name, struct span bytes,
                        mode_t mode, struct err *err);

/* Keeps other swarmutt processes from replacing and removing files in the directory until `dir` is
 * closed: undoing an exchange of names is only safe for one process at a time. Peers do not take
 * part; their changes are detected as FILE_CHANGED. Waits at least ten seconds before it fails.
 * Succeeds without a lock if the file system has none. */
bool file_lock_names(int dir, struct err *err);

/* Gives the staged file its name if that is free; otherwise returns FILE_EXISTS and it stays
 * staged. */
enum file_result file_publish_new(struct staged_file *staged, struct err *err);
/* Replaces the file that was read by the staged one (lock the names first). Returns FILE_CHANGED or
 * FILE_GONE, with nothing replaced, if the file is no longer the one that was read. */
enum file_result file_publish_over(struct staged_file *staged, const struct file_id *read,
                                   struct err *err);
/* Like file_publish_over(), but with a plain rename, for directories where the caller holds a lock
 * that keeps everybody else out. */
enum file_result file_publish_locked(struct staged_file *staged, const struct file_id *read,
                                     struct err *err);
void file_discard(struct staged_file *staged);

/* Writes a unique temporary name, derived from `name`, that no peer reads. */
void file_private_name(char temp[FILE_NAME_SIZE], const char *name);

/* Reports whether `name` is one under which new content is staged; if so, sets the process that
 * staged it and the name it is for. */
bool file_is_staged_name(struct span name, pid_t *pid, struct span *target);

/* Removes what processes that were killed have staged for that name, if `is_known` accepts the
 * bytes: anything else may be the only copy of something. */
void file_sweep(int dir, const char *name, bool (*is_known)(struct span bytes, const void *context),
                const void *context);

/* Appends NAME, or if the number is 2 or more NAME-2, with the number before the extension. */
void file_numbered_name(struct str *out, const char *name, int number);

/* Creates the file with this content. Succeeds without a change if the name is taken. */
bool file_create(int dir, const char *name, struct span bytes, mode_t mode, struct err *err);

/* Moves a file to another directory without rewriting it. Returns FILE_EXISTS if the new name is
 * taken by another file. Completes a move that was interrupted and left both names. */
enum file_result file_move(int from, const char *name, int to, const char *new_name,
                           struct err *err);

/* Removes the name if it still refers to the file that was read (lock the names first). */
enum file_result file_remove(int dir, const char *name, const struct file_id *read,
                             struct err *err);

/* Like file_remove(), for a name that any file may take (a slot): if another file took the name
 * during the removal and yet another one replaced that, the former is kept beside it under another
 * name. */
enum file_result file_remove_slot(int dir, const char *name, const struct file_id *read,
                                  struct err *err);

/* Reads up to `len` bytes of an open file from an offset and returns how many. Fewer if the file
 * ends before that, with errno 0, or if reading fails, with errno. */
size_t file_read_at(int fd, void *out, size_t len, int64_t from);

/* Writes all bytes to an open file, with as few calls as possible. Returns false with errno on
 * failure. */
bool file_write_all(int fd, struct span bytes);

/* Syncs a file that another process wrote. */
bool file_sync(int dir, const char *name, struct err *err);

/* Syncs the directory: only then are changes of names on disk. */
bool file_sync_dir(int dir, struct err *err);

/* System calls that are repeated if a signal interrupts them (EINTR). */

/* Calls openat(); the mode is for O_CREAT. */
int retry_open(int dir, const char *path, int flags, mode_t mode);
/* Calls opendir(). */
DIR *retry_opendir(const char *path);
/* Calls readdir(). NULL with errno 0 is the end; NULL with another errno is an error. */
struct dirent *retry_readdir(DIR *dir);
int retry_fsync(int fd);
/* Calls close() once. An interrupted close() has closed the descriptor: it is not repeated and not
 * an error. */
int retry_close(int fd);

#endif
