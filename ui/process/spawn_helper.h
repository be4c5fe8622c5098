/* The spawner: a small process that starts programs for the screens. It is forked before the
 * screens are confined and is not confined itself, so neither is an editor or a hook.
 *
 * The programs become children of the asking process, not of the spawner, so that it can wait for,
 * signal and stop them as usual. The spawner starts only commands that were fixed at its start, so
 * that taking over the screens is not enough to take over the person's account. */
#ifndef UI_PROCESS_SPAWN_HELPER_H
#define UI_PROCESS_SPAWN_HELPER_H

#include "base/err.h"

#include <sys/types.h>

/* Starting programs, without a shell and with no descriptors of ours except those given. */

struct spawner;

/* Values instead of a descriptor: /dev/null, or our own one. */
enum { SPAWN_NOTHING = -1, SPAWN_OURS = -2 };

/* Standard input, output and errors of the program. The program gets default signal actions and is
 * our child. The spawner starts it; if NULL, we do, and it is confined like us. Returns 0 or an
 * errno. */
struct spawn_files {
    int in, out, errors;
};
int spawn_program(const struct spawner *spawner, pid_t *child, const char *const *words,
                  const struct spawn_files *files);

/* Return a copy of the words, followed by `more` unless that is NULL, with a NULL at the end; the
 * caller frees it with spawn_free_words(). spawn_self_words() replaces the first word by this
 * program itself, wherever it was started from. */
char **spawn_copy_words(const char *const *words, const char *const *more);
char **spawn_self_words(const char *const *self, const char *const *more);
/* Frees the words up to the NULL, and their array; NULL is allowed. */
void spawn_free_words(char **words);

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
