/* Work on another thread. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Processes: background priority, and the lifetime of others. */

/* Lowers the priority of the calling thread, for work that nobody waits for. This cannot be
 * undone. */
void background_enter(void);

/* Reports whether no process with this number exists any more. False for a number that no process
 * can have. */
bool process_has_ended(pid_t pid);

/* Calls pthread_create() with all signals blocked in the new thread except those that its own
 * faults raise, so that others are delivered to other threads. Returns what pthread_create()
 * returns. */
int parallel_start(pthread_t *thread, void *(*run)(void *context), void *context);

/* A piece of work on its own thread. */
struct beside {
    pthread_t thread;
    bool running;
};

/* Runs `run` over `count` items on a thread of its own, or directly if they are too few to be worth
 * a thread or no thread can be started. */
void parallel_do(struct beside *beside, size_t count, void *(*run)(void *context), void *context);
/* Waits until the work of parallel_do() is done. */
void parallel_wait(struct beside *beside);

#endif
