/* A program in a pseudo terminal, like in a shell: a process in between, the leader of the session,
 * starts it in the foreground, notices when it is stopped, and can continue it. Both end with the
 * test. */
#ifndef SCREENS_CHILD_H
#define SCREENS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct child {
    int master; /* non-blocking; -1 after a hangup */
    int slave;  /* kept open to read the program's settings */
    int control;
    pid_t leader, program;
    struct termios before; /* settings at the start of the program */

    bool stopped, ended;
    int status;           /* from waitpid(), once ended */
    struct termios after; /* settings when the program stopped or ended */
};

/* Returns false, with errno, if there is no pseudo terminal. argv and env end with NULL. */
bool child_start(struct child *child, int rows, int cols, const char *cwd, char *const argv[],
                 char *const env[]);

/* Reads a report from child->control; returns false when there are no more. */
bool child_take_report(struct child *child);

/* Continues a stopped program in the foreground. */
void child_continue(struct child *child);
bool child_resize(struct child *child, int rows, int cols);
/* Closes the terminal, like a window. */
void child_hang_up(struct child *child);

/* True if the program has read all its input and all its threads sleep. `switches` counts how often
 * they did so far: an equal count in two calls means that it did nothing between them. */
bool child_is_asleep(const struct child *child, unsigned long *switches);

/* Kills all remaining processes and closes everything. */
void child_close(struct child *child);

#endif
