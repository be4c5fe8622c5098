/* The journal: one line per call, its fields separated by tabs: a word, the size of standard output
 * at that time if it is a file, then inode numbers, and names or bytes in hex digits. A name is
 * that of a directory entry and follows the inode of its directory. */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINE = 2 * PATH_MAX };

static int journal = -1;

void journal_start(void)
{
    const char *path = getenv("FAULT_JOURNAL");

    if (path)
        journal = (int)syscall(SYS_openat, AT_FDCWD, path,
                               O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

/* Writes a line with one write, so that lines of several threads do not mix. */
static void put(const char *line, size_t length)
{
    if (syscall(SYS_write, journal, line, length) != (long)length)
        abort(); /* a missing line would look like a broken promise */
}

static long long said(void)
{
    struct stat out;

    return fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode) ? (long long)out.st_size : 0;
}

__attribute__((format(printf, 2, 3))) static void note(const char *word, const char *format, ...)
{
    char line[LINE];
    va_list more;

    int length = snprintf(line, sizeof line, "%s\t%lld\t", word, said());
    va_start(more, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length, format, more);
    va_end(more);
    line[length++] = '\n';
    put(line, (size_t)length);
}

static unsigned long long inode(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 ? st.st_ino : 0;
}

/* A directory entry: the inode of its directory, and its name. */
struct entry {
    unsigned long long dir, node;
    const char *name;
};

static struct entry entry(int dir, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct entry found = {.name = slash ? slash + 1 : path};
    char above[PATH_MAX];
    struct stat st;

    snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (fstatat(dir, above[0] ? above : "/", &st, 0) == 0)
        found.dir = st.st_ino;
    if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0)
        found.node = st.st_ino;
    return found;
}

bool journal_finds(int dir, const char *path)
{
    int before = errno;
    bool found = journal < 0 || faccessat(dir, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;

    errno = before;
    return found;
}

void journal_open(int fd, int dir, const char *path, int flags, bool found)
{
    int before = errno;

    if (journal >= 0 && fd >= 0 && !found) {
        struct entry made = entry(dir, path);
        note("create", "%llu\t%s\t%llu", made.dir, made.name, inode(fd));
    } else if (journal >= 0 && fd >= 0 && flags & O_TRUNC) {
        journal_size(fd, 0);
    }
    errno = before;
}

void journal_write(int fd, const void *bytes, ssize_t count, off_t offset)
{
    static const char digits[] = "0123456789abcdef";
    int before = errno;

    if (journal < 0 || count <= 0)
        return;
    if (offset < 0)
        offset = lseek(fd, 0, SEEK_CUR) - count;
    size_t room = LINE + 2 * (size_t)count, length;
    char *line = malloc(room);
    if (!line)
        abort();
    length = (size_t)snprintf(line, room, "write\t%lld\t%llu\t%lld\t", said(), inode(fd),
                              (long long)offset);
    for (ssize_t i = 0; i < count; i++) {
        unsigned char byte = ((const unsigned char *)bytes)[i];
        line[length++] = digits[byte >> 4];
        line[length++] = digits[byte & 15];
    }
    line[length++] = '\n';
    put(line, length);
    free(line);
    errno = before;
}

void journal_size(int fd, off_t size)
{
    if (journal >= 0)
        note("size", "%llu\t%lld", inode(fd), (long long)size);
}

void journal_sync(int fd)
{
    if (journal >= 0)
        note("sync", "%llu", inode(fd));
}

void journal_mkdir(int dir, const char *path)
{
    if (journal < 0)
        return;
    struct entry made = entry(dir, path);
    note("mkdir", "%llu\t%s\t%llu", made.dir, made.name, made.node);
}

void journal_unlink(int dir, const char *path)
{
    if (journal < 0)
        return;
    struct entry gone = entry(dir, path);
    note("unlink", "%llu\t%s", gone.dir, gone.name);
}

void journal_link(int dir, const char *path, int to, const char *path_to)
{
    if (journal < 0)
        return;
    struct entry from = entry(dir, path), made = entry(to, path_to);
    note("link", "%llu\t%s\t%llu\t%s", from.dir, from.name, made.dir, made.name);
}

void journal_rename(int dir, const char *path, int to, const char *path_to, unsigned flags)
{
    if (journal < 0)
        return;
    struct entry from = entry(dir, path), made = entry(to, path_to);
    note("rename", "%llu\t%s\t%llu\t%s\t%u", from.dir, from.name, made.dir, made.name, flags);
}
