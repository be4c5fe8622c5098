/* Starting programs, without a shell and without anything of ours but what they are given. */
#ifndef UI_PROCESS_SPAWN_H
#define UI_PROCESS_SPAWN_H

#include <sys/types.h>

struct spawner;

/* Instead of a descriptor: nothing, or the one that we have. */
enum { SPAWN_NOTHING = -1, SPAWN_OURS = -2 };

/* Its standard input, output and errors. The program gets all signals as any program has them, and
 * is our child. The spawner starts it; NULL: we do, and it is as confined as we are. Returns 0 or
 * the number of the error. */
struct spawn_files {
    int in, out, errors;
};
int spawn_program(const struct spawner *spawner, pid_t *child, const char *const *words,
                  const struct spawn_files *files);

/* Frees words, which a NULL ends, and the array of them; NULL is none. */
void spawn_free_words(char **words);

#endif
