/* Queue: passes work from one thread to another, with a descriptor to poll. */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H

#include "base/err.h"

#include <pthread.h>

/* A queued item. Embed it as the first member of what is queued. */
struct queue_item {
    struct queue_item *next;
};

struct queue {
    pthread_mutex_t lock;
    struct queue_item *first, **last;
    int ready; /* an eventfd, readable while the queue may hold something */
};

bool queue_open(struct queue *queue, struct err *err);
/* Frees what the queue holds of the system. The queue must be empty. */
void queue_close(struct queue *queue);

void queue_put(struct queue *queue, struct queue_item *item);
/* Makes the descriptor readable without adding an item. */
void queue_wake(struct queue *queue);
/* Returns the oldest item, or NULL at once if there is none. */
struct queue_item *queue_take(struct queue *queue);
/* Returns the oldest item; waits until there is one. */
struct queue_item *queue_wait(struct queue *queue);

#endif
