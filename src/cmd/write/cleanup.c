/* cleanup: removes or archives old messages as the layouts do. */
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/app.h"

#include <stdio.h>

static const struct option_spec options[] = {
    {"older", "DURATION", .help = "only what is older than this, instead of the layout's own age"},
    {"dry-run", .help = "only count"},
    {"clear", "AGENT@TEAM", .kinds = WORD_AGENT,
     .help = "empty this inbox of an orphaned team, after copying it here"},
    {0},
};

static const char *deed(const struct format *format, bool clear, bool dry_run)
{
    if (!clear && format->cleaning == CLEANING_DONE)
        return dry_run ? "would be archived" : "archived";
    if (clear)
        return dry_run ? "would be cleared" : "cleared";
    return dry_run ? "would be removed" : "removed";
}

static void put_result(const struct app *app, const struct source *source,
                       const struct cleaned *result, const char *what)
{
    CLEANUP(str_free) struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member_word(&text, "source", source->path);
        json_member_word(&text, "format", source->format->name);
        json_member_count(&text, "count", result->count);
        json_member_count(&text, "failed", result->failed);
        json_member_word(&text, "done", what);
        str_puts(&text, "}\n");
    } else {
        str_addf(&text, "%zu %s %s in ", result->count, result->count == 1 ? "message" : "messages",
                 what);
        sanitize_add(&text, span_of(source->path), app->clean);
        str_putc(&text, '\n');
    }
    app_put(app, &text);
}

static int sanitize_one(struct app *app, uint32_t index, const struct cleaning *cleaning,
                        bool *changed)
{
    const struct source *source = store_source(app->store, index);
    struct span clear = app_text(app, "clear");
    struct cleaned result = {0};
    struct err err;

    if (!store_cleanup(app->store, index, cleaning, clear, &result, &err))
        return app_fail(app, &err);
    *changed |= result.count && !cleaning->dry_run;
    put_result(app, source, &result, deed(source->format, clear.at, cleaning->dry_run));
    return result.failed ? app_fail(app, &result.err) : EXIT_DONE;
}

static int run_cleanup(struct app *app)
{
    struct cleaning cleaning = {.older_us = TIME_NONE, .dry_run = app_has(app, "dry-run")};
    bool clear = app_has(app, "clear"), changed = false;
    struct err err;
    int worst = EXIT_DONE;

    if (!app_duration(app, "older", 0, &cleaning.older_us, &err))
        return app_fail(app, &err);
    if (app_has(app, "older") && clear)
        return app_misused(app, "--older and --clear exclude each other");
    for (uint32_t i = 0; i < store_source_count(app->store); i++) {
        const struct format *format = store_source(app->store, i)->format;
        bool one = store_source_count(app->store) == 1;
        if (clear ? !one && format->storage != STORAGE_ARRAY
                  : format->cleaning == CLEANING_NOTHING) {
            if (one)
                app_note(app, "there is nothing to clean up in the layout %s", format->title);
            continue;
        }
        worst = exit_worse(worst, sanitize_one(app, i, &cleaning, &changed));
    }
    /* EXIT_FAILED would say that nothing was changed */
    return changed && worst > EXIT_DONE ? EXIT_UNCONFIRMED : worst;
}

const struct command command_cleanup = {.name = "cleanup",
                                        .summary = "remove or archive what is old and done with",
                                        .options = options,
                                        .writes = true,
                                        .run = run_cleanup};
