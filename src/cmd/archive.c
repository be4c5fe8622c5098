/* archive: put messages away. */
#include "cmd/changing.h"
#include "cmd/command.h"

static const struct option_spec options[] = {
    {.name = "note", .value = "TEXT", .help = "what was done, where the layout keeps such a note"},
    {0},
};

static int archive_one(struct app *app, struct model *model, const char *id)
{
    struct err err;
    struct message *message = model_find(model, span_of(id), &err);

    if (!message)
        return app_fail(app, &err);
    const struct format *format = store_source(app->store, message->place->source)->format;
    if (app_has(app, "note") && !(format->fields & FIELD_NOTE)) {
        err_set(&err, ERR_REFUSED, "the layout %s keeps no note with an archived message",
                format->title);
        return app_fail(app, &err);
    }
    return change_and_print(app, message, STATUS_ARCHIVED);
}

static int run_archive(struct app *app)
{
    struct load all = {.inbox = true, .archive = true};
    struct model model = {0};
    struct err err;
    int code = EXIT_DONE;

    if (!store_load(app->store, &all, &model, &err))
        code = app_fail(app, &err);
    else
        for (int i = 0; i < app->operand_count; i++)
            code = worse(code, archive_one(app, &model, app->operands[i]));
    model_free(&model);
    return code;
}

const struct command command_archive = {.name = "archive",
                                        .operands = "ID...",
                                        .summary = "put messages away",
                                        .options = options,
                                        .writes = true,
                                        .least = 1,
                                        .most = -1,
                                        .run = run_archive};
