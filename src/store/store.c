/* The store: opening sources, running jobs on the storage thread. */
#include "base/crash.h"
#include "base/file.h"
#include "base/mem.h"
#include "store/agents.h"
#include "store/job.h"
#include "store/lock.h"
#include "store/outbox.h"
#include "store/walk.h"
#include "store/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void drop_news(struct store *store)
{
    struct news news;

    while (store_next(store, &news))
        news_free(&news);
}

/* News from the storage thread. */
struct event {
    struct queue_item item;
    struct job *done;   /* this job ended, or NULL */
    char *sentence;     /* else: for the person, or NULL */
    struct news *news;  /* else: of what is watched, or NULL */
    struct batch batch; /* else: messages that were read */
};

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
        if (!last)
            job->ok = job->run(job, store, &job->err);
        if (job->unattended) {
            free(job);
            free(event);
            continue;
        }
        event->done = job;
        queue_put(&store->events, &event->item);
        if (last)
            return NULL;
    }
}

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

void store_tell(void *context, const char *sentence)
{
    struct store *store = context;
    struct event *event = mem_zero(1, sizeof *event);

    event->sentence = mem_strdup(sentence);
    queue_put(&store->events, &event->item);
}

static bool start_thread(struct store *store, struct err *err)
{
    sigset_t all, before;

    if (!queue_open(&store->jobs, err))
        return false;
    if (!queue_open(&store->events, err)) {
        queue_close(&store->jobs);
        return false;
    }
    /* Signals are the calling thread's business. */
    crash_thread_mask(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&store->thread, NULL, storage_thread, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        queue_close(&store->jobs);
        queue_close(&store->events);
        return err_set(err, ERR_SOURCE, "the storage thread cannot be started: %s",
                       strerror(failed));
    }
    store->started = true;
    return true;
}

bool store_run(struct store *store, struct job *job, struct model *model, struct err *err)
{
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

static void clear_claim(struct walker *walker, const struct found *file)
{
    int root = *(int *)walker->context;
    int dir = file->problem ? -1 : file_open_beneath(root, file->dir.at, O_RDONLY | O_DIRECTORY);

    if (dir < 0)
        return;
    lock_clear_claim(dir, file->name.at);
    close(dir);
}

/* Whoever was killed while it held a lock that it had taken over shuts everybody else out. */
static void clear_claims(const struct source *source)
{
    int root = source->root;
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .found = clear_claim,
                            .context = &root};
    struct err ignored;

    if (source->format->keeping == KEEP_ARRAY)
        walk_tree(&walker, source->root, &ignored);
}

/* What others could not finish; without a state there is nothing. */
static bool run_start(struct job *job, struct store *store, struct err *err)
{
    struct state *state = store_state(store, false, err);

    (void)job;
    for (size_t i = 0; i < store->source_count; i++)
        clear_claims(&store->sources[i]);
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
    store->log = options->log;
    store->tell = options->tell;
    store->tell_context = options->tell_context;
    if (!store_add_sources(store, options, err) || !start_thread(store, err)) {
        store_close(store);
        return NULL;
    }
    for (size_t i = 0; i < store->source_count; i++)
        log_add(store->log, "source %s:%s as %s", store->sources[i].format->name,
                store->sources[i].path, store->sources[i].identity);
    if (!store->readonly) {
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
        drop_news(store);
        queue_close(&store->jobs);
        queue_close(&store->events);
    }
    state_close(store->state);
    for (size_t i = 0; i < store->source_count; i++)
        source_close(&store->sources[i]);
    free(store->sources);
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
    drop_news(store);
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

struct load_job {
    struct job job;
    const struct load *load;
};

static void post_batch(void *context, struct batch *batch)
{
    struct store *store = context;
    struct event *event = mem_zero(1, sizeof *event);

    event->batch = *batch;
    *batch = (struct batch){0};
    queue_put(&store->events, &event->item);
}

/* With several sources a name that cannot exist in one of them is simply not there. */
static bool is_impossible(const struct store *store, const struct source *source, struct span agent)
{
    struct str box = {0};
    struct err ignored;
    bool possible =
        !agent.at || store->source_count == 1 || source->format->box_name(&box, agent, 0, &ignored);

    str_free(&box);
    return !possible;
}

static bool run_load(struct job *job, struct store *store, struct err *err)
{
    struct load with_state = *((struct load_job *)job)->load;
    const struct load *load = &with_state;

    store->state_problem.scope = ERR_NONE;
    with_state.only_source = store->source_count == 1;
    with_state.state = store_state(store, false, &store->state_problem);
    if (with_state.state || store->state_problem.scope == ERR_ABSENT)
        store->state_problem.scope = ERR_NONE;
    for (size_t i = 0; i < store->source_count; i++)
        if (!is_impossible(store, &store->sources[i], load->agent) &&
            !load_source(&store->sources[i], load, post_batch, store, store->log, err))
            return false;
    return true;
}

bool store_load(struct store *store, const struct load *load, struct model *model, struct err *err)
{
    struct load_job job = {.job.run = run_load, .load = load};
    bool ok = store_run(store, &job.job, model, err);

    model_settle(model);
    return ok;
}

struct fetch_job {
    struct job job;
    const struct message *message;
    struct batch *batch; /* filled when not NULL */
    struct str *bytes;   /* else this is */
};

static bool run_fetch(struct job *job, struct store *store, struct err *err)
{
    struct fetch_job *fetch = (struct fetch_job *)job;
    const struct source *source = &store->sources[fetch->message->place->source];
    struct err ignored;
    struct state *state = store_state(store, false, &ignored);

    if (fetch->batch)
        return load_again(source, fetch->message, WANT_DATA | WANT_BODY, state, fetch->batch, err);
    return load_raw(source, fetch->message, state, fetch->bytes, err);
}

struct message *store_fetch(struct store *store, const struct message *message, struct batch *batch,
                            struct err *err)
{
    struct fetch_job job = {.job.run = run_fetch, .message = message, .batch = batch};
    size_t first = batch->count;

    if (!store_run(store, &job.job, NULL, err))
        return NULL;
    for (size_t i = first; i < batch->count; i++) {
        if (span_eq(batch->items[i].id, message->id)) {
            batch->items[i].flags |= message->flags & MESSAGE_IN_BOTH;
            batch->items[i].seen = message->seen;
            batch->items[i].read_here = message->read_here;
            if (!batch->items[i].thread.len)
                batch->items[i].thread = arena_copy(&batch->arena, message->thread);
            if (!message->damaged && batch->items[i].status < message->status)
                batch->items[i].status = message->status; /* what was marked here counts */
            return &batch->items[i];
        }
    }
    err_set(err, ERR_ABSENT, "%s: it holds another message now", message->file.at);
    return NULL;
}

bool store_raw(struct store *store, const struct message *message, struct str *bytes,
               struct err *err)
{
    struct fetch_job job = {.job.run = run_fetch, .message = message, .bytes = bytes};

    return store_run(store, &job.job, NULL, err);
}
