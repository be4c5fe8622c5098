/* Queue: a locked list and an eventfd. */
#include "base/queue.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool queue_open(struct queue *queue, struct err *err)
{
    queue->first = NULL;
    queue->last = &queue->first;
    queue->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (queue->ready < 0)
        return err_set(err, ERR_SOURCE, "the threads of this program cannot reach each other: %s",
                       strerror(errno));
    pthread_mutex_init(&queue->lock, NULL);
    return true;
}

void queue_close(struct queue *queue)
{
    close(queue->ready);
    pthread_mutex_destroy(&queue->lock);
}

void queue_put(struct queue *queue, struct queue_item *item)
{
    item->next = NULL;
    pthread_mutex_lock(&queue->lock);
    *queue->last = item;
    queue->last = &item->next;
    pthread_mutex_unlock(&queue->lock);
    eventfd_write(queue->ready, 1);
}

void queue_wake(struct queue *queue)
{
    eventfd_write(queue->ready, 1);
}

struct queue_item *queue_take(struct queue *queue)
{
    eventfd_t ignored;

    pthread_mutex_lock(&queue->lock);
    struct queue_item *item = queue->first;
    if (item) {
        queue->first = item->next;
        if (!queue->first)
            queue->last = &queue->first;
    }
    if (!queue->first)
        eventfd_read(queue->ready, &ignored);
    pthread_mutex_unlock(&queue->lock);
    return item;
}

struct queue_item *queue_wait(struct queue *queue)
{
    for (;;) {
        struct queue_item *item = queue_take(queue);
        if (item)
            return item;
        struct pollfd ready = {.fd = queue->ready, .events = POLLIN};
        poll(&ready, 1, -1);
    }
}
