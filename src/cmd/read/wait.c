/* wait: waits until a message matches, for scripts and agents. */
#include "cmd/app_options.h"
#include "cmd/mail_filter.h"

static const struct option_spec options[] = {
    {.name = "timeout", .value = "DURATION", .help = "give up after that long: exit 1"},
    {.name = "new", .help = "only what comes or changes from now on"},
    {.name = "all", .help = "also what is archived"},
    {.name = "poll", .help = "look every second instead of being told by the kernel"},
    {0},
};

struct waiter {
    struct app *app;
    struct watching watching;
    struct querying querying;
    struct str found;         /* matches in the form that will be printed */
    bool changed;             /* since settle_wait() last checked everything */
    struct message_map fresh; /* messages that came or changed since the start; only with --new */
};

/* Returns the parts of messages that are printed. */
static unsigned wants_message(const struct waiter *waiter)
{
    return WANT_DATA | (app_json(waiter->app) ? WANT_BODY : 0);
}

static bool is_wanted(const struct waiter *waiter, const struct message *message)
{
    return app_has(waiter->app, "all") || !message->place->archived;
}

static void put_message(struct waiter *waiter, const struct message *message)
{
    struct message copy = *message, *one = &copy;

    if (app_json(waiter->app))
        app_add_json(waiter->app, &waiter->found, message);
    else
        app_add_list(waiter->app, &waiter->found, &one, 1, false);
}

static void take_change(void *context, enum live_event event, const struct message *message)
{
    struct waiter *waiter = context;

    waiter->changed = true;
    if (waiter->watching.ready)
        unreadable_note(waiter->app, event, message);
    if (event == LIVE_GONE || !is_wanted(waiter, message) ||
        (app_has(waiter->app, "new") && !waiter->watching.ready))
        return;
    if (query_asks(&waiter->querying.query)) {
        if (app_has(waiter->app, "new"))
            message_map_put(&waiter->fresh, message);
    } else if (querying_match(&waiter->querying, message)) {
        put_message(waiter, message);
    }
}

/* Returns true if the live heads show that nothing can match, without reading all messages
 * again. */
static bool is_hopeless(struct waiter *waiter)
{
    CLEANUP(model_free) struct model model = {0};

    if (app_has(waiter->app, "new") && !waiter->fresh.names.count)
        return true;
    if (querying_wants(&waiter->querying)) /* the query needs more than the heads have */
        return false;
    live_view(waiter->watching.live, &model);
    querying_settle(&waiter->querying, &model);
    return !querying_filter(&waiter->querying, model.messages, model.count);
}

/* Checks all messages for queries that depend on more than one message. */
static void settle_wait(void *context)
{
    struct waiter *waiter = context;
    struct load load = {
        .inbox = true, .archive = app_has(waiter->app, "all"), .want = wants_message(waiter)};
    CLEANUP(model_free) struct model model = {0};
    struct err err;

    if (!waiter->changed || !query_asks(&waiter->querying.query))
        return;
    waiter->changed = false;
    if (is_hopeless(waiter))
        return;
    if (!app_query_load(waiter->app, &waiter->querying, &load, &model, &err))
        app_fail(waiter->app, &err);
    size_t count = querying_filter(&waiter->querying, model.messages, model.count);
    model_sort(model.messages, count, message_cmp_time);
    for (size_t i = 0; i < count; i++)
        if (!app_has(waiter->app, "new") || message_map_get(&waiter->fresh, model.messages[i]))
            put_message(waiter, model.messages[i]);
}

static void take_ready(void *context)
{
    const struct waiter *waiter = context;

    unreadable_report_live(waiter->app, waiter->watching.live, true, false);
}

static const struct watching_calls calls = {
    .changed = take_change, .ready = take_ready, .settled = settle_wait};

static bool has_found(const void *context)
{
    return ((const struct waiter *)context)->found.len > 0;
}

static int wait_for(struct waiter *waiter, int64_t end_us)
{
    unsigned want = wants_message(waiter) | querying_wants(&waiter->querying);
    struct err err;

    if (!app_watch(&waiter->watching, waiter->app, want, NULL, &calls, waiter, &err))
        return app_fail(waiter->app, &err);
    app_watch_until(&waiter->watching, end_us, has_found);
    int code = unreadable_report_live(waiter->app, waiter->watching.live, waiter->found.len, true);
    watching_stop(&waiter->watching);
    app_put(waiter->app, &waiter->found);
    if (code != EXIT_DONE)
        app_note(waiter->app, "nothing came that matches");
    return code;
}

static void waiter_free(struct waiter *waiter)
{
    querying_close(&waiter->querying);
    message_map_free(&waiter->fresh);
    str_free(&waiter->found);
}

static int run_wait(struct app *app)
{
    CLEANUP(waiter_free) struct waiter waiter = {.app = app};
    int64_t timeout_us = 0;
    struct err err;

    if (!app_duration(app, "timeout", 0, &timeout_us, &err))
        return app_fail(app, &err);
    if (!app_query_read(&waiter.querying, app, app->operands, app->operand_count))
        return EXIT_USAGE;
    return wait_for(&waiter, app_has(app, "timeout") ? time_steady() + timeout_us : TIME_NONE);
}

const struct command command_wait = {.name = "wait",
                                     .operands = "[QUERY]",
                                     .takes = {{.kinds = WORD_QUERY, .more = true}},
                                     .summary = "until a message matches, or the time is up",
                                     .options = options,
                                     .most = -1,
                                     .one = "nothing came in time",
                                     .run = run_wait};
