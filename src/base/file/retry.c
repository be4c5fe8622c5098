/* System calls that are made again when a signal interrupts them. */
#include "base/file/retry.h"

#include <errno.h>
#include <unistd.h>

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
