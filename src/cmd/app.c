/* What all subcommands share: option values, errors, printing. */
#include "base/clean.h"
#include "base/file.h"
#include "base/json_print.h"
#include "base/utf8.h"
#include "cmd/command.h"
#include "cmd/previewing.h"
#include "mail/render.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
    return app->now_us == WHEN_NONE ? when_now() : app->now_us;
}

static void say(const struct app *app, struct span text)
{
    struct str line = {0};

    if (app->capture) {
        str_add_span(&app->capture->words, text);
        str_putc(&app->capture->words, '\0');
        return;
    }
    str_puts(&line, "swarmutt: ");
    clean_add(&line, text, app->clean_error | CLEAN_LINE);
    str_putc(&line, '\n');
    fflush(stdout);
    fwrite(line.at, 1, line.len, stderr);
    str_free(&line);
}

int app_fail(const struct app *app, const struct err *err)
{
    say(app, span_of(err->text));
    log_add(app->log, "error: %s", err->text);
    switch (err->scope) {
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

int app_misused(const struct app *app, const char *format, ...)
{
    struct str text = {0};
    char sentence[512];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    str_puts(&text, sentence);
    if (!app->capture)
        str_addf(&text, "; see swarmutt %s%s--help", app->command ? app->command->name : "",
                 app->command ? " " : "");
    say(app, str_span(&text));
    str_free(&text);
    return EXIT_USAGE;
}

void app_note(const struct app *app, const char *format, ...)
{
    char sentence[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    say(app, span_of(sentence));
}

void app_put(const struct app *app, const struct str *text)
{
    if (app->capture)
        str_add_span(&app->capture->out, str_span(text));
    else
        fwrite(str_c(text), 1, text->len, stdout);
}

bool app_priority(const struct app *app, const char *name, enum priority *priority)
{
    const char *word = app_value(app, name);

    if (!word || priority_parse(span_of(word), priority))
        return true;
    app_misused(app, "--%s takes low, normal, high or urgent, not \"%s\"", name, word);
    return false;
}

bool app_limit(const struct app *app, size_t *limit)
{
    const char *text = app_value(app, "limit");
    char *end;

    *limit = SIZE_MAX;
    if (!text)
        return true;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end) {
        app_misused(app, "--limit takes a number, not \"%s\"", text);
        return false;
    }
    *limit = number;
    return true;
}

static bool read_stream(FILE *stream, struct str *text)
{
    for (;;) {
        size_t got = fread(str_room(text, 65536), 1, 65536, stream);
        text->len += got;
        text->at[text->len] = '\0';
        if (!got || text->len > FILE_SIZE_MAX) /* more is refused anyway */
            return !ferror(stream);
    }
}

bool app_read(const char *path, const char *what, struct str *text, struct err *err)
{
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    bool ok = stream && read_stream(stream, text);

    if (!ok)
        err_set(err, ERR_SOURCE, "%s: the %s cannot be read: %s; nothing was sent", path, what,
                strerror(errno));
    if (stream && stream != stdin)
        fclose(stream);
    return ok;
}

bool app_body(const struct app *app, struct str *body, bool *present, struct err *err)
{
    const char *text = app_value(app, "body"), *file = app_value(app, "body-file");
    bool reads = !app->capture; /* standard input is the command's own */
    bool text_dash = reads && text && strcmp(text, "-") == 0; /* nobody means to send a dash */
    bool dash =
        reads && app->operand_count && strcmp(app->operands[app->operand_count - 1], "-") == 0;

    *present = text || file || dash;
    if ((text != NULL) + (file != NULL) + dash > 1)
        return err_set(err, ERR_USAGE, "only one of --body, --body-file and - can give the body");
    if (text && !text_dash)
        str_puts(body, text);
    else if (*present && !app_read(dash || text_dash ? "-" : file, "body", body, err))
        return false;
    if (!utf8_valid(str_span(body)))
        return err_set(err, ERR_REFUSED, "the body is not UTF-8; nothing was sent");
    return true;
}

bool app_object(const struct app *app, const char *name, struct span *object, struct err *err)
{
    struct str where = {0};

    str_addf(&where, "--%s", name);
    *object = app_text(app, name);
    bool ok = draft_read_object(str_c(&where), object, err);
    str_free(&where);
    return ok;
}

bool app_output(const struct app *app, enum output *output, struct err *err)
{
    static const char *const names[] = {[OUTPUT_TEXT] = "text",
                                        [OUTPUT_MARKDOWN] = "markdown",
                                        [OUTPUT_PROMPT] = "prompt",
                                        [OUTPUT_JSON] = "json",
                                        [OUTPUT_XML] = "xml"};
    const char *word = app_value(app, "format");

    *output = app_json(app) ? OUTPUT_JSON : OUTPUT_TEXT;
    if (!word)
        return true;
    if (app_json(app) && strcmp(word, "json") != 0)
        return err_set(err, ERR_USAGE, "--json and --format %s exclude each other", word);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(word, names[i]) == 0) {
            *output = i;
            return true;
        }
    }
    return err_set(err, ERR_USAGE, "--format takes text, markdown, prompt, xml or json, not \"%s\"",
                   word);
}

