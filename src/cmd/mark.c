/* mark: change the state of messages. */
#include "base/clean.h"
#include "base/json_print.h"
#include "cmd/changing.h"
#include "cmd/command.h"

static const struct option_spec options[] = {
    {.name = "all", .help = "mark --all AGENT STATE: every message of the agent that can be"},
    {.name = "keep", .help = "completed messages stay in the inbox"},
    {0},
};

int worse(int a, int b)
{
    return a > b ? a : b;
}

int change_and_print(struct app *app, const struct message *message, enum status status)
{
    struct str text = {0};
    struct err err;

    if (!store_change(app->store, message, status, &err))
        return app_fail(app, &err);
    if (app_json(app)) {
        str_puts(&text, "{\"v\":1,\"id\":");
        json_put_text(&text, message->id, &json_style_line);
        str_addf(&text, ",\"status\":\"%s\"}\n", status_name(status));
    } else {
        clean_add(&text, message->id, app->clean);
        str_addf(&text, " %s\n", status_name(status));
    }
    app_put(&text);
    str_free(&text);
    return EXIT_DONE;
}

static int mark_ids(struct app *app, struct model *model, enum status status)
{
    int code = EXIT_DONE;

    for (int i = 0; i < app->operand_count - 1; i++) {
        struct err err;
        struct message *message = model_find(model, span_of(app->operands[i]), &err);
        code = worse(code, message ? change_and_print(app, message, status) : app_fail(app, &err));
    }
    return code;
}

static int mark_all(struct app *app, struct model *model, enum status status)
{
    struct span agent = span_of(app->operands[0]);
    size_t marked = 0;
    int code = EXIT_DONE;

    model_sort(model->messages, model->count, message_cmp_urgency);
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->damaged || message->place->archived || !span_eq(message->to, agent) ||
            !status_may_become(message->status, status))
            continue;
        /* A whole box going to "read" must not take back what is marked as failed. */
        if (message->status == STATUS_FAILED && status < STATUS_FAILED)
            continue;
        code = worse(code, change_and_print(app, message, status));
        marked++;
    }
    if (!marked)
        app_note(app, "no message of \"%.*s\" can become %s", (int)agent.len, agent.at,
                 status_name(status));
    return marked ? code : EXIT_NOTHING;
}

static int run_mark(struct app *app)
{
    const char *word = app->operands[app->operand_count - 1];
    bool all = app_has(app, "all");
    struct load load = {.inbox = true, .archive = !all};
    struct model model = {0};
    enum status status;
    struct err err;
    int code;

    if (!status_parse(span_of(word), &status) || status == STATUS_UNREAD ||
        status == STATUS_ARCHIVED)
        return app_misused(app, "mark ends with read, processing, completed or failed, not \"%s\"",
                           word);
    if (all && app->operand_count != 2)
        return app_misused(app, "mark --all takes one AGENT and a state");
    if (app_has(app, "keep") && status != STATUS_COMPLETED)
        return app_misused(app, "--keep goes with completed");
    if (status == STATUS_COMPLETED && !app_has(app, "keep"))
        status = STATUS_ARCHIVED;
    if (!store_load(app->store, &load, &model, &err))
        code = app_fail(app, &err);
    else
        code = all ? mark_all(app, &model, status) : mark_ids(app, &model, status);
    model_free(&model);
    return code;
}

const struct command command_mark = {
    .name = "mark",
    .operands = "ID... (read | processing | completed | failed)",
    .summary = "change the state of messages; completed ones go to the archive",
    .options = options,
    .writes = true,
    .least = 2,
    .most = -1,
    .run = run_mark};
