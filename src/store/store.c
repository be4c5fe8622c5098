/* The store: its thread, running jobs on it, and the local state. */
#include "base/beside.h"
#include "base/io_error.h"
#include "base/mem.h"
#include "store/config/config.h"
#include "store/search/search.h"
#include "store/send/lock.h"
#include "store/send/lock_left.h"
#include "store/send/outbox.h"
#include "store/state/state_answers.h"
#include "store/store_private.h"
#include "store/watch/watch.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* The next job; what is watched is worked on until there is one. */
static struct job *next_job(struct store *store)
{
    for (;;) {
        struct job *job =
            (struct job *)(store->watch ? queue_take(&store->jobs) : queue_wait(&store->jobs));
        if (job)
            return job;
        struct pollfd fds[] = {{.fd = store->jobs.ready, .events = POLLIN},
                               {.fd = watch_fd(store->watch), .events = POLLIN}};
        poll(fds, 2, watch_timeout_ms(store->watch));
        watch_work(store->watch);
    }
}

static void *storage_thread(void *context)
{
    struct store *store = context;

    for (;;) {
        struct job *job = next_job(store);
        struct event *event = mem_zero(1, sizeof *event);
        bool last = !job->run;
        for (size_t i = 0; store->lasting && !store->watch && i < store->source_count; i++)
            source_follow(&store->sources[i]);
        if (!last)
            job->ok = job->run(job, store, &job->err);
        if (job->unattended) {
            free(job);
            free(event);
        } else {
            event->done = job;
            queue_put(&store->events, &event->item);
        }
        load_finish(&store->unfinished);
        if (last)
            return NULL;
    }
}

void store_tell(void *context, const char *sentence)
{
    struct store *store = context;
    struct event *event = mem_zero(1, sizeof *event);

    event->sentence = mem_strdup(sentence);
    queue_put(&store->events, &event->item);
}

static bool start_thread(struct store *store, struct err *err)
{
    if (!queue_open(&store->jobs, err))
        return false;
    if (!queue_open(&store->events, err)) {
        queue_close(&store->jobs);
        return false;
    }
    int failed = beside_start(&store->thread, storage_thread, store);
    if (failed) {
        queue_close(&store->jobs);
        queue_close(&store->events);
        return err_set(err, ERR_SOURCE, "the storage thread cannot be started: %s",
                       strerror(failed));
    }
    store->started = true;
    return true;
}

/* For work that is on the storage thread itself. */
static bool run_here(struct store *store, struct job *job, struct model *model, struct err *err)
{
    struct model *outer = store->filling;

    store->filling = model;
    job->ok = job->run(job, store, &job->err);
    store->filling = outer;
    if (!job->ok)
        *err = job->err;
    return job->ok;
}

bool store_run(struct store *store, struct job *job, struct model *model, struct err *err)
{
    if (pthread_equal(pthread_self(), store->thread) && job->run)
        return run_here(store, job, model, err);
    queue_put(&store->jobs, &job->item);
    for (;;) {
        struct event *event = (struct event *)queue_wait(&store->events);
        struct job *done = event->done;
        if (event->news) { /* for later */
            event->item.next = NULL;
            *store->news_last = &event->item;
            store->news_last = &event->item.next;
            continue;
        }
        if (event->sentence && store->tell)
            store->tell(store->tell_context, event->sentence);
        else if (!done && model)
            model_add(model, &event->batch);
        free(event->sentence);
        batch_free(&event->batch);
        free(event);
        if (done == job)
            break;
    }
    if (store->news)
        queue_wake(&store->events);
    if (!job->ok && job->run)
        *err = job->err;
    return job->ok;
}

struct state *store_state(struct store *store, bool create, struct err *err)
{
    if (!store->state)
        store->state = state_open(create, err);
    return store->state;
}

struct state *store_state_to_read(struct store *store)
{
    store->state_problem.scope = ERR_NONE;
    struct state *state = store_state(store, false, &store->state_problem);
    if (state || store->state_problem.scope == ERR_ABSENT)
        store->state_problem.scope = ERR_NONE;
    io_error_note_err(&store->state_problem);
    return state;
}

