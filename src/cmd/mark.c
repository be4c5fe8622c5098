/* mark: change the state of messages. */
#include "cmd/changing.h"
#include "cmd/command.h"

static const struct option_spec options[] = {
    {.name = "all", .help = "takes an AGENT instead of IDs: every message of theirs that can be"},
    {.name = "keep", .help = "completed messages stay in the inbox"},
    {0},
};

/* A whole box going to "read" must not take back what is marked as failed. */
static bool is_swept(const struct message *message, enum status status)
{
    return status_may_become(message->status, status) &&
           (message->status != STATUS_FAILED || status > STATUS_FAILED);
}

static bool find_all(struct app *app, struct targets *targets, const struct model *model,
                     enum status status, struct err *err)
{
    struct span agent = span_of(app->operands[0]);

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        if (message->damaged || !span_eq(message->to, agent))
            continue;
        if (message->place->archived && status == STATUS_ARCHIVED)
            message = model_inbox_copy(model, message);
        if (message && !message->place->archived && is_swept(message, status))
            targets_add(targets, message);
    }
    return targets->count || err_set(err, ERR_ABSENT, "no message of \"%.*s\" can become %s",
                                     (int)agent.len, agent.at, status_name(status));
}

static int mark(struct app *app, enum status status)
{
    bool all = app_has(app, "all");
    struct load load = {.inbox = true, .archive = !all};
    struct targets targets = {0};
    struct model model = {0};
    struct err err;
    int code;

    if (!store_load(app->store, &load, &model, &err))
        code = app_fail(app, &err);
    else if (all ? !find_all(app, &targets, &model, status, &err)
                 : !targets_find(&targets, &model, app->operands, app->operand_count - 1, &err))
        code = app_fail(app, &err);
    else
        code = targets_change(app, &model, &targets, status);
    targets_free(&targets);
    model_free(&model);
    return code;
}

static int run_mark(struct app *app)
{
    const char *word = app->operands[app->operand_count - 1];
    enum status status;

    if (!status_parse(span_of(word), &status) || status == STATUS_UNREAD ||
        status == STATUS_ARCHIVED)
        return app_misused(app, "mark ends with read, processing, completed or failed, not \"%s\"",
                           word);
    if (app_has(app, "all") && app->operand_count != 2)
        return app_misused(app, "mark --all takes one AGENT and a state");
    if (app_has(app, "keep") && status != STATUS_COMPLETED)
        return app_misused(app, "--keep goes with completed");
    if (status == STATUS_COMPLETED && !app_has(app, "keep"))
        status = STATUS_ARCHIVED;
    return mark(app, status);
}

const struct command command_mark = {
    .name = "mark",
    .operands = "(ID... | --all AGENT) (read | processing | completed | failed)",
    .summary = "change the state of messages; completed ones go to the archive",
    .options = options,
    .writes = true,
    .least = 2,
    .most = -1,
    .run = run_mark};
