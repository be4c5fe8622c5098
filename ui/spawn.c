/* Starting programs. */
#include "ui/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <unistd.h>

extern char **environ;

static void give(posix_spawn_file_actions_t *actions, int fd, int as)
{
    if (fd == SPAWN_NOTHING)
        posix_spawn_file_actions_addopen(actions, as, "/dev/null",
                                         as == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    else if (fd != SPAWN_OURS)
        posix_spawn_file_actions_adddup2(actions, fd, as);
}

int spawn_program(pid_t *child, const char *const *words, const struct spawn_files *files)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    give(&actions, files->in, STDIN_FILENO);
    give(&actions, files->out, STDOUT_FILENO);
    give(&actions, files->errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    int failed = posix_spawnp(child, words[0], &actions, &attributes,
                              (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}
