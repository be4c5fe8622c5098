/* Disposable files: naming, reading and replacing them. */
#include "store/source/disposable.h"

#include "base/file/file.h"
#include "base/file/retry.h"
#include "base/map.h"
#include "base/mem.h"
#include "store/source/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_SEED UINT64_C(0x2545f4914f6cdd1d)

bool disposable_path(struct str *path, const char *kind, const struct source *source, bool make)
{
    struct str key = {0};
    struct err ignored;
    bool ok = home_cache(path, kind, make, &ignored);

    str_addf(&key, "%s:%s", source->format->name, source->path);
    str_addf(path, "/%08x%08x", map_hash(str_span(&key), NAME_SEED),
             map_hash(str_span(&key), ~NAME_SEED));
    str_free(&key);
    return ok;
}

char *disposable_read(const char *path, size_t *size)
{
    int fd = retry_open(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
    struct stat st;
    char *bytes = NULL;

    *size = 0;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid()) {
        bytes = mem_alloc((size_t)st.st_size);
        *size = file_read_at(fd, bytes, (size_t)st.st_size, 0);
    }
    if (fd >= 0)
        close(fd);
    return bytes;
}

bool disposable_write(const char *path, struct span bytes)
{
    struct str temporary = {0};

    str_addf(&temporary, "%s.%ld.tmp", path, (long)getpid());
    unlink(str_c(&temporary)); /* of a process that had the same number */
    int fd = retry_open(AT_FDCWD, str_c(&temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && file_write_all(fd, bytes);
    int failed = errno;
    if (fd >= 0)
        close(fd);
    if (ok && rename(str_c(&temporary), path) != 0) {
        ok = false;
        failed = errno;
    }
    if (!ok && fd >= 0)
        unlink(str_c(&temporary));
    str_free(&temporary);
    errno = failed;
    return ok;
}
