/* The spawner: a small process beside the screens that starts programs for them. It is forked
 * before the screens are confined and is not confined itself, so neither is an editor or a hook.
 *
 * What it starts are children of who asked, not its own: they are waited for, signalled and stopped
 * as if nobody were between. It starts only what it was told at its beginning, so that who has
 * taken over the screens has not taken over the person's account. */
#ifndef UI_PROCESS_SPAWN_HELPER_H
#define UI_PROCESS_SPAWN_HELPER_H

#include "base/err.h"
#include "ui/process/spawn.h"

/* What may stand behind the words of a form. */
enum spawn_tail {
    SPAWN_ALONE, /* nothing */
    SPAWN_FILE,  /* the path of a file: `start` and what has no slash in it */
    SPAWN_TEXT,  /* `start` and a text for tmux, in which nothing has a meaning */
};

/* A command line that may be asked for. */
struct spawn_form {
    const char *const *words; /* NULL ends them; no words at all: the end of the forms */
    enum spawn_tail tail;
    const char *start;
    const char *variable; /* NAME=VALUE for its environment, or NULL */
};

/* Zero-initialised is none. */
struct spawner {
    pid_t pid; /* 0: none */
    int fd;
};

/* Forks it, before there are threads. The forms are borrowed until this returns. */
bool spawn_helper_start(struct spawner *spawner, const struct spawn_form *forms, struct err *err);
/* Ends it. What it has started goes on. */
void spawn_helper_end(struct spawner *spawner);

/* See spawn_program(). EPERM for what is of no form. */
int spawn_helper_ask(const struct spawner *spawner, pid_t *child, const char *const *words,
                     const struct spawn_files *files);

#endif
