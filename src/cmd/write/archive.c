/* archive: put messages away. */
#include "cmd/app.h"
#include "cmd/write/changing.h"

static const struct option_spec options[] = {
    {.name = "note", .value = "TEXT", .help = "what was done, where the layout keeps such a note"},
    {0},
};

static bool can_keep_note(const struct app *app, const struct targets *targets, struct err *err)
{
    for (size_t i = 0; app_has(app, "note") && i < targets->count; i++)
        if (!change_keeps_note(store_source(app->store, targets->items[i]->place->source), err))
            return false;
    return true;
}

static int archive_all(struct app *app, const struct model *model, struct targets *targets)
{
    struct err err;

    if (!can_keep_note(app, targets, &err))
        return app_fail(app, &err);
    return targets_change(app, model, targets, STATUS_ARCHIVED, app_text(app, "note"));
}

static int run_archive(struct app *app)
{
    return targets_run(app, false, archive_all);
}

const struct command command_archive = {.name = "archive",
                                        .operands = "ID...",
                                        .takes = {{.kinds = WORD_MESSAGE, .more = true}},
                                        .summary = "put messages away",
                                        .options = options,
                                        .writes = true,
                                        .least = 1,
                                        .most = -1,
                                        .run = run_archive};
