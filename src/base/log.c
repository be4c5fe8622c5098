/* The diagnostic log: one write() per line, so that two processes may share the file. */
#include "base/log.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/time.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct log {
    int fd;
};

struct log *log_open(const char *path, struct err *err)
{
    int fd =
        retry_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0) {
        err_set(err, ERR_SOURCE, "%s: the log cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 077) && fchmod(fd, 0600) < 0) {
        err_set(err, ERR_SOURCE, "%s: others can read this log and it cannot be closed to them: %s",
                path, strerror(errno));
        close(fd);
        return NULL;
    }
    struct log *log = mem_alloc(sizeof *log);
    log->fd = fd;
    return log;
}

void log_close(struct log *log)
{
    if (!log)
        return;
    close(log->fd);
    free(log);
}

void log_add(struct log *log, const char *format, ...)
{
    char text[2048];
    va_list args;
    CLEANUP(str_free) struct str line = {0};

    if (!log)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    time_add_utc(&line, time_now());
    str_addf(&line, " %ld.%ld ", (long)getpid(), (long)gettid());
    sanitize_add(&line, span_of(text), SANITIZE_LINE);
    str_putc(&line, '\n');
    /* Ignore a failed write: it must not stop the mail. */
    ssize_t ignored = write(log->fd, line.at, line.len);
    (void)ignored;
}
