/* Starting programs, without a shell and with no descriptors of ours except those given. */
#ifndef UI_PROCESS_SPAWN_H
#define UI_PROCESS_SPAWN_H

#include <sys/types.h>

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

#endif
