/* Work beside the calling thread's. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* pthread_create() of a thread that leaves signals to the others. */
int parallel_start(pthread_t *thread, void *(*run)(void *context), void *context);

/* One thing that is done meanwhile. */
struct beside {
    pthread_t thread;
    bool running;
};

/* Does it, to so many things, on a thread of its own; at once where they are too few for that to be
 * worth its start, or no thread is to be had. */
void parallel_do(struct beside *beside, size_t count, void *(*run)(void *context), void *context);
/* Returns when it is done. */
void parallel_wait(struct beside *beside);

#endif
