/* The spawner: a small process that starts programs for the screens. It is forked before the
 * screens are confined and is not confined itself, so neither is an editor or a hook.
 *
 * The programs become children of the asking process, not of the spawner, so that it can wait for,
 * signal and stop them as usual. The spawner starts only commands that were fixed at its start, so
 * that taking over the screens is not enough to take over the person's account. */
#ifndef UI_PROCESS_SPAWN_HELPER_H
#define UI_PROCESS_SPAWN_HELPER_H

#include "base/err.h"
#include "ui/process/spawn.h"

/* Kinds of an additional word after those of a form. */
enum spawn_tail {
    SPAWN_ALONE, /* none */
    SPAWN_FILE,  /* the path of a file: `start` and a name without a slash */
    SPAWN_TEXT,  /* `start` and a text for tmux in which nothing is special */
};

/* A command line that may be asked for. */
struct spawn_form {
    const char *const *words; /* NULL ends them; NULL instead of words ends the forms */
    enum spawn_tail tail;
    const char *start;
    char *variable; /* NAME=VALUE for the environment, or NULL */
};

/* Zero-initialised is no spawner. */
struct spawner {
    pid_t pid; /* 0: none */
    int fd;
};

/* Forks the spawner; to be called before there are threads. The forms are borrowed until this
 * returns. */
bool spawn_helper_start(struct spawner *spawner, const struct spawn_form *forms, struct err *err);
/* Ends the spawner. The programs that it has started continue. */
void spawn_helper_end(struct spawner *spawner);

/* Like spawn_program(); returns EPERM if no form allows the words. */
int spawn_helper_ask(const struct spawner *spawner, pid_t *child, const char *const *words,
                     const struct spawn_files *files);

#endif
