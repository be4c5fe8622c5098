/* Opening a store: the sources that were named, or else those of the config and those that can be
 * found. */
#include "base/io_error.h"
#include "base/mem.h"
#include "store/config/config.h"
#include "store/source/discover.h"
#include "store/store_private.h"

/* Who we are in a source, unless that was said: as the layout's own program says, which runs us, as
 * the config says of the source or of the one that its settings led here from, as it says of all;
 * else the layout's own. */
static void identify(struct source *source, const struct source *from,
                     const struct store_options *options)
{
    const struct config *config = options->config;
    struct span identity = {0};
    struct str program = {0};

    if (options->identity)
        return;
    if (format_add_identity(&program, source->format))
        identity = str_span(&program);
    else if (config)
        identity = config_identity(config, source, from);
    if (identity.at)
        source_identify(source, identity.at);
    str_free(&program);
}

/* The config was checked when it was read: its zones are there unless they went meanwhile. */
static bool set_zone(struct source *source, struct span name, struct err *err)
{
    return !name.at || source_set_zone(source, name.at, err) || err_at(err, source->path);
}

/* `from` is the source whose settings named it, or NULL. */
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
    identify(&source, from, options);
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
    source.tell = store_tell;
    source.tell_context = store;
    store->sources = mem_resize(store->sources, store->source_count + 1, sizeof *store->sources);
    store->sources[store->source_count++] = source;
    return true;
}

static bool add_neighbours(struct store *store, const char *path,
                           const struct store_options *options, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && path_is_dir(path) && formats[i]; i++) {
        struct str spec = {0};
        str_addf(&spec, "%s:%s", formats[i]->name, path);
        if (source_recognised(formats[i], path))
            ok = add_source(store, str_c(&spec), NULL, options, err);
        str_free(&spec);
    }
    return ok;
}

static void note_missing(void *context, const char *path)
{
    struct store *store = context;

    span_list_add(&store->coming, span_of(mem_strdup(path)));
}

struct discovery {
    struct store *store;
    const struct store_options *options;
    struct err *err;
    struct err left_out; /* why the first one was that cannot be opened */
};

/* One that cannot be opened leaves the others. */
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
        ok = add_source(store, str_c(&spec), source, options, err);
        if (ok && store->source_count > before)
            store->sources[before].lasts_us = lasts_us;
        str_free(&spec);
    }
    return ok;
}

/* A project that is named without a layout may have mailboxes of several. */
static bool add_named(struct store *store, const char *spec, const struct store_options *options,
                      struct err *err)
{
    return add_source(store, spec, NULL, options, err) && add_neighbours(store, spec, options, err);
}

/* One that cannot be opened, on a disk that is not there today, leaves the others. */
static void add_configured(struct store *store, const struct store_options *options)
{
    const struct config *config = options->config;
    struct err err;

    for (size_t i = 0; config && i < config->source_count; i++) {
        const struct config_source *source = &config->sources[i];
        struct str text = {0};
        str_addf(&text, "%s%s%s", source->format ? source->format->name : "",
                 source->format ? ":" : "", source->path ? source->path : "");
        if (source->path && source->open && !add_named(store, str_c(&text), options, &err)) {
            str_clear(&text);
            str_addf(&text, "[source %s] in line %u of the config is left out: %s", source->name.at,
                     source->line, err.text);
            if (options->tell)
                options->tell(options->tell_context, str_c(&text));
            if (options->lasting && source->path[0] == '/')
                note_missing(store, source->path);
            log_add(options->log, "%s", str_c(&text));
        }
        str_free(&text);
    }
}

static bool find_sources(struct store *store, const struct store_options *options, struct err *err)
{
    struct discovery discovery = {.store = store, .options = options, .err = err};
    bool discovering = !options->config || options->config->discover;
    struct str looked = {0};
    bool ok = true;

    add_configured(store, options);
    for (size_t i = 0; ok && discovering && formats[i]; i++)
        ok = discover(formats[i], add_discovered, &discovery, &looked);
    for (size_t i = 0; ok && discovering && options->lasting && formats[i]; i++)
        discover_missing(formats[i], note_missing, store);
    ok = ok && add_base_paths(store, options, err);
    if (ok && !store->source_count && !options->sourceless && discovery.left_out.scope) {
        *err = discovery.left_out;
        ok = false;
    } else if (ok && !store->source_count && !options->sourceless && !discovering)
        ok = err_set(err, ERR_SOURCE,
                     "no mailboxes: no [source NAME] of the config can be opened, and it says "
                     "discover = no; name them there or with --source [FORMAT:]PATH");
    else if (ok && !store->source_count && !options->sourceless)
        ok = err_set(
            err, ERR_SOURCE,
            "no mailboxes found: looked for %s; name them with --source [FORMAT:]PATH, or see "
            "swarmutt at work with swarmutt demo",
            str_c(&looked));
    str_free(&looked);
    return ok;
}

bool store_add_sources(struct store *store, const struct store_options *options, struct err *err)
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
