/* System calls that a signal may interrupt (EINTR), made again until they are done. */
#ifndef BASE_FILE_RETRY_H
#define BASE_FILE_RETRY_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>

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
