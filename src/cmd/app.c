/* What all subcommands share: what was given, errors and remarks, loading. */
#include "cmd/app.h"

#include "base/io_error.h"
#include "base/text/clean.h"
#include "cmd/unreadable.h"

#include <stdio.h>

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

int app_fail(const struct app *app, const struct err *error)
{
    struct err err = *error;

    unreadable_hides(app, &err);
    if (app->capture && err.about) /* the program that reads it has its own word for that */
        str_addf(&app->capture->words, "--%s: ", err.about);
    say(app, span_of(err.text));
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
    struct str text = {0};
    char sentence[512];

    vsnprintf(sentence, sizeof sentence, format, args);
    str_puts(&text, sentence);
    if (!app->capture)
        str_addf(&text, "; see swarmutt %s%s--help", app->command ? app->command->name : "",
                 app->command ? " " : "");
    err_set(err, ERR_USAGE, "%s", str_c(&text));
    str_free(&text);
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
    say(app, span_of(sentence));
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
