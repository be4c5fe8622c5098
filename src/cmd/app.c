/* Options, errors, remarks and output of all commands. */
#include "cmd/app.h"

#include "base/io_error.h"
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/mail_filter.h"
#include "cmd/write/dry_run.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Options, errors, remarks, loading. */

const char *app_value(const struct app *app, const char *name)
{
    for (size_t i = app->given_count; i--;)
        if (strcmp(app->given[i].name, name) == 0)
            return app->given[i].value;
    return NULL;
}

bool app_has(const struct app *app, const char *name)
{
    for (size_t i = 0; i < app->given_count; i++)
        if (strcmp(app->given[i].name, name) == 0)
            return true;
    return false;
}

struct span app_text(const struct app *app, const char *name)
{
    return span_of(app_value(app, name));
}

void app_values(const struct app *app, const char *name, struct span_list *list)
{
    for (size_t i = 0; i < app->given_count; i++)
        if (strcmp(app->given[i].name, name) == 0)
            span_list_add(list, span_of(app->given[i].value));
}

bool app_json(const struct app *app)
{
    return app_has(app, "json");
}

int64_t app_now(const struct app *app)
{
    return app->now_us == TIME_NONE ? time_now() : app->now_us;
}

static void write_error_line(const struct app *app, struct span text)
{
    CLEANUP(str_free) struct str line = {0};

    if (app->capture) {
        str_add_span(&app->capture->words, text);
        str_putc(&app->capture->words, '\0');
        return;
    }
    str_puts(&line, "swarmutt: ");
    sanitize_add(&line, text, app->sanitize_error | SANITIZE_LINE);
    str_putc(&line, '\n');
    fflush(stdout);
    fwrite(line.at, 1, line.len, stderr);
}

int app_fail(const struct app *app, const struct err *error)
{
    struct err err = *error;

    unreadable_hides(app, &err);
    if (app->capture && err.about) /* the program that reads it has its own name for the option */
        str_addf(&app->capture->words, "--%s: ", err.about);
    write_error_line(app, span_of(err.text));
    log_add(app->log, "error: %s", err.text);
    switch (err.scope) {
    case ERR_ABSENT:
        return EXIT_NOTHING;
    case ERR_USAGE:
        return EXIT_USAGE;
    case ERR_REFUSED:
        return EXIT_REFUSED;
    case ERR_UNCONFIRMED:
        return EXIT_UNCONFIRMED;
    case ERR_NONE:
    case ERR_MESSAGE:
    case ERR_BOX:
    case ERR_SOURCE:
        break;
    }
    return EXIT_FAILED;
}

__attribute__((format(printf, 3, 0))) static void misuse(const struct app *app, struct err *err,
                                                         const char *format, va_list args)
{
    CLEANUP(str_free) struct str text = {0};
    char sentence[512];

    vsnprintf(sentence, sizeof sentence, format, args);
    str_puts(&text, sentence);
    if (!app->capture)
        str_addf(&text, "; see swarmutt %s%s--help", app->command ? app->command->name : "",
                 app->command ? " " : "");
    err_set(err, ERR_USAGE, "%s", str_c(&text));
}

bool app_misuse(const struct app *app, struct err *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    misuse(app, err, format, args);
    va_end(args);
    return false;
}

int exit_worse(int a, int b)
{
    return a > b ? a : b;
}

int app_misused(const struct app *app, const char *format, ...)
{
    struct err err;
    va_list args;

    va_start(args, format);
    misuse(app, &err, format, args);
    va_end(args);
    return app_fail(app, &err);
}

