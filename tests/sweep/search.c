/* Sweeps the search, the index and the watch. */
#include "sweep.h"

#include "mail/query/query.h"
#include "store/config/config.h"
#include "store/search/search_results.h"
#include "store/worker.h"

#include <poll.h>

static bool matches(void *context, const struct message *message)
{
    struct query_context known = {.layout = world.format->name, .words = true};

    return query_match(context, message, &known);
}

static bool search(struct store *store, struct query *query, bool ranked, struct err *err)
{
    struct search search = {
        .query = query, .ranked = ranked, .limit = 2, .matches = matches, .context = query};
    struct search_result result = {0};
    bool ok = store_search(store, &search, &result, err);

    search_result_free(&result);
    return ok;
}

static bool search_all(struct store *store, struct err *err)
{
    struct query query = {0};
    size_t at;
    bool ok = query_parse(&query, span_of("line subj*"), err, &at) &&
              search(store, &query, false, err) && search(store, &query, true, err);

    query_free(&query);
    return ok;
}

sweeping(searching_without_an_index)
{
    sweep(*index, &(struct swept){.prepare = archive_first, .run = search_all});
}

/* Indexes the archive, too. */
static void make_index(void)
{
    struct index_build build = {0};
    struct err err;

    archive_first();
    cr_assert(store_index_update(world.store, 0, &build, &err), "%s", err.text);
    cr_assert_gt(build.docs, 0);
}

sweeping(searching_an_index)
{
    sweep(*index, &(struct swept){.prepare = make_index, .run = search_all});
}

static bool build_index(struct store *store, struct err *err)
{
    struct index_build build = {.anew = true};
    struct index_status status = {0};
    bool ok = store_index_update(store, 0, &build, err) &&
              store_index_status(store, 0, &status, err) && store_index_drop(store, 0, err);

    index_status_free(&status);
    return ok;
}

sweeping(building_an_index)
{
    sweep(*index, &(struct swept){.prepare = archive_first, .run = build_index});
}

/* Reports all messages to the end, whatever call fails. */
static bool watch(struct store *store, struct err *err)
{
    static struct config config; /* all defaults */
    struct watch_options options = {.config = &config};
    struct worker *worker = worker_start(store_copy(store, err), err);
    bool ready = false;

    if (!worker)
        return false;
    struct pollfd fd = {.fd = worker_fd(worker), .events = POLLIN};
    worker_watch(worker, &options);
    while (!ready && poll(&fd, 1, 30000) > 0) {
        struct news news;
        while (worker_next(worker, &news)) {
            ready |= news.kind == NEWS_READY;
            news_free(&news);
        }
    }
    worker_stop(worker);
    cr_assert(ready, "it never says that all was told");
    return true;
}

sweeping(watching)
{
    sweep(*index, &(struct swept){.prepare = archive_first, .run = watch});
}
