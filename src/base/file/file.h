/* Files: reading what may be half written, and writing so that nothing acknowledged is lost.
 *
 * Every path is relative to a directory the caller opened; no link is followed and no path leads
 * out. This is the only module that writes files in a mailbox. */
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
    FILE_FAILED, /* anything else; the error says what. After reading errno is that of the call that
                    failed, 0 when it is no file to be read */
};

/* Tells whether a file is still the one that was read. */
struct file_id {
    dev_t dev;
    ino_t ino;
    off_t size;
    int64_t mtime_ns, ctime_ns;
    mode_t mode;
    uid_t uid;
};

/* Opens a directory that the user named; links on the way to it are the user's own business. */
bool file_open_root(const char *path, int *fd, struct err *err);

/* Opens a path beneath the directory without following any link: -1 and errno on failure. Never
 * blocks on a FIFO. Not for creating. */
int file_open_beneath(int dir, const char *path, int flags);

/* Replaces the content of `out` by the whole file. A file that changes while it is read is read
 * again. Only regular files up to `cap` bytes; everything else is FILE_FAILED with the reason. */
enum file_result file_read(int dir, const char *name, size_t cap, struct str *out,
                           struct file_id *id, struct err *err);
/* The same for a name that the directory just listed as a regular file: saves a look at it. */
enum file_result file_read_listed(int dir, const char *name, size_t cap, struct str *out,
                                  struct file_id *id, struct err *err);

/* Whether a file is still the one that was read, by all but the time of its last change of any
 * kind. */
bool file_is_same(const struct file_id *a, const struct file_id *b);
/* A file that makes no sense may be half written. It is looked at again after these pauses, the
 * n-th from 0 up, until nobody has touched it for two seconds; one whose time stamp lies in the
 * future is taken as it is. Who looks no longer than the patience has seen that. */
int64_t file_pause_us(size_t n);
bool file_is_settled(int64_t mtime_us);
#define FILE_PATIENCE_US INT64_C(2500000)

/* What a name in the directory stands for now, without opening it. */
enum file_result file_stat(int dir, const char *name, struct file_id *id, struct err *err);

/* The same for what is open. */
bool file_stat_open(int fd, struct file_id *id, struct err *err);

/* Makes the directories of a path beneath `dir`, each synced into its parent. */
bool file_make_dirs(int dir, const char *path, mode_t mode, struct err *err);

/* New content, written and synced under a temporary name that no peer looks at, not yet visible.
 * Ends with one of the publish calls, or file_discard(). */
struct staged_file {
    int dir; /* borrowed */
    char name[FILE_NAME_SIZE], temp[FILE_NAME_SIZE];
    dev_t dev;
    ino_t ino;
    int slot; /* in the table of what a signal takes back; -1: none */
};

bool file_stage(struct staged_file *staged, int dir, const char *name, struct span bytes,
                mode_t mode, struct err *err);
/* The same without syncing it: file_sync() must follow once it has its name. */
bool file_stage_quickly(struct staged_file *staged, int dir, const char *name, struct span bytes,
                        mode_t mode, struct err *err);

/* Keeps other swarmutt processes from replacing and removing in the directory until it is closed:
 * taking back an exchange of names is only safe for one at a time. Peers do not take part; what
 * they do shows in FILE_CHANGED. Waits up to ten seconds and more. */
bool file_lock_names(int dir, struct err *err);

/* Gives it its name if that is free, else FILE_EXISTS and it stays staged. */
enum file_result file_publish_new(struct staged_file *staged, struct err *err);
/* Puts it in the place of the file that was read (lock the names first): FILE_CHANGED or FILE_GONE,
 * and nothing happened, when that file is no longer there as it was. */
enum file_result file_publish_over(struct staged_file *staged, const struct file_id *read,
                                   struct err *err);
/* The same by a plain rename, for directories where a lock keeps everybody else away. */
enum file_result file_publish_locked(struct staged_file *staged, const struct file_id *read,
                                     struct err *err);
void file_discard(struct staged_file *staged);

/* Fills in a temporary name beside `name` that no peer looks at and nobody else has. */
void file_private_name(char temp[FILE_NAME_SIZE], const char *name);

/* Whether that is a name under which new content is staged; then of which process, and for which
 * name. */
bool file_is_staged_name(struct span name, pid_t *pid, struct span *target);

/* Removes what processes that were killed have staged for that name, as far as it is known by its
 * bytes: anything else may be the only copy of something. */
void file_sweep(int dir, const char *name, bool (*is_known)(struct span bytes, const void *context),
                const void *context);

/* Appends NAME, or from 2 up NAME-2 with the number before its extension. */
void file_numbered_name(struct str *out, const char *name, int number);

/* Creates the file with that content unless the name is taken, which is fine too. */
bool file_create(int dir, const char *name, struct span bytes, mode_t mode, struct err *err);

/* Moves a file to another directory, as it is: FILE_EXISTS when the name is taken there by another
 * one. A move that was cut short, and left both names, is finished. */
enum file_result file_move(int from, const char *name, int to, const char *new_name,
                           struct err *err);

/* Removes the name if it still stands for the file that was read (lock the names first). */
enum file_result file_remove(int dir, const char *name, const struct file_id *read,
                             struct err *err);

/* The same for a name that means whatever lies there: a file that took its place meanwhile, and had
 * its place taken in turn, is kept under another name beside it. */
enum file_result file_remove_slot(int dir, const char *name, const struct file_id *read,
                                  struct err *err);

/* Reads that much of an open file from there on. Less came when it ends before that, with errno 0,
 * or when it fails. */
size_t file_read_at(int fd, void *out, size_t len, int64_t from);

/* Writes all of it to an open file, with as few calls as it takes; false and errno on failure. */
bool file_write_all(int fd, struct span bytes);

/* Brings what someone else wrote to disk. */
bool file_sync(int dir, const char *name, struct err *err);

/* A change of names is on disk only after this. */
bool file_sync_dir(int dir, struct err *err);

/* System calls that a signal may interrupt (EINTR), made again until they are done. */

/* openat(); the mode is for O_CREAT. */
int retry_open(int dir, const char *path, int flags, mode_t mode);
/* opendir(). */
DIR *retry_opendir(const char *path);
/* readdir() that separates an error from the end: NULL with errno, which is 0 at the end. */
struct dirent *retry_readdir(DIR *dir);
int retry_fsync(int fd);
/* An interrupted close() has closed the descriptor: it is never made again, and is no error. */
int retry_close(int fd);

#endif