void app_note(const struct app *app, const char *format, ...)
{
    char sentence[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    write_error_line(app, span_of(sentence));
}

void app_tell(void *context, const char *sentence)
{
    app_note(context, "%s", sentence);
}

void app_put(const struct app *app, const struct str *text)
{
    if (app->capture)
        str_add_span(&app->capture->out, str_span(text));
    else
        fwrite(str_c(text), 1, text->len, stdout);
}

void app_note_marks(const struct app *app)
{
    const char *problem = store_state_problem(app->store);

    if (!problem)
        return;
    app_note(app, "marks that were made here are not shown: %s", problem);
    io_error_reported(problem);
}

const struct load load_everything = {.inbox = true, .archive = true};

bool app_load(const struct app *app, const struct load *load, struct model *model, struct err *err)
{
    bool ok = store_load(app->store, load, model, err);

    if (ok)
        app_note_marks(app);
    return ok;
}

void app_seen(const struct app *app, struct message *const *messages, size_t count)
{
    struct err err;

    if (!app_has(app, "readonly") && !store_mark_seen(app->store, messages, count, &err))
        log_add(app->log, "not noted as seen: %s", err.text);
}

/* Limits for a message without its text, and for its id in a sentence: senders choose both. */
enum { BARE_MAX = 65536, ID_SHOWN = 100 };

struct render_options app_render_options(const struct app *app)
{
    return (struct render_options){.clean = app->clean, .now_us = app_now(app)};
}

/* Appends the object without the parts whose size the sender chooses. */
static void add_bare(const struct app *app, struct str *out, const struct message *message)
{
    struct message bare = *message;
    struct message_data data = {.read_us = message->data ? message->data->read_us : TIME_NONE,
                                .completed_us =
                                    message->data ? message->data->completed_us : TIME_NONE};

    bare.data = &data;
    store_add_json(app->store, out, &bare);
}

static void note_left_out(const struct app *app, const struct message *message, size_t size,
                          bool all)
{
    struct span id = message->id;
    CLEANUP(str_free) struct str path = {0};

    message_add_path(&path, message, true);
    app_note(app, "%.*s: %s, since it would make the result too large (%zu KiB); it is in %s",
             (int)(id.len < ID_SHOWN ? id.len : ID_SHOWN), id.at,
             all ? "it is left out" : "its text is left out", size / 1024, str_c(&path));
}

static void add_for_program(const struct app *app, struct str *out, const struct message *message)
{
    struct capture *capture = app->capture;
    CLEANUP(str_free) struct str object = {0};

    store_add_json(app->store, &object, message);
    if (object.len > capture->room) {
        size_t size = object.len;
        str_clear(&object);
        add_bare(app, &object, message);
        bool all = object.len > BARE_MAX;
        if (all)
            str_clear(&object);
        if (capture->giving)
            note_left_out(app, message, size, all);
    }
    capture->room -= object.len < capture->room ? object.len : capture->room;
    str_add_span(out, str_span(&object));
    if (!capture->giving)
        return;
    capture->giving--;
    capture->given(capture->context, message);
}

void app_add_json(const struct app *app, struct str *out, const struct message *message)
{
    if (app->capture)
        add_for_program(app, out, message);
    else
        store_add_json(app->store, out, message);
}

size_t app_put_message(const struct app *app, const struct message *message, enum output output)
{
    return app_put_told(app, message, output, (struct span){0});
}

void app_note_escaped(const struct app *app, size_t escaped)
{
    if (escaped)
        app_note(app,
                 "%zu character%s that nobody would see, or that a terminal would obey, %s written "
                 "out in this text",
                 escaped, escaped == 1 ? "" : "s", escaped == 1 ? "is" : "are");
}

size_t app_put_told(const struct app *app, const struct message *message, enum output output,
                    struct span handoff)
{
    const struct source *source = store_source(app->store, message->place->source);
    struct render_options style = app_render_options(app);
    CLEANUP(str_free) struct str text = {0};
    size_t escaped = 0;
    struct message copy = *message, *one = &copy;

    switch (output) {
    case OUTPUT_TEXT:
        style.handoff = handoff;
        render_text(&text, message, &style);
        break;
    case OUTPUT_MARKDOWN:
        style.escaped = app->to_terminal ? NULL : &escaped;
        render_markdown(&text, message, &style);
        str_putc(&text, '\n');
        break;
    case OUTPUT_PROMPT:
        if (source->format->one_for_all)
            render_event(&text, message, &style);
        else
            render_prompt(&text, &one, 1, message->priority, &style);
        break;
    case OUTPUT_XML:
        render_xml(&text, message, &style);
        break;
    case OUTPUT_JSON:
        app_add_json(app, &text, message);
        break;
    }
    app_put(app, &text);
    return escaped;
}

void app_put_whole(const struct app *app, const struct message *message)
{
    CLEANUP(batch_free) struct batch batch = {0};
    struct err err = {0};
    struct message *whole = message->damaged || (message->data && message->data->body.at)
                                ? NULL
                                : store_fetch(app->store, message, &batch, &err);

    if (!whole)
        io_error_note_err(&err);
    app_put_message(app, whole ? whole : message, OUTPUT_JSON);
}

void app_put_head(const struct app *app, const struct message *message)
{
    struct message head = *message;
    struct message_data data;

    if (message->data) {
        data = *message->data;
        data.body = (struct span){0};
        head.data = &data;
    }
    app_put_message(app, &head, OUTPUT_JSON);
}

static struct winsize screen_of(const struct app *app)
{
    struct winsize size;

    return app->to_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size
                                                                            : (struct winsize){0};
}

size_t app_columns(const struct app *app)
{
    return screen_of(app).ws_col;
}

size_t app_rows(const struct app *app)
{
    return screen_of(app).ws_row;
}

void app_add_list(const struct app *app, struct str *out, struct message *const *messages,
                  size_t count, bool hide_to)
{
    struct render_options style = app_render_options(app);
    struct render_list list = {
        .messages = messages, .count = count, .columns = app_columns(app), .hide_to = hide_to};

    render_list(out, &list, &style);
}

void app_put_list(const struct app *app, struct message *const *messages, size_t count,
                  bool hide_to)
{
    CLEANUP(str_free) struct str text = {0};

    app_add_list(app, &text, messages, count, hide_to);
    app_put(app, &text);
}

void app_put_receipt(const struct app *app, struct str *line, const struct outgoing_message *letter,
                     const struct span_list *reached)
{
    if (app_json(app)) {
        if (letter->queued)
            json_member_flag(line, "queued", true);
        if (letter->taken)
            json_member_flag(line, "taken", true);
        if (reached)
            json_member_list(line, "delivered_to", reached);
        str_putc(line, '}');
    }
    str_putc(line, '\n');
    app_put(app, line);
    if (letter->queued)
        app_note(app,
                 "queued: \"%.*s\" has not taken the message before this one yet; it goes out when "
                 "the place is free and any swarmutt runs",
                 (int)letter->draft.to.len, letter->draft.to.at);
    if (letter->warning.len)
        app_note(app, "%s", str_c(&letter->warning));
}

void app_put_id(const struct app *app, const struct outgoing_message *letter,
                const struct span_list *reached)
{
    CLEANUP(str_free) struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member(&text, "id", str_span(&letter->id));
        json_member(&text, "to", letter->draft.to);
    } else {
        sanitize_add(&text, str_span(&letter->id), app->clean);
    }
    app_put_receipt(app, &text, letter, reached);
}

int app_send(struct app *app, struct outgoing_message *letter, const struct send_options *how)
{
    struct err err;

    if (app_has(app, "dry-run"))
        return preview_and_print(app, letter, how);
    bool ok = store_send(app->store, letter, how, &err);

    if (letter->delivered || letter->queued)
        app_put_id(app, letter, NULL);
    return ok ? EXIT_DONE : app_fail(app, &err);
}
