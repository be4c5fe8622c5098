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
    /* Called with a sentence about a command that failed. */
    void (*tell)(void *context, const char *sentence);
    void *context;
    const struct spawner *spawner; /* starts the command, or NULL */
    bool silent;                   /* discard its output: the terminal is in use by screens */
    int64_t limit_us;              /* maximum running time; 0: no limit */
    char **command;                /* its words, after those of timeout(1); NULL: nothing is run */
    const char *name;              /* first word of the command */
    char *text;                    /* storage of the words */
    char limit[32];                /* limit_us as a word */
    struct process_pipe_input *first, **last; /* queue of inputs, one per run */
    size_t waiting;                           /* length of the queue */
    pid_t child;                              /* 0: none */
    int child_fd;                             /* becomes readable when the child ends */
    int input;                                /* standard input of the child, or -1 */
    size_t written;
};

/* Prepares a command. It is split at blanks, unless all of it is an executable file; NULL runs
 * nothing. No shell is involved. Set tell, context, spawner, silent and limit_us before; the rest
 * is zero. */
bool process_pipe_open(struct running *running, const char *command, struct err *err);
/* Drops the queue; lets a running command continue by itself. */
void process_pipe_close(struct running *running);

/* Queues a run of the command with that standard input. */
void process_pipe_add(struct running *running, struct span input);
bool process_pipe_busy(const struct running *running);

/* process_pipe_poll() fills in PROCESS_PIPE_FDS descriptors to poll, process_pipe_work() handles
 * their events. */
void process_pipe_poll(const struct running *running, struct pollfd *fds);
void process_pipe_work(struct running *running, const struct pollfd *fds);

#endif
