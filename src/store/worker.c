/* A thread that owns a store. */
#include "store/worker.h"

#include "base/mem.h"
#include "base/queue.h"
#include "base/thread.h"
#include "store/store_private.h"

#include <poll.h>
#include <stdlib.h>

/* An order for the thread. */
struct order {
    struct queue_item item;
    enum { ORDER_WORK, ORDER_WATCH, ORDER_END } what;
    void (*work)(struct store *store, void *context);
    void *context;
    struct watch_options options;
};

/* A report of the thread: a sentence for the person, or news. */
struct report {
    struct queue_item item;
    char *sentence;
    struct news news;
};

struct worker {
    struct store *store;
    struct watch *watch; /* of the thread; NULL if nothing is watched */
    pthread_t thread;
    struct queue orders, reports;
};

void worker_post(void *context, const struct news *news)
{
    struct worker *worker = context;
    struct report *report = mem_zero(1, sizeof *report);

    report->news = *news;
    queue_put(&worker->reports, &report->item);
}

void worker_tell(struct worker *worker, const char *sentence)
{
    struct report *report = mem_zero(1, sizeof *report);

    report->sentence = mem_strdup(sentence);
    queue_put(&worker->reports, &report->item);
}

/* Returns the next order; works on what is watched until there is one. */
static struct order *next_order(struct worker *worker)
{
    for (;;) {
        struct order *order = (struct order *)(worker->watch ? queue_take(&worker->orders)
                                                             : queue_wait(&worker->orders));
        if (order)
            return order;
        struct pollfd fds[] = {{.fd = worker->orders.ready, .events = POLLIN},
                               {.fd = watch_fd(worker->watch), .events = POLLIN}};
        poll(fds, 2, watch_timeout_ms(worker->watch));
        watch_work(worker->watch);
    }
}

static void *run_orders(void *context)
{
    struct worker *worker = context;
    struct store *store = worker->store;

    if (store->unrecovered)
        store_recover(store);
    for (bool ended = false; !ended;) {
        struct order *order = next_order(worker);
        if (store->lasting && !worker->watch)
            store_follow_roots(store);
        switch (order->what) {
        case ORDER_WORK:
            order->work(store, order->context);
            worker_post(worker, &(struct news){.kind = NEWS_DONE, .done = order->context});
            break;
        case ORDER_WATCH:
            watch_stop(worker->watch);
            worker->watch = watch_start(store, &order->options, worker_post, worker);
            break;
        case ORDER_END:
            ended = true;
            break;
        }
        free(order);
        store_finish_loads(store);
    }
    return NULL;
}

static void post_order(struct worker *worker, const struct order *what)
{
    struct order *order = mem_alloc(sizeof *order);

    *order = *what;
    queue_put(&worker->orders, &order->item);
}

struct worker *worker_start(struct store *store, struct err *err)
{
    if (!store)
        return NULL;
    struct worker *worker = mem_zero(1, sizeof *worker);
    worker->store = store;
    store->worker = worker;
    bool takes = queue_open(&worker->orders, err);
    bool reports = takes && queue_open(&worker->reports, err);
    int failed = reports ? parallel_start(&worker->thread, run_orders, worker) : 0;
    if (reports && !failed)
        return worker;
    if (failed)
        err_set(err, ERR_SOURCE, "the storage thread cannot be started: %s", strerror(failed));
    if (reports)
        queue_close(&worker->reports);
    if (takes)
        queue_close(&worker->orders);
    store_close(store);
    free(worker);
    return NULL;
}

void worker_stop(struct worker *worker)
{
    struct news news;

    if (!worker)
        return;
    post_order(worker, &(struct order){.what = ORDER_END});
    pthread_join(worker->thread, NULL);
    watch_stop(worker->watch);
    while (worker_next(worker, &news))
        news_free(&news);
    queue_close(&worker->orders);
    queue_close(&worker->reports);
    store_close(worker->store);
    free(worker);
}

const struct store *worker_store(const struct worker *worker)
{
    return worker->store;
}

void worker_begin(struct worker *worker, void (*work)(struct store *store, void *context),
                  void *context)
{
    post_order(worker, &(struct order){.what = ORDER_WORK, .work = work, .context = context});
}

void worker_watch(struct worker *worker, const struct watch_options *options)
{
    post_order(worker, &(struct order){.what = ORDER_WATCH, .options = *options});
}

int worker_fd(const struct worker *worker)
{
    return worker->reports.ready;
}

bool worker_next(struct worker *worker, struct news *news)
{
    const struct store *store = worker->store;
    struct report *report;
    bool found = false;

    while (!found && (report = (struct report *)queue_take(&worker->reports))) {
        found = !report->sentence;
        if (found)
            *news = report->news;
        else if (store->tell)
            store->tell(store->report_context, report->sentence);
        free(report->sentence);
        free(report);
    }
    return found;
}
