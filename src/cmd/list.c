/* list: the conversations, most pressing first. */
#include "base/mem.h"
#include "base/nearest.h"
#include "cmd/querying.h"
#include "mail/render_talk.h"
#include "store/agents.h"

#include <stdlib.h>

static const struct option_spec options[] = {
    {.name = "archive", .help = "only what is archived as a whole"},
    {.name = "all", .help = "also that, and what has expired"},
    {.name = "limit", .value = "N", .help = "at most this many"},
    {.name = "scope", .value = "SCOPE", .help = "mine, all or AGENT[@TEAM]"},
    {0},
};

/* What is looked at. */
struct view {
    struct model model;
    struct asks asks;
    struct threads threads;
    struct talks talks;
    struct attention order;
    struct agents_world world;
    struct agents agents;
    struct talk_hint *hints;
    size_t hint_count;
    struct scope scope;
    struct querying querying;
    size_t limit;
};

static void view_free(struct view *view)
{
    attention_free(&view->order);
    free(view->hints);
    agents_free(&view->agents);
    agents_world_free(&view->world);
    talks_free(&view->talks);
    threads_free(&view->threads);
    asks_free(&view->asks);
    model_free(&view->model);
    querying_close(&view->querying);
}

/* A conversation is wanted when some message in it is. */
static bool matches(const struct view *view, const struct talk *talk)
{
    for (size_t i = 0; i < talk->count; i++)
        if (querying_match(&view->querying, talk_message(&view->talks, talk, i)))
            return true;
    return false;
}

static bool read_view(struct app *app, struct view *view)
{
    struct span scope = app_text(app, "scope");

    if (!querying_open(&view->querying, app, app->operands, app->operand_count))
        return false;
    if (scope.at)
        view->scope = scope_read(scope);
    if (app_has(app, "archive") && app_has(app, "all")) {
        app_misused(app, "--archive and --all exclude each other");
        return false;
    }
    if (scope.at && !scope.len) {
        app_misused(app, "--scope takes mine, all or the name of an agent");
        return false;
    }
    return app_limit(app, &view->limit);
}

static bool is_shown(const struct app *app, const struct view *view, const struct talk *talk)
{
    bool in_view = app_has(app, "all") || talk->archived == app_has(app, "archive") ||
                   querying_archive(&view->querying);

    return in_view && matches(view, talk);
}

/* Leaves in the order what is to be shown. */
static void choose(const struct app *app, struct view *view)
{
    struct attention *order = &view->order;
    size_t kept = 0;

    memset(order->counts, 0, sizeof order->counts);
    for (size_t i = 0; i < order->count; i++) {
        const struct talk *talk = &view->talks.items[order->talks[i]];
        if (!is_shown(app, view, talk))
            continue;
        order->counts[attention_group(&view->talks, talk)]++;
        order->talks[kept++] = order->talks[i];
    }
    order->count = kept;
}

/* Finds the agents that may be stuck: the conversation that shows it needs the person. */
static bool find_stuck(struct app *app, struct view *view, struct err *err)
{
    struct config config = {0};
    bool ok = config_load(&config, err) && store_agents(app->store, &config, &view->world, err);

    if (ok) {
        struct agents_input input = agents_world_input(&view->world);
        input.model = &view->model;
        input.asks = &view->asks;
        input.now_us = app_now(app);
        agents_build(&view->agents, &input);
        view->hints = mem_zero(view->agents.count + 1, sizeof *view->hints);
    }
    bool *told = mem_zero(view->agents.circle_count + 1, sizeof *told);
    for (size_t i = 0; ok && i < view->agents.count; i++) {
        const struct agent *agent = &view->agents.items[i];
        bool circle = agent->circle != AGENT_NONE;
        if (agent->state != AGENT_STUCK || (circle && told[agent->circle]))
            continue; /* the first of a circle names all of it */
        if (circle)
            told[agent->circle] = true;
        if (agent->evidence != AGENT_NONE)
            view->hints[view->hint_count++] =
                (struct talk_hint){agent->evidence, agent->name, agent->why, agent->since_us};
    }
    free(told);
    config_free(&config);
    return ok;
}

