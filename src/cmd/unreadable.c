/* Finding and reporting places that could not be read. */
#include "cmd/unreadable.h"

#include "base/io_error.h"

struct selection unreadable_find(const struct app *app, const struct model *model,
                                 enum unreadable_scope scope)
{
    bool ours_only = scope == UNREADABLE_OURS || app->own_only;
    struct selection places = {0};

    for (size_t i = 0; i < model->count; i++) {
        struct message *message = model->messages[i];
        if (message->unread_bytes && (scope == UNREADABLE_ANY || !message->place->archived) &&
            (!ours_only || message_hides_ours(message)))
            selection_add(&places, message);
    }
    return places;
}

struct selection unreadable_find_of(const struct app *app, const struct model *model,
                                    struct span agent)
{
    struct selection places = {0};

    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i]->unread_bytes &&
            mail_filter_is_in_box(app, model->messages[i], agent))
            selection_add(&places, model->messages[i]);
    return places;
}

bool unreadable_is_place(const struct app *app, const struct message *message)
{
    const struct source *source = store_source(app->store, message->place->source);

    return message->whole_folder ||
           (message->unread_bytes && source->format->storage != STORAGE_FILES);
}

static void note_errors(const struct app *app, enum io_error_kind kind)
{
    CLEANUP(str_free) struct str path = {0}, reason = {0};
    bool some = false;

    for (; io_error_take(kind, &path, &reason); some = true) {
        if (path.len)
            unreadable_note_path(app, str_c(&path), str_c(&reason));
        else
            app_note(app, "%s", str_c(&reason));
    }
    if (some)
        unreadable_note_more(app, io_error_count(kind));
}

int unreadable_finish(const struct app *app, int code)
{
    int nothing = app->command->examines ? EXIT_DONE : EXIT_NOTHING;

    note_errors(app, IO_ERROR_OTHER);
    return code == nothing && io_error_count(IO_ERROR_OTHER) ? EXIT_FAILED : code;
}

bool unreadable_hides(const struct app *app, struct err *err)
{
    char text[sizeof err->text];

    if (err->scope != ERR_ABSENT ||
        !(io_error_count(IO_ERROR_OTHER) || io_error_count(IO_ERROR_MAIL)))
        return false;
    note_errors(app, IO_ERROR_OTHER);
    note_errors(app, IO_ERROR_MAIL);
    memcpy(text, err->text, sizeof text);
    err_set(err, ERR_SOURCE, "as far as it could be read: %s", text);
    return true;
}

bool unreadable_is_message(const struct message *message, struct err *err)
{
    if (!message->unread_bytes)
        return false;
    err_set(err, ERR_MESSAGE, "it cannot be read: %s", message->damaged);
    message_err_at(err, message);
    return true;
}

static int exit_code(const struct selection *places, bool found)
{
    return found ? EXIT_DONE : places->count ? EXIT_FAILED : EXIT_NOTHING;
}

void unreadable_note_path(const struct app *app, const char *path, const char *reason)
{
    app_note(app, "%s: it cannot be read: %s", path, reason);
}

void unreadable_note_more(const struct app *app, size_t count)
{
    if (count > UNREADABLE_NAMED)
        app_note(app, "%zu more places cannot be read; swarmutt doctor names them",
                 count - UNREADABLE_NAMED);
}

static void note_place(const struct app *app, const struct message *message)
{
    CLEANUP(str_free) struct str path = {0};

    message_add_path(&path, message, true);
    unreadable_note_path(app, str_c(&path), message->damaged);
}

void unreadable_note(const struct app *app, enum live_event event, const struct message *message)
{
    if (event != LIVE_GONE && message->unread_bytes)
        note_place(app, message);
}

int unreadable_report(const struct app *app, const struct selection *places, bool found)
{
    for (size_t i = 0; i < places->count && i < UNREADABLE_NAMED; i++)
        note_place(app, places->items[i]);
    unreadable_note_more(app, places->count);
    return exit_code(places, found);
}

void unreadable_report_mail(const struct app *app)
{
    note_errors(app, IO_ERROR_MAIL);
}

int unreadable_report_live(const struct app *app, const struct live *live, bool found, bool silent)
{
    CLEANUP(model_free) struct model model = {0};

    live_view(live, &model);
    CLEANUP(selection_free) struct selection places = unreadable_find(app, &model, UNREADABLE_ANY);
    int code = exit_code(&places, found);
    if (!silent) {
        unreadable_report(app, &places, found);
        note_errors(app, IO_ERROR_OTHER);
    }
    return code;
}
