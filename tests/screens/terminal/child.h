/* A program in a pseudo terminal, as a shell has it: a process between, the leader of the session,
 * starts it in the foreground, notices when it is stopped, and is the one who can go on with it.
 * Whatever becomes of the test, nothing of it outlives the test. */
#ifndef SCREENS_CHILD_H
#define SCREENS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct child {
    int master; /* non-blocking; -1 once hung up */
    int slave;  /* kept open to look at what the program sees */
    int control;
    pid_t leader, program;
    struct termios before; /* as it was when the program was started */

    bool stopped, ended;
    int status;           /* as waitpid() has it, once ended */
    struct termios after; /* as the program left it when it stopped or ended */
};

/* False, with errno, when there is no pseudo terminal. argv and env end with NULL. */
bool child_start(struct child *child, int rows, int cols, const char *cwd, char *const argv[],
                 char *const env[]);

/* Takes a report that child->control has; false when there are no more. */
bool child_take_report(struct child *child);

/* Lets a stopped program go on, in the foreground. */
void child_continue(struct child *child);
bool child_resize(struct child *child, int rows, int cols);
/* The terminal goes away, as when its window is closed. */
void child_hang_up(struct child *child);

/* Whether the program has read all its input and all its threads sleep; `switches` counts how often
 * they did so far, so that two looks tell whether it did anything between them. */
bool child_is_asleep(const struct child *child, unsigned long *switches);

/* Ends what still runs and closes everything. */
void child_close(struct child *child);

#endif
