/* archive and restore: move messages to the archive and back. */
#include "base/mem.h"
#include "cmd/app.h"
#include "cmd/write/change_targets.h"

#include <stdlib.h>

/* archive: moves messages to the archive. */

static const struct option_spec options[] = {
    {"note", "TEXT", .help = "what was done, where the layout keeps such a note"},
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

static int restore_all(struct app *app, const struct model *model, struct targets *targets)
{
    CLEANUP(mem_free) struct changed *outcomes = mem_zero(targets->count, sizeof *outcomes);
    int worst = EXIT_DONE;

    (void)model;
    store_restore(app->store, targets->items, targets->count, outcomes);
    for (size_t i = 0; i < targets->count; i++) {
        const struct message *message = targets->items[i];
        if (!outcomes[i].ok) {
            worst = exit_worse(worst, app_fail(app, &outcomes[i].err));
            continue;
        }
        targets_put_outcome(app, message, NULL, outcomes[i].local);
        if (outcomes[i].remains)
            app_note(app, "%.*s: %s", (int)message->id.len, message->id.at, outcomes[i].remains);
    }
    return worst;
}

static int run_restore(struct app *app)
{
    return targets_run(app, true, restore_all);
}

const struct command command_restore = {.name = "restore",
                                        .operands = "ID...",
                                        .takes = {{.kinds = WORD_ARCHIVED, .more = true}},
                                        .summary = "bring messages back out of the archive",
                                        .writes = true,
                                        .least = 1,
                                        .most = -1,
                                        .run = run_restore};
