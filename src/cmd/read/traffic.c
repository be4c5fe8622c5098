/* flow: shows who writes to whom, and who waits. */
#include "base/mem.h"
#include "cmd/mail_filter.h"
#include "mail/render/render_traffic.h"

#include <stdlib.h>

#define DAY_US (INT64_C(24) * 3600 * 1000000)

enum { COLUMNS = 80 }; /* if there is no terminal to measure */

static const struct option_spec options[] = {
    {"since", "DURATION", .help = "how far back to count (default: 24h)"},
    {0},
};

static void put_json(const struct app *app, const struct flow *flow)
{
    CLEANUP(str_free) struct str text = {0};

    for (size_t i = 0; i < flow->pair_count; i++) {
        const struct flow_pair *pair = &flow->pairs[i];
        render_flow_json(&text, pair, span_of(store_source(app->store, pair->source)->path),
                         app_now(app));
    }
    app_put(app, &text);
}

static void put_text(const struct app *app, const struct flow *flow, int64_t since_us)
{
    size_t sources = store_source_count(app->store), columns = app_columns(app);
    CLEANUP(mem_free) struct span *titles = mem_zero(sources + 1, sizeof *titles);
    struct render_options style = app_render_options(app);
    struct render_flow what = {.flow = flow,
                               .titles = sources > 1 ? titles : NULL,
                               .columns = columns ? columns : COLUMNS};
    CLEANUP(str_free)
    struct str text = {0}, tables = {0}; /* the first table must be at the start of its text */

    for (size_t i = 0; i < sources; i++)
        titles[i] = span_of(store_source(app->store, i)->path);
    if (since_us == TIME_NONE) {
        str_puts(&text, "all time");
    } else {
        str_puts(&text, "last ");
        time_add_age(&text, style.now_us - since_us);
    }
    str_addf(&text,
             ": %zu message%s (cells: all/unread), %zu unread, %zu open, %zu idle notice%s\n\n",
             flow->count, flow->count == 1 ? "" : "s", flow->unread, flow->open, flow->idle,
             flow->idle == 1 ? "" : "s");
    render_flow(&tables, &what, &style);
    str_add_span(&text, str_span(&tables));
    app_put(app, &text);
}

/* Counts the traffic. Counts all time if the last day has none and --since was not given. */
static bool count_requests(const struct app *app, const struct model *model,
                           const struct requests *asks, int64_t *since_us, struct flow *flow)
{
    flow_build(flow, model, asks, *since_us, app_now(app));
    if (flow->count || flow->idle || app_has(app, "since"))
        return flow->pair_count;
    flow_free(flow);
    *since_us = TIME_NONE;
    flow_build(flow, model, asks, *since_us, app_now(app));
    if (flow->count || flow->idle)
        app_note(app, "nothing was sent in the last 24 hours: everything is counted");
    return flow->pair_count;
}

static int run_flow(struct app *app)
{
    const char *since = app_value(app, "since");
    int64_t since_us, lasts_us = DAY_US;
    CLEANUP(mail_view_free) struct mail_view view = {.app = app};
    CLEANUP(requests_free) struct requests asks = {0};
    CLEANUP(flow_free) struct flow flow = {0};
    struct err err;

    if (!app_duration(app, "since", 0, &lasts_us, &err))
        return app_fail(app, &err);
    since_us = app_now(app) - lasts_us;
    if (!mail_view_load(&view, &load_everything, &err))
        return app_fail(app, &err);
    requests_build(&asks, &view.model, app_now(app));
    bool found = count_requests(app, &view.model, &asks, &since_us, &flow);
    if (found && app_json(app))
        put_json(app, &flow);
    else if (found)
        put_text(app, &flow, since_us);
    int code = unreadable_report(app, &view.places, found);
    if (code == EXIT_NOTHING)
        app_note(app, since ? "nobody has sent anything in the last %s" : "no messages%s",
                 since ? since : "");
    return code;
}

const struct command command_flow = {.name = "flow",
                                     .summary = "who talks to whom, and who waits",
                                     .options = options,
                                     .run = run_flow};