static bool build_view(struct app *app, struct view *view, struct err *err)
{
    /* data: when a message was read tells how long it is worked on */
    struct load everything = {.inbox = true, .archive = true, .want = WANT_DATA};

    if (!querying_load(&view->querying, &everything, &view->model, err))
        return false;
    asks_build(&view->asks, &view->model, app_now(app));
    threads_build(&view->threads, &view->model, &view->asks);
    if (!find_stuck(app, view, err))
        return false;
    struct talk_input input = {.model = &view->model,
                               .threads = &view->threads,
                               .asks = &view->asks,
                               .hints = view->hints,
                               .hint_count = view->hint_count,
                               .now_us = app_now(app),
                               .expired = app_has(app, "all") ||
                                          query_names(&view->querying.query, "is", "expired")};
    talks_build(&view->talks, &input);
    attention_build(&view->order, &view->talks, &view->scope);
    choose(app, view);
    return true;
}

/* On a terminal the rest fills the screen, unless a number was asked for: what needs the person
 * must not scroll away. */
static size_t lines_wanted(const struct app *app, const struct view *view)
{
    const size_t *counts = view->order.counts;
    size_t pressing = counts[ATTENTION_NEEDS] + counts[ATTENTION_UNREAD];
    size_t rows = app_rows(app), headings = 1; /* and the line of the prompt */

    for (size_t i = 0; i < ATTENTION_GROUPS; i++)
        headings += counts[i] > 0;
    if (!rows || app_has(app, "limit") || app_json(app))
        return view->limit;
    size_t room = rows > headings + 1 ? rows - headings - 1 : 1;
    return pressing > room ? pressing : room;
}

static void put_view(const struct app *app, const struct view *view)
{
    size_t most = lines_wanted(app, view);
    struct render_style style = app_style(app);
    struct render_talks list = {.talks = &view->talks,
                                .order = &view->order,
                                .most = most,
                                .columns = app_columns(app),
                                .headings = app->to_terminal};
    struct str text = {0};

    if (!app_json(app))
        render_talks(&text, &list, &style);
    for (size_t i = 0; app_json(app) && i < view->order.count && i < view->limit; i++)
        render_talk_json(&text, &view->talks, &view->talks.items[view->order.talks[i]],
                         style.now_us);
    app_put(&text);
    if (most < view->order.count && !app_has(app, "limit"))
        app_note(app, "%zu more; all of them with list --limit %zu", view->order.count - most,
                 view->order.count);
    str_free(&text);
}

/* Names of others who write or get mail, for one that may be mistyped. */
static void add_near(struct str *near, const struct model *model, struct span agent)
{
    struct span_list names = {0};

    for (size_t i = 0; i < model->count; i++) {
        span_list_add(&names, message_recipient(model->messages[i]));
        span_list_add(&names, model->messages[i]->from);
    }
    nearest_hint(near, agent, names.items, names.count);
    span_list_free(&names);
}

static void say_nothing(const struct app *app, const struct view *view)
{
    struct span agent = view->scope.agent;
    struct str near = {0};

    if (agent.at)
        add_near(&near, &view->model, agent);
    if (!view->model.count)
        app_note(app, "there is no mail");
    else if (view->querying.text.len)
        app_note(app, "nothing matches \"%s\"%s", str_c(&view->querying.text),
                 app_has(app, "all") || app_has(app, "archive") ? "" : "; see also list --all");
    else if (agent.at)
        app_note(app, "nothing from or to \"%.*s\"%s", (int)agent.len, agent.at, str_c(&near));
    else if (view->scope.mine)
        app_note(app, "nothing from or to you; see also list --scope all");
    else if (app_has(app, "archive"))
        app_note(app, "nothing is archived as a whole");
    else
        app_note(app, "everything is archived or has expired; see also list --all");
    str_free(&near);
}

static int run_list(struct app *app)
{
    struct view view = {0};
    struct err err;
    int code = EXIT_DONE;

    if (!read_view(app, &view)) {
        code = EXIT_USAGE;
    } else if (!build_view(app, &view, &err)) {
        code = app_fail(app, &err);
    } else if (!view.order.count) {
        say_nothing(app, &view);
        code = EXIT_NOTHING;
    } else {
        put_view(app, &view);
    }
    view_free(&view);
    return code;
}

const struct command command_list = {.name = "list",
                                     .operands = "[QUERY]",
                                     .summary = "conversations, most pressing first",
                                     .options = options,
                                     .most = -1,
                                     .run = run_list};