struct render_style app_style(const struct app *app)
{
    return (struct render_style){.clean = app->clean, .now_us = app_now(app)};
}

void app_add_json(const struct app *app, struct str *out, const struct message *message)
{
    store_add_json(app->store, out, message);
    if (app->capture && app->capture->given)
        app->capture->given(app->capture->context, message);
}

void app_put_message(const struct app *app, const struct message *message, enum output output)
{
    app_put_told(app, message, output, (struct span){0});
}

void app_put_told(const struct app *app, const struct message *message, enum output output,
                  struct span handoff)
{
    const struct source *source = store_source(app->store, message->place->source);
    struct render_style style = app_style(app);
    struct str text = {0};
    struct message *one = (struct message *)(uintptr_t)message;

    switch (output) {
    case OUTPUT_TEXT:
        style.handoff = handoff;
        render_text(&text, message, &style);
        break;
    case OUTPUT_MARKDOWN:
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
    str_free(&text);
}

void app_put_whole(const struct app *app, const struct message *message)
{
    struct batch batch = {0};
    struct err err;
    struct message *whole = message->damaged || (message->data && message->data->body.at)
                                ? NULL
                                : store_fetch(app->store, message, &batch, &err);

    app_put_message(app, whole ? whole : message, OUTPUT_JSON);
    batch_free(&batch);
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
    struct render_style style = app_style(app);
    struct render_list list = {
        .messages = messages, .count = count, .columns = app_columns(app), .hide_to = hide_to};

    render_list(out, &list, &style);
}

void app_put_list(const struct app *app, struct message *const *messages, size_t count,
                  bool hide_to)
{
    struct str text = {0};

    app_add_list(app, &text, messages, count, hide_to);
    app_put(app, &text);
    str_free(&text);
}

void app_note_marks(const struct app *app)
{
    if (store_state_problem(app->store))
        app_note(app, "marks that were made here are not shown: %s",
                 store_state_problem(app->store));
}

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

bool app_verify(const struct app *app, enum verify *verify, struct err *err)
{
    if (app_has(app, "verify") && app_has(app, "no-verify"))
        return err_set(err, ERR_USAGE, "--verify and --no-verify exclude each other");
    *verify = app_has(app, "verify")      ? VERIFY_BOTH
              : app_has(app, "no-verify") ? VERIFY_NONE
                                          : VERIFY_FIRST;
    return true;
}

void app_put_id(const struct app *app, const struct letter *letter)
{
    struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member(&text, "id", str_span(&letter->id));
        json_member(&text, "to", letter->draft.to);
        if (letter->queued)
            json_member_flag(&text, "queued", true);
        str_putc(&text, '}');
    } else {
        clean_add(&text, str_span(&letter->id), app->clean);
    }
    str_putc(&text, '\n');
    app_put(app, &text);
    str_free(&text);
    app_put_remarks(app, letter);
}

void app_put_remarks(const struct app *app, const struct letter *letter)
{
    if (letter->queued)
        app_note(app,
                 "queued: \"%.*s\" has not taken the message before this one yet; it goes out when "
                 "the place is free and any swarmutt runs",
                 (int)letter->draft.to.len, letter->draft.to.at);
    if (letter->warning.len)
        app_note(app, "%s", str_c(&letter->warning));
}

int app_send(struct app *app, struct letter *letter, const struct send_options *how)
{
    struct err err;

    if (app_has(app, "dry-run"))
        return preview_and_print(app, letter, how);
    bool ok = store_send(app->store, letter, how, &err);

    if (letter->delivered || letter->queued)
        app_put_id(app, letter);
    return ok ? EXIT_DONE : app_fail(app, &err);
}
