/* messages: lists the messages in the mailboxes, or those that match a query. */
#include "cmd/app.h"
#include "cmd/app_options.h"
#include "cmd/mail_filter.h"

static const struct option_spec options[] = {
    {"box", "AGENT[@TEAM]", .kinds = WORD_AGENT, .help = "only this agent's box"},
    {"archive", .help = "only what is archived"},
    {"all", .help = "inbox and archive"},
    {"newest", .help = "the newest first"},
    {"limit", "N", .help = "at most this many"},
    {"bodies", .help = "with the texts (for --json)"},
    {0},
};

static void put_list(struct app *app, struct model *model, size_t limit)
{
    size_t count = model->count < limit ? model->count : limit;

    model_sort(model->messages, model->count,
               app_has(app, "newest") ? message_cmp_newest : message_cmp_time);
    if (!app_json(app)) {
        app_put_list(app, model->messages, count, false);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (app_has(app, "bodies"))
            app_put_whole(app, model->messages[i]);
        else
            app_put_head(app, model->messages[i]);
    }
}

/* Explains why the list is empty. */
static void say_none(const struct app *app, const struct querying *querying, size_t loaded)
{
    const char *box = app_value(app, "box");

    if (loaded)
        app_note(app, "no message matches: %s", str_c(&querying->text));
    else
        app_note(app, box ? "no messages in the box of \"%s\"" : "no messages%s", box ? box : "");
}

static int list_messages(struct app *app, struct querying *querying, size_t limit)
{
    struct load load = {.agent = app_text(app, "box"),
                        .inbox = !app_has(app, "archive"),
                        .archive = app_has(app, "archive") || app_has(app, "all") ||
                                   querying_archive(querying),
                        .want = app_json(app) ? WANT_DATA : WANT_HEAD,
                        .want_shared = app_has(app, "bodies") ? WANT_BODY : 0};
    CLEANUP(model_free) struct model model = {0};
    struct err err;

    if (!app_query_load(app, querying, &load, &model, &err))
        return app_fail(app, &err);
    CLEANUP(selection_free) struct selection places = unreadable_find(app, &model, UNREADABLE_ANY);
    size_t loaded = model.count, unreadable = 0;
    model.count = querying_filter(querying, model.messages, model.count);
    for (size_t i = 0; i < model.count; i++)
        unreadable += unreadable_is_place(app, model.messages[i]);
    if (model.count)
        put_list(app, &model, limit);
    int code = unreadable_report(app, &places, model.count > unreadable);
    if (code == EXIT_NOTHING)
        say_none(app, querying, loaded);
    return code;
}

static int run_messages(struct app *app)
{
    CLEANUP(querying_close) struct querying querying = {0};
    size_t limit;

    if (app_has(app, "archive") && app_has(app, "all"))
        return app_misused(app, "--archive and --all exclude each other");
    if (!app_limit(app, &limit))
        return EXIT_USAGE;
    return app_query_read(&querying, app, app->operands, app->operand_count)
               ? list_messages(app, &querying, limit)
               : EXIT_USAGE;
}

const struct command command_messages = {.name = "messages",
                                         .operands = "[QUERY]",
                                         .takes = {{.kinds = WORD_QUERY, .more = true}},
                                         .summary = "list messages, or those a query finds",
                                         .options = options,
                                         .most = -1,
                                         .run = run_messages};
