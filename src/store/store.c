/* The store: opening and closing it, and the local state. */
#include "store/store.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "store/config/config.h"
#include "store/search/search.h"
#include "store/send/inbox_lock.h"
#include "store/send/outbox.h"
#include "store/source/source.h"
#include "store/state/answers.h"
#include "store/store_private.h"
#include "store/worker.h"

#include <stdlib.h>
#include <unistd.h>

/* Passes a sentence on to the person. `context` is the store. */
static void store_report(void *context, const char *sentence)
{
    const struct store *store = context;

    if (store->worker)
        worker_tell(store->worker, sentence);
    else if (store->tell)
        store->tell(store->report_context, sentence);
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

struct state *store_state_to_write(struct store *store, struct err *err)
{
    return store_may_write(store, err) ? store_state(store, true, err) : NULL;
}

bool store_state_if_any(struct store *store, struct state **state, struct err *err)
{
    *state = store_state(store, false, err);
    return *state || err->scope == ERR_ABSENT;
}

void store_recover(struct store *store)
{
    struct err err;
    struct state *state = store_state(store, false, &err);

    store->unrecovered = false;
    for (size_t i = 0; i < store->source_count; i++)
        lock_clear_left(&store->sources[i]);
    for (size_t i = 0; state && i < store->source_count; i++) {
        const struct source *source = &store->sources[i];
        struct state_source used = {source->format->name, source->path, span_of(source->identity)};
        state_note_use(state, &used, store->opened_us, &err);
    }
    if (state)
        outbox_work(state, store->log);
    else if (err.scope != ERR_ABSENT)
        log_add(store->log, "outbox: %s", err.text);
}

struct store *store_open(const struct store_options *options, struct err *err)
{
    struct store *store = mem_zero(1, sizeof *store);

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
    if (!ok) {
        store_close(store);
        return NULL;
    }
    for (size_t i = 0; i < store->source_count; i++)
        log_add(store->log, "source %s:%s as %s", store->sources[i].format->name,
                store->sources[i].path, store->sources[i].identity);
    store->unrecovered = !store->readonly && !options->local_only && !options->bystander;
    if (store->unrecovered && !options->patient)
        store_recover(store);
    return store;
}

struct store *store_copy(const struct store *store, struct err *err)
{
    struct store *copy = mem_zero(1, sizeof *copy);

    copy->readonly = store->readonly;
    copy->lasting = store->lasting;
    copy->own_only = store->own_only;
    copy->opened_us = store->opened_us;
    copy->log = store->log;
    copy->tell = store->tell;
    copy->report_context = store->report_context;
    copy->sources = mem_zero(store->source_count, sizeof *copy->sources);
    bool ok = true;
    for (size_t i = 0; ok && i < store->source_count; i++) {
        ok = source_copy(&copy->sources[i], &store->sources[i], err);
        copy->sources[i].report_context = copy;
        copy->source_count++;
    }
    if (ok)
        return copy;
    store_close(copy);
    return NULL;
}

void store_finish_loads(struct store *store)
{
    parallel_wait(&store->finishing);
    load_finish(&store->unfinished);
}

void store_follow_roots(struct store *store)
{
    for (size_t i = 0; i < store->source_count; i++)
        source_follow(&store->sources[i]);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    store_finish_loads(store);
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
