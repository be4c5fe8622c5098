/* Opening a store: the sources that were named, or those that can be found. */
#include "base/mem.h"
#include "store/discover.h"
#include "store/job.h"

static bool add_source(struct store *store, const char *spec, const struct store_options *options,
                       struct err *err)
{
    struct source source;

    if (!source_open(&source, spec, options->identity, options->swarms, err)) {
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
    source.tell = store_tell;
    source.tell_context = store;
    store->sources = mem_resize(store->sources, store->source_count + 1, sizeof *store->sources);
    store->sources[store->source_count++] = source;
    return true;
}

/* A project that is named without a layout may have mailboxes of several. */
static bool add_neighbours(struct store *store, const char *path,
                           const struct store_options *options, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && path_is_dir(path) && formats[i]; i++) {
        struct str spec = {0};
        str_addf(&spec, "%s:%s", formats[i]->name, path);
        if (source_recognised(formats[i], path))
            ok = add_source(store, str_c(&spec), options, err);
        str_free(&spec);
    }
    return ok;
}

struct discovery {
    struct store *store;
    const struct store_options *options;
    struct err *err;
};

static bool add_discovered(void *context, const char *spec)
{
    struct discovery *discovery = context;

    return add_source(discovery->store, spec, discovery->options, discovery->err);
}

/* Settings may say that the teams of a source lie elsewhere too. */
static bool add_base_paths(struct store *store, const struct store_options *options,
                           struct err *err)
{
    size_t count = store->source_count;
    bool ok = true;

    for (size_t i = 0; ok && i < count; i++) {
        const struct source *source = &store->sources[i];
        struct str spec = {0};
        if (!source->base_path || !source_has_mail(source->format, source->base_path))
            continue; /* only rosters are there, and they are read with the source */
        int64_t lasts_us = source->lasts_us;
        str_addf(&spec, "%s:%s", source->format->name, source->base_path);
        size_t before = store->source_count;
        ok = add_source(store, str_c(&spec), options, err);
        if (ok && store->source_count > before)
            store->sources[before].lasts_us = lasts_us;
        str_free(&spec);
    }
    return ok;
}

static bool find_sources(struct store *store, const struct store_options *options, struct err *err)
{
    struct discovery discovery = {store, options, err};
    struct str looked = {0};
    bool ok = true;

    for (size_t i = 0; ok && formats[i]; i++)
        ok = discover(formats[i], add_discovered, &discovery, &looked);
    ok = ok && add_base_paths(store, options, err);
    if (ok && !store->source_count && !options->sourceless)
        ok = err_set(err, ERR_SOURCE,
                     "no mailboxes found: looked for %s; name them with --source [FORMAT:]PATH",
                     str_c(&looked));
    str_free(&looked);
    return ok;
}

bool store_add_sources(struct store *store, const struct store_options *options, struct err *err)
{
    bool ok = true;

    if (!options->source_count)
        return find_sources(store, options, err);
    for (size_t i = 0; ok && i < options->source_count; i++)
        ok = add_source(store, options->sources[i], options, err) &&
             add_neighbours(store, options->sources[i], options, err);
    return ok;
}
