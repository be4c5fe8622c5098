/* Files, written the way agents write them. */
#include "demo/files.h"

#include "demo/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool files_make_dir(const char *path, mode_t mode)
{
    CLEANUP(demo_free) char *copy = demo_copy(path);

    for (char *slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(copy, mode); /* errors show at the last directory */
        *slash = '/';
    }
    return mkdir(copy, mode) == 0 || errno == EEXIST;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t count = write(fd, bytes, len);
        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0) {
            bytes += count;
            len -= (size_t)count;
        }
    }
    return true;
}

static bool write_with(const char *path, int flags, const char *bytes, size_t len, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode);

    if (fd < 0)
        return false;
    bool ok = write_all(fd, bytes, len);
    return close(fd) == 0 && ok;
}

bool files_write(const char *path, const char *bytes, size_t len, mode_t mode)
{
    return write_with(path, O_TRUNC, bytes, len, mode);
}

bool files_create(const char *path, const char *bytes, size_t len, mode_t mode)
{
    return write_with(path, O_EXCL, bytes, len, mode);
}

bool files_replace(const char *path, const char *bytes, size_t len)
{
    CLEANUP(demo_free) char *staged = text_format("%s.tmp", path);

    return files_write(staged, bytes, len, 0666) && rename(staged, path) == 0;
}

bool files_read(const char *path, struct text *out)
{
    char piece[16384];
    ssize_t count = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    text_clear(out);
    while (fd >= 0 && (count = read(fd, piece, sizeof piece)) > 0)
        text_add(out, piece, (size_t)count);
    if (fd >= 0)
        close(fd);
    return count == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **files_names(const char *dir, const char *end, size_t *count)
{
    DIR *open_dir = opendir(dir);
    char **names = NULL;
    struct dirent *entry;

    *count = 0;
    while (open_dir && (entry = readdir(open_dir))) {
        size_t len = strlen(entry->d_name), tail = strlen(end);
        if (entry->d_name[0] == '.' || len < tail || strcmp(entry->d_name + len - tail, end) != 0)
            continue;
        names = demo_resize(names, (*count + 1) * sizeof *names);
        names[(*count)++] = demo_copy(entry->d_name);
    }
    if (open_dir)
        closedir(open_dir);
    if (*count)
        qsort(names, *count, sizeof *names, by_name);
    return names;
}

void files_free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

void files_age(const char *path, int64_t time_us)
{
    struct timespec then = {time_us / SECOND_US, time_us % SECOND_US * 1000};

    utimensat(AT_FDCWD, path, (struct timespec[]){then, then}, AT_SYMLINK_NOFOLLOW);
}

/* Takes ownership of the descriptor. */
static bool remove_inside(int fd)
{
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    bool ok = dir != NULL;

    if (!dir && fd >= 0)
        close(fd);
    while (dir && (entry = readdir(dir))) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(dirfd(dir), name, 0) == 0)
            continue;
        if (errno == EISDIR || errno == EPERM) {
            remove_inside(
                openat(dirfd(dir), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            ok = (unlinkat(dirfd(dir), name, AT_REMOVEDIR) == 0 || errno == ENOENT) && ok;
        } else if (errno != ENOENT) {
            ok = false;
        }
    }
    if (dir)
        closedir(dir);
    return ok;
}

bool files_remove_tree(const char *path)
{
    remove_inside(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return rmdir(path) == 0 || errno == ENOENT;
}
