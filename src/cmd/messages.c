/* messages: a list of what is in the mailboxes. */
#include "cmd/command.h"

#include <stdio.h>
#include <stdlib.h>

static const struct option_spec options[] = {
    {.name = "box", .value = "AGENT[@TEAM]", .help = "only this agent's box"},
    {.name = "archive", .help = "only what is archived"},
    {.name = "all", .help = "inbox and archive"},
    {.name = "newest", .help = "the newest first"},
    {.name = "limit", .value = "N", .help = "at most this many"},
    {.name = "bodies", .help = "with the texts (for --json)"},
    {0},
};

/* The message with its text or, when it vanished meanwhile, what is known of it. */
static void put_whole(struct app *app, const struct message *message)
{
    struct batch batch = {0};
    struct err err;
    struct message *whole = message->damaged || (message->data && message->data->body.at)
                                ? NULL
                                : store_fetch(app->store, message, &batch, &err);

    app_put_message(app, whole ? whole : message, OUTPUT_JSON);
    batch_free(&batch);
}

static int newest_first(const struct message *a, const struct message *b)
{
    return message_cmp_time(b, a);
}

static void put_list(struct app *app, struct model *model, size_t limit)
{
    size_t count = model->count < limit ? model->count : limit;

    model_sort(model->messages, model->count,
               app_has(app, "newest") ? newest_first : message_cmp_time);
    if (!app_json(app)) {
        app_put_list(app, model->messages, count, false);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (app_has(app, "bodies"))
            put_whole(app, model->messages[i]);
        else
            app_put_message(app, model->messages[i], OUTPUT_JSON);
    }
}

static int run_messages(struct app *app)
{
    struct load load = {.agent = app_text(app, "box"),
                        .inbox = !app_has(app, "archive"),
                        .archive = app_has(app, "archive") || app_has(app, "all"),
                        .want = app_json(app) ? WANT_DATA : WANT_HEAD,
                        .want_shared = app_has(app, "bodies") ? WANT_BODY : 0};
    struct model model = {0};
    struct err err;
    size_t limit;
    int code = EXIT_DONE;

    if (app_has(app, "archive") && app_has(app, "all"))
        return app_misused(app, "--archive and --all exclude each other");
    if (!app_number(app, "limit", SIZE_MAX, &limit))
        return EXIT_USAGE;
    if (!app_load(app, &load, &model, &err)) {
        code = app_fail(app, &err);
    } else if (!model.count) {
        app_note(app, load.agent.at ? "no messages in the box of \"%s\"" : "no messages%s",
                 load.agent.at ? load.agent.at : "");
        code = EXIT_NOTHING;
    } else {
        put_list(app, &model, limit);
    }
    model_free(&model);
    return code;
}

const struct command command_messages = {.name = "messages",
                                         .summary = "list messages, one a line",
                                         .options = options,
                                         .run = run_messages};
