/* Running a command for each event, one after the other, without ever waiting for it. */
#ifndef UI_PROCESS_PROCESS_PIPE_H
#define UI_PROCESS_PROCESS_PIPE_H

#include "base/err.h"
#include "base/str.h"

#include <poll.h>
#include <sys/types.h>

enum { PROCESS_PIPE_FDS = 2 };

struct process_pipe_input;
struct spawner;

struct running {
    /* Called with what is to be said of a command that fails. */
    void (*tell)(void *context, const char *sentence);
    void *context;
    const struct spawner *spawner; /* that runs it, or NULL */
    bool silent;                   /* what it prints goes nowhere: the terminal is ours */
    int64_t limit_us;              /* how long it may take; 0: as long as it likes */
    char **command;   /* its words, behind those of what ends it in time; NULL: nothing is run */
    const char *name; /* the first of its words */
    char *text;       /* what the words are of */
    char limit[32];   /* the limit as a word */
    struct process_pipe_input *first, **last; /* what is still to be given to a command */
    size_t waiting;                           /* how many of them */
    pid_t child;                              /* 0: none */
    int child_fd;                             /* becomes readable when it ends */
    int input;                                /* its standard input, or -1 */
    size_t written;
};

/* `command` is split at blanks unless all of it is a file that can be run; NULL runs nothing. No
 * shell has a part in it. Set tell, its context, the spawner, silent and the limit before; the rest
 * is zero. */
bool process_pipe_open(struct running *running, const char *command, struct err *err);
/* A command that is still at work is left to itself. */
void process_pipe_close(struct running *running);

/* Lets the command run once more with that on its standard input. */
void process_pipe_add(struct running *running, struct span input);
bool process_pipe_busy(const struct running *running);

/* Fills in what to wait for, PROCESS_PIPE_FDS of them, and goes on with what came of it. */
void process_pipe_poll(const struct running *running, struct pollfd *fds);
void process_pipe_work(struct running *running, const struct pollfd *fds);

#endif
