/* The store: opening sources, running jobs on the storage thread. */
#include "base/file.h"
#include "base/mem.h"
#include "store/job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* News from the storage thread. */
struct event {
    struct queue_item item;
    struct job *done;   /* this job ended, or NULL */
    struct batch batch; /* else: messages that were read */
};

static void *storage_thread(void *context)
{
    struct store *store = context;

    for (;;) {
        struct job *job = (struct job *)queue_wait(&store->jobs);
        struct event *event = mem_zero(1, sizeof *event);
        bool last = !job->run;
        if (!last)
            job->ok = job->run(job, store, &job->err);
        event->done = job;
        queue_put(&store->events, &event->item);
        if (last)
            return NULL;
    }
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
    sigfillset(&all);
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
        if (!done && model)
            model_add(model, &event->batch);
        batch_free(&event->batch);
        free(event);
        if (done == job)
            break;
    }
    if (!job->ok && job->run)
        *err = job->err;
    return job->ok;
}

static bool add_source(struct store *store, const char *spec, const struct store_options *options,
                       struct err *err)
{
    struct source source;

    if (!source_open(&source, spec, options->identity, options->swarms, err)) {
        source_close(&source);
        return false;
    }
    for (size_t i = 0; i < store->source_count; i++) {
        if (strcmp(store->sources[i].path, source.path) == 0) { /* named twice, opened once */
            source_close(&source);
            return true;
        }
    }
    source.index = (uint32_t)store->source_count;
    store->sources = mem_resize(store->sources, store->source_count + 1, sizeof *store->sources);
    store->sources[store->source_count++] = source;
    return true;
}

static bool discover(struct store *store, const struct store_options *options, struct err *err)
{
    struct str path = {0}, looked = {0};
    bool ok = true;

    for (size_t i = 0; ok && formats[i]; i++) {
        str_addf(&looked, "%s%s", i ? ", " : "", formats[i]->home);
        if (!source_discover(formats[i], &path))
            continue;
        struct str spec = {0};
        str_addf(&spec, "%s:%s", formats[i]->name, str_c(&path));
        ok = add_source(store, str_c(&spec), options, err);
        str_free(&spec);
    }
    if (ok && !store->source_count)
        ok = err_set(err, ERR_SOURCE,
                     "no mailboxes found: looked for %s here and in every directory above; name "
                     "them with --source [FORMAT:]PATH",
                     str_c(&looked));
    str_free(&path);
    str_free(&looked);
    return ok;
}

struct store *store_open(const struct store_options *options, struct err *err)
{
    struct store *store = mem_zero(1, sizeof *store);
    bool ok = true;

    store->readonly = options->readonly;
    store->log = options->log;
    for (size_t i = 0; ok && i < options->source_count; i++)
        ok = add_source(store, options->sources[i], options, err);
    if (ok && !options->source_count)
        ok = discover(store, options, err);
    if (!ok || !start_thread(store, err)) {
        store_close(store);
        return NULL;
    }
    for (size_t i = 0; i < store->source_count; i++)
        log_add(store->log, "source %s:%s as %s", store->sources[i].format->name,
                store->sources[i].path, store->sources[i].identity);
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
        queue_close(&store->jobs);
        queue_close(&store->events);
    }
    for (size_t i = 0; i < store->source_count; i++)
        source_close(&store->sources[i]);
    free(store->sources);
    free(store);
}

const struct source *store_source(const struct store *store, size_t index)
{
    return &store->sources[index];
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

static bool run_load(struct job *job, struct store *store, struct err *err)
{
    const struct load *load = ((struct load_job *)job)->load;

    for (size_t i = 0; i < store->source_count; i++)
        if (!load_source(&store->sources[i], load, post_batch, store, store->log, err))
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
    const struct place *place = fetch->message->place;
    const struct source *source = &store->sources[place->source];
    struct file_id id;

    if (fetch->batch)
        return load_again(source, fetch->message, WANT_DATA | WANT_BODY, fetch->batch, err);
    int dir = source_dir(source, place->dir.at);
    enum file_result result = FILE_GONE;
    if (dir >= 0) {
        result = file_read(dir, fetch->message->file.at, FILE_SIZE_MAX, fetch->bytes, &id, err);
        close(dir);
    }
    if (result == FILE_GONE)
        err_set(err, ERR_ABSENT, "it is gone; someone moved or removed it just now");
    return result == FILE_OK || err_at(err, fetch->message->file.at);
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
