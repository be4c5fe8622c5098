/* The ledger's files: where they are, the lock, and the head. */
#include "base/file/file.h"
#include "base/file/retry.h"
#include "base/when.h"
#include "store/decide/ledger_private.h"
#include "store/source/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_DIGITS = 16, HEAD_SIZE = HEAD_DIGITS + 1 + LEDGER_SUM + 1 };

bool ledger_path(struct str *path, bool make, struct err *err)
{
    if (!home_state(path, make, err))
        return false;
    str_puts(path, "/ledger");
    return true;
}

/* Whoever holds it does so for a few system calls. One that was stopped just then must not hold up
 * everybody for ever, and readers hardly at all: they can do without. */
bool ledger_lock(int fd, bool to_write)
{
    int tries = to_write ? 10000 : 100;

    for (int i = 0; i < tries; i++) {
        if (flock(fd, (to_write ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        when_sleep(1000);
    }
    errno = EWOULDBLOCK;
    return false;
}

bool ledger_pread(int fd, char *at, size_t len, int64_t from)
{
    if (file_read_at(fd, at, len, from) == len)
        return true;
    errno = errno ? errno : EIO; /* it only ever grows */
    return false;
}

/* -1: there is none, with errno 0, or it cannot be opened. */
static int open_head(const char *name)
{
    struct stat st;
    int fd =
        retry_open(AT_FDCWD, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);

    if (fd < 0) {
        bool none = errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO;
        errno = none ? 0 : errno;
        return -1;
    }
    int problem = fstat(fd, &st) < 0 ? errno : 0;
    if (!problem && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    errno = problem;
    return -1;
}

static void parse_head(struct ledger_head *head, const char *text, size_t len)
{
    char *end;

    *head = (struct ledger_head){0};
    if (len != HEAD_SIZE || text[HEAD_DIGITS] != ' ' || text[HEAD_SIZE - 1] != '\n')
        return;
    long long number = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || end != text + HEAD_DIGITS || number > LEDGER_NUMBER_MAX)
        return;
    head->number = number;
    memcpy(head->sum, text + HEAD_DIGITS + 1, LEDGER_SUM);
}

bool ledger_head_read(struct ledger_head *head, const char *path, struct err *err)
{
    char text[HEAD_SIZE + 1] = "";
    struct str name = {0};

    str_addf(&name, "%s.head", path);
    int fd = open_head(str_c(&name));
    int problem = fd < 0 ? errno : 0;
    size_t got = fd >= 0 ? file_read_at(fd, text, HEAD_SIZE, 0) : 0;
    if (fd >= 0 && got < HEAD_SIZE)
        problem = errno;
    if (fd >= 0)
        close(fd);
    parse_head(head, text, got);
    if (problem)
        err_set(err, ERR_SOURCE, "%s: it cannot be read: %s", str_c(&name), strerror(problem));
    str_free(&name);
    return !problem;
}

static bool write_whole(const char *name, struct span text)
{
    int fd = retry_open(
        AT_FDCWD, name,
        O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && file_write_all(fd, text);

    return fd >= 0 && retry_close(fd) == 0 && ok;
}

/* The new head gets its name when it is complete, so that a write that fails or comes short leaves
 * the old one. Another process at the same time, which the lock keeps away, would need another
 * name. */
void ledger_head_write(const struct ledger_head *head, const char *path)
{
    struct str text = {0}, name = {0}, fresh = {0};
    struct ledger_head there;
    struct err ignored;

    str_addf(&name, "%s.head", path);
    str_addf(&fresh, "%s.tmp", str_c(&name));
    str_addf(&text, "%0*lld %s\n", HEAD_DIGITS, (long long)head->number, head->sum);
    if (ledger_head_read(&there, path, &ignored) && there.number < head->number &&
        (!write_whole(str_c(&fresh), str_span(&text)) || rename(str_c(&fresh), str_c(&name)) < 0))
        unlink(str_c(&fresh));
    str_free(&text);
    str_free(&name);
    str_free(&fresh);
}