bool store_may_write(const struct store *store, struct err *err)
{
    if (!store->readonly)
        return true;
    return err_set(err, ERR_REFUSED, "nothing is written: --readonly was given");
}

struct state_job {
    struct job job;
    enum state_use use;
    store_work *work;
    void *context;
};

static bool run_with_state(struct job *base, struct store *store, struct err *err)
{
    struct state_job *job = (struct state_job *)base;
    struct state *state = store_state(store, job->use == STATE_MAKE, err);

    if (!state)
        return job->use == STATE_IF_ANY && err->scope == ERR_ABSENT;
    return job->work(job->context, state, err);
}

bool store_with_state(struct store *store, enum state_use use, store_work *work, void *context,
                      struct err *err)
{
    struct state_job job = {
        .job.run = run_with_state, .use = use, .work = work, .context = context};

    return (use != STATE_MAKE || store_may_write(store, err)) &&
           store_run(store, &job.job, NULL, err);
}

/* What others could not finish; without a state there is nothing. */
static bool run_start(struct job *job, struct store *store, struct err *err)
{
    struct state *state = store_state(store, false, err);

    (void)job;
    for (size_t i = 0; i < store->source_count; i++)
        lock_clear_left(&store->sources[i]);
    for (size_t i = 0; state && i < store->source_count; i++) {
        const struct source *source = &store->sources[i];
        struct state_source used = {source->format->name, source->path, span_of(source->identity)};
        state_note_use(state, &used, store->opened_us, err);
    }
    if (state)
        outbox_work(state, store->log);
    else if (err->scope != ERR_ABSENT)
        log_add(store->log, "outbox: %s", err->text);
    return true;
}

struct store *store_open(const struct store_options *options, struct err *err)
{
    struct store *store = mem_zero(1, sizeof *store);

    store->news_last = &store->news;
    store->readonly = options->readonly;
    store->lasting = options->lasting;
    store->opened_us = when_now();
    store->log = options->log;
    store->tell = options->tell;
    store->tell_context = options->tell_context;
    if (options->config)
        lock_set_timeout(options->config->lock_timeout_us);
    bool ok = store_add_sources(store, options, err);
    if (ok && options->found)
        options->found(options->tell_context, store);
    if (!ok || !start_thread(store, err)) {
        store_close(store);
        return NULL;
    }
    for (size_t i = 0; i < store->source_count; i++)
        log_add(store->log, "source %s:%s as %s", store->sources[i].format->name,
                store->sources[i].path, store->sources[i].identity);
    bool works = !store->readonly && !options->local_only && !options->bystander;
    if (works && options->patient) {
        struct job *work = mem_zero(1, sizeof *work);
        *work = (struct job){.run = run_start, .unattended = true};
        queue_put(&store->jobs, &work->item);
    } else if (works) {
        struct job work = {.run = run_start};
        store_run(store, &work, NULL, err);
    }
    return store;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    if (store->started) {
        struct job last = {0};
        struct err ignored;
        store_run(store, &last, NULL, &ignored);
        pthread_join(store->thread, NULL);
        watch_stop(store->watch);
        store_drop_news(store);
        queue_close(&store->jobs);
        queue_close(&store->events);
    }
    searcher_free(store->searcher);
    state_close(store->state);
    for (size_t i = 0; i < store->source_count; i++)
        source_close(&store->sources[i]);
    free(store->sources);
    for (size_t i = 0; i < store->coming.count; i++)
        free((char *)(uintptr_t)store->coming.items[i].at);
    span_list_free(&store->coming);
    free(store);
}

size_t store_source_count(const struct store *store)
{
    return store->source_count;
}

const char *store_state_problem(const struct store *store)
{
    return store->state_problem.scope ? store->state_problem.text : NULL;
}

const struct source *store_source(const struct store *store, size_t index)
{
    return &store->sources[index];
}
