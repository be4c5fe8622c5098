/* Starting programs, without a shell and without anything of ours but what they are given. */
#ifndef UI_SPAWN_H
#define UI_SPAWN_H

#include <sys/types.h>

/* Instead of a descriptor: nothing, or the one that we have. */
enum { SPAWN_NOTHING = -1, SPAWN_OURS = -2 };

/* Its standard input, output and errors. The program gets all signals as any program has them.
 * Returns 0 or the number of the error. */
struct spawn_files {
    int in, out, errors;
};
int spawn_program(pid_t *child, const char *const *words, const struct spawn_files *files);

#endif
