/* News: what the storage thread tells by itself, once it watches. */
#include "base/mem.h"
#include "store/source/agents.h"
#include "store/store_private.h"
#include "store/watch/watch.h"

#include <stdlib.h>

void store_post(struct store *store, const struct news *news)
{
    struct event *event = mem_zero(1, sizeof *event);

    event->news = mem_alloc(sizeof *event->news);
    *event->news = *news;
    queue_put(&store->events, &event->item);
}

void news_free(struct news *news)
{
    free(news->text);
    if (news->world)
        agents_world_free(news->world);
    free(news->world);
    update_free(&news->update);
    *news = (struct news){0};
}

struct watch_job {
    struct job job;
    struct watch_options options;
};

static bool run_watch(struct job *job, struct store *store, struct err *err)
{
    (void)err;
    watch_stop(store->watch);
    store->watch = watch_start(store, &((struct watch_job *)job)->options);
    return true;
}

void store_watch(struct store *store, const struct watch_options *options)
{
    struct watch_job *job = mem_zero(1, sizeof *job);

    *job = (struct watch_job){.job = {.run = run_watch, .unattended = true}, .options = *options};
    queue_put(&store->jobs, &job->job.item);
}

struct begun_job {
    struct job job;
    void (*work)(struct store *store, void *context);
    void *context;
};

static bool run_begun(struct job *job, struct store *store, struct err *err)
{
    struct begun_job *begun = (struct begun_job *)job;

    (void)err;
    begun->work(store, begun->context);
    store_post(store, &(struct news){.kind = NEWS_DONE, .done = begun->context});
    return true;
}

void store_begin(struct store *store, void (*work)(struct store *store, void *context),
                 void *context)
{
    struct begun_job *job = mem_zero(1, sizeof *job);

    *job = (struct begun_job){
        .job = {.run = run_begun, .unattended = true}, .work = work, .context = context};
    queue_put(&store->jobs, &job->job.item);
}

static bool run_unwatch(struct job *job, struct store *store, struct err *err)
{
    (void)job;
    (void)err;
    watch_stop(store->watch);
    store->watch = NULL;
    return true;
}

void store_unwatch(struct store *store)
{
    struct job job = {.run = run_unwatch};
    struct err ignored;

    store_run(store, &job, NULL, &ignored);
    store_drop_news(store);
}

int store_fd(const struct store *store)
{
    return store->events.ready;
}

static struct event *next_event(struct store *store)
{
    struct event *event = (struct event *)store->news;

    if (!event)
        return (struct event *)queue_take(&store->events);
    store->news = event->item.next;
    if (!store->news)
        store->news_last = &store->news;
    return event;
}

bool store_next(struct store *store, struct news *news)
{
    struct event *event;
    bool found = false;

    while (!found && (event = next_event(store))) {
        found = event->news != NULL;
        if (found)
            *news = *event->news;
        else if (event->sentence && store->tell)
            store->tell(store->tell_context, event->sentence);
        free(event->news);
        free(event->sentence);
        batch_free(&event->batch);
        free(event);
    }
    return found;
}

void store_drop_news(struct store *store)
{
    struct news news;

    while (store_next(store, &news))
        news_free(&news);
}
