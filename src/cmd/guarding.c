/* Guarding: standard streams that are there, and what is said when there is no memory. */
#include "cmd/guarding.h"

#include "base/file/crash.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void guarding_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        /* The wrong way around: whoever uses it is told that it fails, as if it were closed. All
         * before it are open, so this is the number that it gets. */
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            crash_exit(EXIT_FAILED, "swarmutt: a standard stream is closed, and /dev/null cannot "
                                    "be opened in its place\n");
    }
}

/* A handler has nothing else to start from. */
static const struct app *guarded;

static void out_of_memory(void)
{
    /* Nobody can tell how far it had come. */
    if (guarded->changes)
        crash_exit(EXIT_UNCONFIRMED, "swarmutt: out of memory; nothing acknowledged is lost, but "
                                     "see what was done before trying again\n");
    crash_exit(EXIT_FAILED, "swarmutt: out of memory; nothing acknowledged is lost\n");
}

void guarding_memory(const struct app *app)
{
    guarded = app;
    mem_on_failure(out_of_memory);
}
