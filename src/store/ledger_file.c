/* The ledger's files: where they are, the lock, and the head. */
#include "base/file.h"
#include "base/when.h"
#include "store/home.h"
#include "store/ledger_private.h"

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

static int open_head(const char *path, int flags)
{
    struct str name = {0};
    struct stat st;

    str_addf(&name, "%s.head", path);
    int fd = open(str_c(&name), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    str_free(&name);
    if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        return -1;
    }
    return fd;
}

void ledger_head_read(struct ledger_head *head, const char *path)
{
    char text[HEAD_SIZE + 1] = "", *end;
    int fd = open_head(path, O_RDONLY);
    ssize_t got = fd >= 0 ? pread(fd, text, HEAD_SIZE, 0) : 0;

    *head = (struct ledger_head){0};
    if (fd >= 0)
        close(fd);
    if (got != HEAD_SIZE || text[HEAD_DIGITS] != ' ' || text[HEAD_SIZE - 1] != '\n')
        return;
    long long number = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || end != text + HEAD_DIGITS || number > LEDGER_NUMBER_MAX)
        return;
    head->number = number;
    memcpy(head->sum, text + HEAD_DIGITS + 1, LEDGER_SUM);
}

/* Of one size, so that nothing of an older one can show through. */
void ledger_head_write(const struct ledger_head *head, const char *path)
{
    char text[HEAD_SIZE + 1];
    struct ledger_head there;

    ledger_head_read(&there, path);
    int fd = there.number < head->number ? open_head(path, O_WRONLY | O_CREAT) : -1;
    if (fd < 0)
        return;
    snprintf(text, sizeof text, "%0*lld %s\n", HEAD_DIGITS, (long long)head->number, head->sum);
    ssize_t ignored = pwrite(fd, text, HEAD_SIZE, 0);
    (void)ignored;
    close(fd);
}
