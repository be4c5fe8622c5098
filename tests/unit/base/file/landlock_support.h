/* Shared by the tests of confinement: a child process for it, since nothing undoes it. */
#ifndef TESTS_UNIT_BASE_FILE_LANDLOCK_SUPPORT_H
#define TESTS_UNIT_BASE_FILE_LANDLOCK_SUPPORT_H

#include "base/file/landlock.h"
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: exits and prints the line if `holds` is false. */
#define must(holds)                                                                                \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #holds, strerror(errno));      \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* Returns 0, or the errno of opening the file. */
static inline int opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);

    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

/* Runs `work` in a child, where it must not fail; skips the test if the kernel has no Landlock. */
static inline void in_process(void (*work)(void *context), void *context)
{
    struct err err;
    int status;

    if (!landlock_version(&err))
        skip_here(NULL, err.text);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        work(context);
        _exit(0);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert_eq(status, 0);
}

#endif
