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

static int run_messages(struct app *app)
{
    CLEANUP(mail_view_free) struct mail_view view = {.app = app};
    struct model *model = &view.model;
    struct err err;

    if (app_has(app, "archive") && app_has(app, "all"))
        return app_misused(app, "--archive and --all exclude each other");
    if (!mail_view_query(&view))
        return EXIT_USAGE;
    struct load load = {.agent = app_text(app, "box"),
                        .inbox = !app_has(app, "archive"),
                        .archive = app_has(app, "archive") || app_has(app, "all") ||
                                   querying_archive(&view.querying),
                        .want = app_json(app) ? WANT_DATA : WANT_HEAD,
                        .want_shared = app_has(app, "bodies") ? WANT_BODY : 0};

    if (!mail_view_load(&view, &load, &err))
        return app_fail(app, &err);
    size_t loaded = model->count, unreadable = 0;
    model->count = querying_filter(&view.querying, model->messages, model->count);
    for (size_t i = 0; i < model->count; i++)
        unreadable += unreadable_is_place(app, model->messages[i]);
    if (model->count)
        put_list(app, model, view.limit);
    int code = unreadable_report(app, &view.places, model->count > unreadable);
    if (code == EXIT_NOTHING)
        say_none(app, &view.querying, loaded);
    return code;
}

const struct command command_messages = {.name = "messages",
                                         .operands = "[QUERY]",
                                         .takes = {{.kinds = WORD_QUERY, .more = true}},
                                         .summary = "list messages, or those a query finds",
                                         .options = options,
                                         .most = -1,
                                         .run = run_messages};
