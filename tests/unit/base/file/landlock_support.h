/* What tests of confinement share: a process for it, since nothing undoes it. */
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

/* In that process: ends it with the line where something does not hold. */
#define must(holds)                                                                                \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #holds, strerror(errno));      \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* 0, or why it cannot be opened. */
static inline int opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);

    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

/* Runs it in a process of its own, where it must not fail; where the kernel has no Landlock the
 * test says so and ends. */
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
