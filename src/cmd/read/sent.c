/* sent: shows the delivery status of sent messages for each recipient. */
#include "base/io_error.h"
#include "base/mem.h"
#include "cmd/app.h"
#include "cmd/mail_filter.h"
#include "mail/render/render_sent.h"

#include <stdlib.h>

static const struct option_spec options[] = {
    {"limit", "N", .help = "at most this many, the newest"},
    {0},
};

static void put_json(const struct app *app, const struct delivery_statuses *statuses,
                     uint32_t first, size_t count)
{
    CLEANUP(str_free) struct str text = {0};

    for (size_t i = 0; i < statuses->count; i++) {
        const struct delivery_status *delivery = &statuses->items[i];
        const struct source *source = store_source(app->store, delivery->source);
        if (delivery->thing >= first && delivery->thing - first < count)
            render_delivery_json(&text, delivery, source->format->name, span_of(source->path));
    }
    app_put(app, &text);
}

static void put_text(const struct app *app, const struct delivery_statuses *statuses,
                     const uint32_t *thing, size_t limit)
{
    struct render_options style = app_render_options(app);
    CLEANUP(str_free) struct str text = {0};

    if (thing)
        render_delivery(&text, statuses, *thing, &style);
    else
        render_delivery_statuses(&text, statuses, limit, app_columns(app), &style);
    app_put(app, &text);
}

/* Replaces the error if somebody else sent the message. Returns false. */
static bool say_whose(const struct model *model, struct span id, struct err *err)
{
    const struct message *message = model_find(model, id, NULL);

    if (message && !message->by_us)
        err_set(err, ERR_ABSENT,
                "%.*s was not sent by you but by \"%.*s\"; see it with show, or say with --as who "
                "you are",
                (int)message->id.len, message->id.at, (int)message->from.len,
                message->from.at ? message->from.at : "");
    return false;
}

static bool put_sent(struct app *app, const struct model *model,
                     const struct delivery_statuses *statuses, size_t limit, struct err *err)
{
    struct span id = app->operand_count ? span_of(app->operands[0]) : (struct span){0};
    uint32_t thing = 0;

    if (id.at && !delivery_statuses_find(statuses, id, &thing, err))
        return err->scope == ERR_ABSENT ? say_whose(model, id, err) : false;
    if (!statuses->count)
        return err_set(err, ERR_ABSENT, "nothing was sent yet");
    if (app_json(app))
        put_json(app, statuses, thing, id.at ? 1 : limit);
    else
        put_text(app, statuses, id.at ? &thing : NULL, limit);
    return true;
}

static int run_sent(struct app *app)
{
    struct load load = {
        .inbox = true, .archive = true, .want = WANT_DATA, .want_shared = WANT_BODY};
    size_t count = store_source_count(app->store), limit;
    CLEANUP(mem_free) struct delivery_source *sources = mem_zero(count + 1, sizeof *sources);
    CLEANUP(delivery_notes_free) struct delivery_notes notes = {0};
    CLEANUP(delivery_statuses_free) struct delivery_statuses statuses = {0};
    CLEANUP(model_free) struct model model = {0};
    struct err err, problem;

    for (size_t i = 0; i < count; i++)
        sources[i] = store_delivery_source(app->store, i);
    if (!app_limit(app, &limit))
        return EXIT_USAGE;
    /* Read the notes first: a message that is delivered between the two reads would otherwise count
     * as vanished. */
    if (!store_sent(app->store, &notes, &problem)) {
        app_note(app, "only what is in the mailboxes is shown: %s", problem.text);
        io_error_note_err(&problem);
        io_error_reported(problem.text);
    }
    if (!app_load(app, &load, &model, &err))
        return app_fail(app, &err);
    delivery_statuses_build(&statuses, &model, &notes, sources, app_now(app));
    if (!put_sent(app, &model, &statuses, limit, &err))
        return app_fail(app, &err);
    unreadable_report_mail(app);
    return EXIT_DONE;
}

const struct command command_sent = {.name = "sent",
                                     .operands = "[ID]",
                                     .takes = {{.kinds = WORD_SENT}},
                                     .summary = "what became of what was sent",
                                     .options = options,
                                     .most = 1,
                                     .run = run_sent};
