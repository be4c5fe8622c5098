/* Tests the queue: order, and a descriptor that is readable while the queue is not empty. */
#include "tests/unit/support.h"

#include "base/queue.h"

#include <poll.h>

enum { EACH = 5000 };

struct work {
    struct queue_item item;
    int producer, number;
};

struct producer {
    pthread_t thread;
    struct queue *queue;
    struct work work[EACH];
};

static bool is_readable(const struct queue *queue)
{
    struct pollfd ready = {.fd = queue->ready, .events = POLLIN};

    return poll(&ready, 1, 0) == 1;
}

static void *produce(void *data)
{
    struct producer *me = data;

    for (int i = 0; i < EACH; i++)
        queue_put(me->queue, &me->work[i].item);
    return NULL;
}

Test(queue, an_empty_queue_gives_nothing_at_once)
{
    struct queue queue;
    struct err err;

    cr_assert(queue_open(&queue, &err));
    cr_assert_null(queue_take(&queue));
    queue_close(&queue);
}

Test(queue, gives_the_oldest_item_first)
{
    struct work work[3] = {{.number = 0}, {.number = 1}, {.number = 2}};
    struct queue queue;
    struct err err;

    cr_assert(queue_open(&queue, &err));
    queue_put(&queue, &work[0].item);
    queue_put(&queue, &work[1].item);
    cr_assert_eq(queue_take(&queue), &work[0].item);
    queue_put(&queue, &work[2].item);
    cr_assert_eq(queue_take(&queue), &work[1].item);
    cr_assert_eq(queue_take(&queue), &work[2].item);
    cr_assert_null(queue_take(&queue));
    queue_put(&queue, &work[0].item); /* an item may be queued again after it was taken */
    cr_assert_eq(queue_wait(&queue), &work[0].item);
    cr_assert_null(queue_take(&queue));
    queue_close(&queue);
}

Test(queue, its_descriptor_is_readable_only_while_something_is_there)
{
    struct work work[2] = {{.number = 0}, {.number = 1}};
    struct queue queue;
    struct err err;

    cr_assert(queue_open(&queue, &err));
    for (int round = 0; round < 2; round++) {
        cr_assert_not(is_readable(&queue));
        queue_put(&queue, &work[0].item);
        cr_assert(is_readable(&queue));
        queue_put(&queue, &work[1].item);
        queue_take(&queue);
        cr_assert(is_readable(&queue));
        queue_take(&queue);
        cr_assert_not(is_readable(&queue));
    }
    queue_close(&queue);
}

/* Two threads put, this one waits: no item is lost, doubled, or out of its thread's order. */
Test(queue, waiting_receives_every_item_of_two_threads_each_in_order)
{
    static struct producer producers[2];
    int next[2] = {0, 0};
    struct queue queue;
    struct err err;

    cr_assert(queue_open(&queue, &err));
    for (int p = 0; p < 2; p++) {
        producers[p].queue = &queue;
        for (int i = 0; i < EACH; i++)
            producers[p].work[i] = (struct work){.producer = p, .number = i};
        cr_assert_eq(pthread_create(&producers[p].thread, NULL, produce, &producers[p]), 0);
    }
    for (int i = 0; i < 2 * EACH; i++) {
        struct work *work = (struct work *)queue_wait(&queue);
        cr_assert_eq(work->number, next[work->producer]);
        next[work->producer]++;
    }
    for (int p = 0; p < 2; p++)
        pthread_join(producers[p].thread, NULL);
    cr_assert_null(queue_take(&queue));
    cr_assert_not(is_readable(&queue));
    queue_close(&queue);
}

/* A reader that polls the descriptor instead of waiting must be woken for every item. */
Test(queue, polling_the_descriptor_misses_no_item)
{
    static struct producer producer;
    int taken = 0;
    struct queue queue;
    struct err err;

    cr_assert(queue_open(&queue, &err));
    producer.queue = &queue;
    for (int i = 0; i < EACH; i++)
        producer.work[i].number = i;
    cr_assert_eq(pthread_create(&producer.thread, NULL, produce, &producer), 0);
    while (taken < EACH) {
        struct pollfd ready = {.fd = queue.ready, .events = POLLIN};
        cr_assert_eq(poll(&ready, 1, -1), 1);
        for (struct queue_item *item; (item = queue_take(&queue)); taken++)
            cr_assert_eq(((struct work *)item)->number, taken);
    }
    pthread_join(producer.thread, NULL);
    queue_close(&queue);
}
