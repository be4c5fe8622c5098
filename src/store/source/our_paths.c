/* Cache files: naming, reading and replacing them. */
#include "store/source/our_paths.h"

#include "base/file/file.h"
#include "base/map.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Our own directories, outside of all mailboxes. */

/* Creates all directories of the path. `variable` names the setting for another place. */
static bool make_path(struct str *path, const char *variable, struct err *err)
{
    int reason = 0; /* of the first failure: those of its subdirectories only follow from it */

    for (char *slash = path->at + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path->at, 0700) < 0 && errno != EEXIST && !reason)
            reason = errno; /* perhaps it exists nevertheless: the last mkdir shows that */
        *slash = '/';
    }
    if (mkdir(path->at, 0700) == 0 || errno == EEXIST)
        return true;
    reason = errno == ENOENT && reason ? reason : errno;
    return err_set(err, ERR_SOURCE,
                   "%s: this directory cannot be made: %s; see what is in its way, or set %s",
                   path->at, strerror(reason), variable);
}

/* Replaces `path` with $VARIABLE/swarmutt, or with swarmutt in the default place below home. */
static bool find_place(struct str *path, const char *variable, const char *usual)
{
    const char *given = getenv(variable), *home = getenv("HOME");

    str_clear(path);
    if (given && given[0] == '/') /* the standard says to ignore relative ones */
        str_addf(path, "%s/swarmutt", given);
    else if (home && home[0] == '/')
        str_addf(path, "%s/%s/swarmutt", home, usual);
    return path->len > 0;
}

bool home_state(struct str *path, bool make, struct err *err)
{
    if (!find_place(path, "XDG_STATE_HOME", ".local/state"))
        return err_set(err, ERR_SOURCE,
                       "there is no place for local state: set HOME or XDG_STATE_HOME");
    return !make || make_path(path, "XDG_STATE_HOME", err);
}

bool home_cache(struct str *path, const char *name, bool make, struct err *err)
{
    if (!find_place(path, "XDG_CACHE_HOME", ".cache"))
        return err_set(err, ERR_SOURCE,
                       "there is no place for a cache: set HOME or XDG_CACHE_HOME");
    str_addf(path, "/%s", name);
    return !make || make_path(path, "XDG_CACHE_HOME", err);
}

bool home_config(struct str *path)
{
    return find_place(path, "XDG_CONFIG_HOME", ".config");
}

#define NAME_SEED UINT64_C(0x2545f4914f6cdd1d)

bool cache_file_path(struct str *path, const char *kind, const struct source *source, bool make)
{
    CLEANUP(str_free) struct str key = {0};
    bool ok = home_cache(path, kind, make, NULL);

    str_addf(&key, "%s:%s", source->format->name, source->path);
    str_addf(path, "/%08x%08x", map_hash(str_span(&key), NAME_SEED),
             map_hash(str_span(&key), ~NAME_SEED));
    return ok;
}

char *cache_file_read(const char *path, size_t *size)
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

bool cache_file_write(const char *path, struct span bytes)
{
    struct str temporary = {0};

    str_addf(&temporary, "%s.%ld.tmp", path, (long)getpid());
    unlink(str_c(&temporary)); /* left by a process that had the same id */
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
