/* Work beside the calling thread's. */
#ifndef BASE_BESIDE_H
#define BASE_BESIDE_H

#include <pthread.h>
#include <stdbool.h>

/* pthread_create() of a thread that leaves signals to the others. */
int beside_start(pthread_t *thread, void *(*run)(void *context), void *context);

/* One thing that is done meanwhile. */
struct beside {
    pthread_t thread;
    bool running;
};

/* Does it on a thread of its own, or at once where none is worth its start (`many` is false) or to
 * be had. */
void beside_do(struct beside *beside, bool many, void *(*run)(void *context), void *context);
/* Returns when it is done. */
void beside_wait(struct beside *beside);

#endif
