/* The store: its thread, running jobs on it, and the local state. */
#include "store/store.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "base/thread.h"
#include "store/config/config.h"
#include "store/search/search.h"
#include "store/send/inbox_lock.h"
#include "store/send/outbox.h"
#include "store/source/agent_directory.h"
#include "store/source/source.h"
#include "store/state/answers.h"
#include "store/store_private.h"
#include "store/watch/watch.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static void store_drop_news(struct store *store);

/* On the storage thread: posts a sentence for the waiting caller. `context` is the store. */
static void store_report(void *context, const char *sentence)
{
    struct store *store = context;
    struct event *event = mem_zero(1, sizeof *event);

    event->sentence = mem_strdup(sentence);
    queue_put(&store->events, &event->item);
}

/* News: what the storage thread reports on its own while it watches. */

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
        agent_directory_free(news->world);
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
            store->tell(store->report_context, event->sentence);
        free(event->news);
        free(event->sentence);
        batch_free(&event->batch);
        free(event);
    }
    return found;
}

/* Frees all news that nobody has fetched. */
static void store_drop_news(struct store *store)
{
    struct news news;

    while (store_next(store, &news))
        news_free(&news);
}

/* Opening a store: the sources that were named, or else those of the config and those that can be
 * found. */

/* Chooses who we are in a source, unless the options name it. The order: what the layout's own
 * program says if it runs us; the config's entry for the source, or for the source whose settings
 * led to this one; the config's default; the layout's default. */
static void choose_identity(struct source *source, const struct source *from,
                            const struct store_options *options)
{
    const struct config *config = options->config;
    struct span identity = {0};
    CLEANUP(str_free) struct str program = {0};

    if (options->identity)
        return;
    if (format_add_identity(&program, source->format))
        identity = str_span(&program);
    else if (config)
        identity = config_identity(config, source, from);
    if (identity.at)
        source_identify(source, identity.at);
}

/* The zones were checked when the config was read, so they exist unless they were removed since. */
static bool set_zone(struct source *source, struct span name, struct err *err)
{
    return !name.at || source_set_zone(source, name.at, err) || err_at(err, source->path);
}

/* Opens a source and adds it. `from` is the source whose settings named it, or NULL. */
static bool add_source(struct store *store, const char *spec, const struct source *from,
                       const struct store_options *options, struct err *err)
{
    struct source source;

    if (!source_open(&source, spec, options->identity, options->swarms, err)) {
        source_close(&source);
        if (!options->absent ||
            !source_open_absent(&source, spec, options->identity, options->swarms))
            return false;
    }
    choose_identity(&source, from, options);
    if (options->config &&
        !set_zone(&source, config_timezone(options->config, &source, from), err)) {
        source_close(&source);
        return false;
    }
    for (size_t i = 0; i < store->source_count; i++) {
        if (strcmp(store->sources[i].path, source.path) == 0 && /* named twice, opened once */
            store->sources[i].format == source.format) {
            source_close(&source);
            return true;
        }
    }
    source.index = (uint32_t)store->source_count;
    source.tell = store_report;
    source.report_context = store;
    store->sources = mem_resize(store->sources, store->source_count + 1, sizeof *store->sources);
    store->sources[store->source_count++] = source;
    return true;
}

static bool add_neighbours(struct store *store, const char *path,
                           const struct store_options *options, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && path_is_dir(path) && formats[i]; i++) {
        CLEANUP(str_free) struct str spec = {0};
        str_addf(&spec, "%s:%s", formats[i]->name, path);
        if (source_recognised(formats[i], path))
            ok = add_source(store, str_c(&spec), NULL, options, err);
    }
    return ok;
}

static void note_missing(void *context, const char *path)
{
    struct store *store = context;

    span_list_add(&store->coming, arena_copy(&store->coming_texts, span_of(path)));
}

struct discovery {
    struct store *store;
    const struct store_options *options;
    struct err *err;
    struct err left_out; /* the failure of the first one that cannot be opened */
};

/* A source that cannot be opened is noted and skipped; the others are still added. */
static bool add_discovered(void *context, const char *spec)
{
    struct discovery *discovery = context;
    const struct store_options *options = discovery->options;
    struct err err;

    if (add_source(discovery->store, spec, NULL, options, &err))
        return true;
    if (err.scope != ERR_SOURCE) {
        *discovery->err = err;
        return false;
    }
    if (!discovery->left_out.scope)
        discovery->left_out = err;
    log_add(options->log, "left out: %s", err.text);
    const char *path = strchr(spec, ':') ? strchr(spec, ':') + 1 : spec, *reason = err.text;
    size_t len = strlen(path);
    if (strncmp(reason, path, len) == 0 && strncmp(reason + len, ": ", 2) == 0)
        reason += len + 2;
    io_error_note(IO_ERROR_OTHER, path, reason);
    if (options->lasting && path[0] == '/')
        note_missing(discovery->store, path);
    return true;
}

/* Adds sources for the base paths that settings name: the teams of a source may be there too. */
static bool add_base_paths(struct store *store, const struct store_options *options,
                           struct err *err)
{
    size_t count = store->source_count;
    bool ok = true;

