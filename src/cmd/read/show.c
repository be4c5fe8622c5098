/* show: prints one whole message. */
#include "base/text/sanitize.h"
#include "cmd/read/handoffs.h"
#include "cmd/words.h"

static const struct option_spec options[] = {
    {"raw", .help = "the bytes of its file"},
    {"yes", .help = "raw bytes may go to a terminal"},
    {"format", "FORMAT", .word = words_output, .help = "text, markdown, prompt, xml or json"},
    {0},
};

static bool put_raw(struct app *app, const struct message *message, struct err *err)
{
    CLEANUP(str_free) struct str bytes = {0};

    if (app->to_terminal && !app_has(app, "yes"))
        return err_set(err, ERR_REFUSED,
                       "raw bytes can take a terminal over; send them to a file or a pipe, or add "
                       "--yes");
    if (!store_raw(app->store, message, &bytes, err))
        return false;
    app_put(app, &bytes);
    return true;
}

/* Prints the sanitized bytes of a damaged message, because they may still be readable. */
static void put_bytes(struct app *app, const struct message *message)
{
    CLEANUP(str_free) struct str bytes = {0}, text = {0};
    struct err ignored;

    if (store_raw(app->store, message, &bytes, &ignored)) {
        sanitize_add(&text, str_span(&bytes), app->clean | SANITIZE_LINES);
        if (text.len && text.at[text.len - 1] != '\n')
            str_putc(&text, '\n');
        app_put(app, &text);
    }
}

static bool put_damaged(struct app *app, const struct message *message, enum output output,
                        struct err *err)
{
    if (output == OUTPUT_JSON) {
        app_put_message(app, message, output);
        return true;
    }
    if (output == OUTPUT_TEXT && !message->unread_bytes)
        put_bytes(app, message);
    err_set(err, ERR_MESSAGE, "it is damaged: %s%s", message->damaged,
            message->unread_bytes ? "" : "; see it with show --raw");
    return message_err_at(err, message);
}

/* Prints the message; the head of a handoff shows its progress. */
static bool put_message(struct mail_view *view, const struct message *head,
                        const struct message *whole, enum output output, struct err *err)
{
    CLEANUP(str_free) struct str handoff = {0};

    if (output == OUTPUT_TEXT && head->kind == KIND_HANDOFF && !mail_view_derive(view, true, err))
        return false;
    handoff_states_add(view, head, &handoff);
    app_note_escaped(view->app, app_put_told(view->app, whole, output, str_span(&handoff)));
    return true;
}

static bool show_message(struct mail_view *view, struct batch *batch, struct err *err)
{
    struct app *app = view->app;
    unsigned output; /* of enum output */

    if (app_has(app, "raw") && (app_json(app) || app_has(app, "format")))
        return app_misuse(app, err, "--raw goes with neither --json nor --format");
    if (!app_format(app, words_output, &output, err) ||
        !mail_view_load(view, &load_everything, err))
        return false;
    struct message *head = model_find(&view->model, span_of(app->operands[0]), err);
    if (!head)
        return false;
    if (app_has(app, "raw"))
        return put_raw(app, head, err);
    struct message *whole = store_fetch(app->store, head, batch, err);
    if (!whole && head->damaged)
        return put_damaged(app, head, output, err);
    if (!whole)
        return false;
    if (head->unread_bytes)
        app_note(app, "what was noted of it here is left out: at first it could not be read: %s",
                 head->damaged);
    if (!put_message(view, head, whole, output, err))
        return false;
    app_seen(app, &head, 1);
    if (whole->damaged && output != OUTPUT_TEXT && output != OUTPUT_JSON)
        app_note(app, "the agent cannot read this message: %s", whole->damaged);
    return true;
}

static int run_show(struct app *app)
{
    CLEANUP(mail_view_free) struct mail_view view = {.app = app};
    CLEANUP(batch_free) struct batch batch = {0};
    struct err err;

    return show_message(&view, &batch, &err) ? EXIT_DONE : app_fail(app, &err);
}

const struct command command_show = {.name = "show",
                                     .operands = "ID",
                                     .takes = {{.kinds = WORD_MESSAGE}},
                                     .summary = "one message, whole",
                                     .options = options,
                                     .least = 1,
                                     .most = 1,
                                     .run = run_show};
