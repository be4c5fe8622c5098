/* Starting programs. */
#include "ui/process/spawn.h"

#include "base/mem.h"
#include "ui/process/spawn_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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

static int spawn_here(pid_t *child, char *const *words, const struct spawn_files *files)
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
    int failed = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

int spawn_program(const struct spawner *spawner, pid_t *child, const char *const *words,
                  const struct spawn_files *files)
{
    static const char *const shell[] = {"sh", "-c", "\"$0\" \"$@\"", NULL};

    if (spawner && spawner->pid)
        return spawn_helper_ask(spawner, child, words, files);
    char **copy = spawn_copy_words(words, NULL);
    int failed = spawn_here(child, copy, files);
    spawn_free_words(copy);
    if (failed != ENOEXEC)
        return failed;
    /* A script without an interpreter line: only a shell can run it, as shells do themselves. */
    copy = spawn_copy_words(shell, words);
    failed = spawn_here(child, copy, files);
    spawn_free_words(copy);
    return failed;
}

static size_t count_words(const char *const *words)
{
    size_t count = 0;

    while (words && words[count])
        count++;
    return count;
}

char **spawn_copy_words(const char *const *words, const char *const *more)
{
    size_t first = count_words(words), all = first + count_words(more);
    char **copy = mem_zero(all + 1, sizeof *copy);

    for (size_t i = 0; i < all; i++)
        copy[i] = mem_strdup(i < first ? words[i] : more[i - first]);
    return copy;
}

char **spawn_self_words(const char *const *self, const char *const *more)
{
    char **words = spawn_copy_words(self, more);

    free(words[0]);
    words[0] = mem_strdup("/proc/self/exe");
    return words;
}

void spawn_free_words(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}
