/* Shared by the tests of files: a directory, reading, and hooks into system calls. */
#include "file_support.h"
#include "tests/unit/store/send/sync_support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct tmp tmp;
struct str content;
struct file_id seen;
void (*at_fstat)(int call);
void (*at_exchange)(int call);
int exchange_errno;
void (*at_fsync)(int fd);
int fsync_errno;
static struct err err;

static void make(void)
{
    tmp_make(&tmp);
}

static void clear(void)
{
    str_free(&content);
    tmp_remove(&tmp);
}

TestSuite(file, .init = make, .fini = clear);

int fstat(int fd, struct stat *st)
{
    static int calls;

    if (at_fstat)
        at_fstat(++calls);
    return fstatat(fd, "", st, AT_EMPTY_PATH);
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    static int calls;

    if (at_exchange)
        at_exchange(++calls);
    if (!exchange_errno)
        return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
    errno = exchange_errno;
    return -1;
}

int fsync(int fd)
{
    if (at_fsync)
        at_fsync(fd);
    if (!fsync_errno)
        return (int)syscall(SYS_fsync, fd);
    errno = fsync_errno;
    return -1;
}

void write_text(const char *name, const char *text)
{
    tmp_write(&tmp, name, span_of(text));
}

void make_link(const char *target, const char *name)
{
    cr_assert_eq(symlinkat(target, tmp.fd, name), 0);
}

enum file_result read_in(int dir, const char *name, size_t cap)
{
    err = (struct err){0};
    return file_read(dir, name, cap, &content, &seen, &err);
}

void expect_unreadable(int dir, const char *name, size_t cap, const char *reason)
{
    cr_assert_eq(read_in(dir, name, cap), FILE_FAILED, "%s", name);
    cr_assert(err.scope == ERR_MESSAGE && strstr(err.text, reason), "%s: %s", name, err.text);
}