    for (size_t i = 0; ok && i < count; i++) {
        const struct source *source = &store->sources[i];
        CLEANUP(str_free) struct str spec = {0};
        if (!source->base_path || !source_has_mail(source->format, source->base_path))
            continue; /* it has only rosters, which are read with the source */
        int64_t lasts_us = source->lasts_us;
        str_addf(&spec, "%s:%s", source->format->name, source->base_path);
        size_t before = store->source_count;
        ok = add_source(store, str_c(&spec), source, options, err);
        if (ok && store->source_count > before)
            store->sources[before].lasts_us = lasts_us;
    }
    return ok;
}

/* Adds a project that is named without a layout: it may have mailboxes of several layouts. */
static bool add_named(struct store *store, const char *spec, const struct store_options *options,
                      struct err *err)
{
    return add_source(store, spec, NULL, options, err) && add_neighbours(store, spec, options, err);
}

/* Adds the sources of the config. One that cannot be opened, for example on a disk that is not
 * mounted, is skipped with a message. */
static void add_configured(struct store *store, const struct store_options *options)
{
    const struct config *config = options->config;
    struct err err;

    for (size_t i = 0; config && i < config->source_count; i++) {
        const struct config_source *source = &config->sources[i];
        CLEANUP(str_free) struct str text = {0};
        str_addf(&text, "%s%s%s", source->format ? source->format->name : "",
                 source->format ? ":" : "", source->path ? source->path : "");
        if (source->path && source->open && !add_named(store, str_c(&text), options, &err)) {
            str_clear(&text);
            str_addf(&text, "[source %s] in line %u of the config is left out: %s", source->name.at,
                     source->line, err.text);
            if (options->tell)
                options->tell(options->report_context, str_c(&text));
            if (options->lasting && source->path[0] == '/')
                note_missing(store, source->path);
            log_add(options->log, "%s", str_c(&text));
        }
    }
}

static bool find_sources(struct store *store, const struct store_options *options, struct err *err)
{
    struct discovery discovery = {.store = store, .options = options, .err = err};
    bool discovering = !options->config || options->config->discover;
    CLEANUP(str_free) struct str looked = {0};
    bool ok = true;

    add_configured(store, options);
    for (size_t i = 0; ok && discovering && formats[i]; i++)
        ok = discover(formats[i], add_discovered, &discovery, &looked);
    for (size_t i = 0; ok && discovering && options->lasting && formats[i]; i++)
        discover_missing(formats[i], note_missing, store);
    ok = ok && add_base_paths(store, options, err);
    if (!ok || store->source_count || options->sourceless)
        return ok;
    if (discovery.left_out.scope) {
        *err = discovery.left_out;
        return false;
    }
    if (!discovering)
        return err_set(err, ERR_SOURCE,
                       "no mailboxes: no [source NAME] of the config can be opened, and it says "
                       "discover = no; name them there or with --source [FORMAT:]PATH");
    return err_set(
        err, ERR_SOURCE,
        "no mailboxes found: looked for %s; name them with --source [FORMAT:]PATH, or see "
        "swarmutt at work with swarmutt demo",
        str_c(&looked));
}

/* Opens the sources that the options name or, without any, those that can be found. */
static bool store_add_sources(struct store *store, const struct store_options *options,
                              struct err *err)
{
    bool ok = true;

    if (options->local_only)
        return true;
    if (!options->source_count)
        return find_sources(store, options, err);
    for (size_t i = 0; ok && i < options->source_count; i++)
        ok = add_named(store, options->sources[i], options, err);
    return ok;
}

/* Returns the next job; works on what is watched until there is one. */
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

static bool start_thread(struct store *store, struct err *err)
{
    if (!queue_open(&store->jobs, err))
        return false;
    if (!queue_open(&store->events, err)) {
        queue_close(&store->jobs);
        return false;
    }
    int failed = parallel_start(&store->thread, storage_thread, store);
    if (failed) {
        queue_close(&store->jobs);
        queue_close(&store->events);
        return err_set(err, ERR_SOURCE, "the storage thread cannot be started: %s",
                       strerror(failed));
    }
    store->started = true;
    return true;
}

/* Runs a job of work that is on the storage thread itself. */
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
        if (event->news) { /* keep it for store_next() */
            event->item.next = NULL;
            *store->news_last = &event->item;
            store->news_last = &event->item.next;
            continue;
        }
        if (event->sentence && store->tell)
            store->tell(store->report_context, event->sentence);
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

/* Finishes what earlier processes left unfinished; without a state the outbox has nothing. */
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
    store->opened_us = time_now();
    store->log = options->log;
    store->tell = options->tell;
    store->report_context = options->report_context;
    if (options->config)
        lock_set_timeout(options->config->lock_timeout_us);
    bool ok = store_add_sources(store, options, err);
    if (ok && options->found)
        options->found(options->report_context, store);
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
    span_list_free(&store->coming);
    arena_free(&store->coming_texts);
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
