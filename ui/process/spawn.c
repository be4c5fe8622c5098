/* Starting programs. */
#include "ui/process/spawn.h"

#include "base/mem.h"
#include "ui/process/spawn_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static void give_fd(posix_spawn_file_actions_t *actions, int fd, int as)
{
    if (fd == SPAWN_NOTHING)
        posix_spawn_file_actions_addopen(actions, as, "/dev/null",
                                         as == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    else if (fd != SPAWN_OURS)
        posix_spawn_file_actions_adddup2(actions, fd, as);
}

static int spawn_here(pid_t *child, const char *const *words, const struct spawn_files *files)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    give_fd(&actions, files->in, STDIN_FILENO);
    give_fd(&actions, files->out, STDOUT_FILENO);
    give_fd(&actions, files->errors, STDERR_FILENO);
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

/* Runs a script without an interpreter line: only a shell can, as shells do themselves. */
static int spawn_script(pid_t *child, const char *const *words, const struct spawn_files *files)
{
    static const char *const shell[] = {"sh", "-c", "\"$0\" \"$@\""};
    enum { FIRST = sizeof shell / sizeof *shell };
    size_t count = 0;

    while (words[count])
        count++;
    const char **all = mem_zero(FIRST + count + 1, sizeof *all);
    for (size_t i = 0; i < FIRST + count; i++)
        all[i] = i < FIRST ? shell[i] : words[i - FIRST];
    int failed = spawn_here(child, all, files);
    free(all);
    return failed;
}

int spawn_program(const struct spawner *spawner, pid_t *child, const char *const *words,
                  const struct spawn_files *files)
{
    if (spawner && spawner->pid)
        return spawn_helper_ask(spawner, child, words, files);
    int failed = spawn_here(child, words, files);
    return failed == ENOEXEC ? spawn_script(child, words, files) : failed;
}

void spawn_free_words(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}
