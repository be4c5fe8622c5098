/* Searching through the store. */
#include "store/search/store_search.h"

#include "store/store_private.h"

#include <stdio.h>

struct search_job {
    struct job job;
    const struct search *search;
    struct search_result *result;
    uint32_t source;
    struct span dir, name;
    struct index_build *build;
    struct index_status *status;
};

static struct searcher *searcher_of(struct store *store)
{
    if (!store->searcher)
        store->searcher = searcher_new(store->sources, store->source_count, !store->readonly);
    return store->searcher;
}

static bool run_search(struct job *job, struct store *store, struct err *err)
{
    struct search_job *search = (struct search_job *)job;

    return searcher_find(searcher_of(store), store_state_to_read(store), search->search,
                         search->result, err);
}

bool store_search(struct store *store, const struct search *search, struct search_result *result,
                  struct err *err)
{
    struct search_job job = {.job.run = run_search, .search = search, .result = result};

    return store_run(store, &job.job, NULL, err);
}

static bool run_tell(struct job *job, struct store *store, struct err *err)
{
    const struct search_job *search = (const struct search_job *)job;

    (void)err;
    if (search->name.at)
        searcher_tell(searcher_of(store), search->source, search->dir, search->name);
    else
        searcher_forget(searcher_of(store));
    return true;
}

void store_search_tell(struct store *store, uint32_t source, struct span dir, struct span name)
{
    struct search_job job = {.job.run = run_tell, .source = source, .dir = dir, .name = name};
    struct err ignored;

    store_run(store, &job.job, NULL, &ignored);
}

static bool run_update(struct job *job, struct store *store, struct err *err)
{
    const struct search_job *search = (const struct search_job *)job;

    return index_update(&store->sources[search->source], store_state_to_read(store), search->build,
                        err);
}

bool store_index_update(struct store *store, uint32_t source, struct index_build *build,
                        struct err *err)
{
    struct search_job job = {.job.run = run_update, .source = source, .build = build};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

static bool run_drop(struct job *job, struct store *store, struct err *err)
{
    return index_drop(&store->sources[((const struct search_job *)job)->source], err);
}

bool store_index_drop(struct store *store, uint32_t source, struct err *err)
{
    struct search_job job = {.job.run = run_drop, .source = source};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

void index_status_free(struct index_status *status)
{
    str_free(&status->path);
}

static void add_segments(struct index_status *status, const struct search_index *index)
{
    status->segments = index->count;
    status->damaged = index->damaged;
    snprintf(status->problem, sizeof status->problem, "%s", index->problem);
    for (size_t i = 0; i < index->count; i++) {
        int64_t made_us = index->segments[i].header.made_us;
        status->bytes += index->segments[i].bytes;
        if (status->newest_us == WHEN_NONE || made_us > status->newest_us)
            status->newest_us = made_us;
    }
}

static bool run_status(struct job *job, struct store *store, struct err *err)
{
    const struct search_job *search = (const struct search_job *)job;
    const struct source *source = &store->sources[search->source];
    struct index_status *status = search->status;
    struct search_index index;
    struct census census = {0};

    index_open(&index, source);
    index_check(&index);
    str_add_span(&status->path, str_span(&index.path));
    add_segments(status, &index);
    status->busy = index_is_busy(source);
    bool ok =
        census_take(&census, source, store_state_to_read(store), err) || err_at(err, source->path);
    if (ok)
        index_attach(&index, &census);
    for (size_t i = 0; ok && i < census.count; i++) {
        const struct census_file *file = &census.files[i];
        status->files += !file->gone;
        if (file->gone || file->by == CENSUS_NONE)
            continue;
        status->known++;
        status->docs += index.segments[file->by].files[file->number].docs;
    }
    census_free(&census);
    index_close(&index);
    return ok;
}

bool store_index_status(struct store *store, uint32_t source, struct index_status *status,
                        struct err *err)
{
    struct search_job job = {.job.run = run_status, .source = source, .status = status};

    *status = (struct index_status){.newest_us = WHEN_NONE};
    return store_run(store, &job.job, NULL, err);
}
