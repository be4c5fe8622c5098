/* Parsing of option values, queries from operands, and following. */
#include "cmd/app_options.h"

#include "base/file/file.h"
#include "base/text/sanitize.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "cmd/app.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Option values: parsed here for all commands, with errors in the same form. */

bool app_duration(const struct app *app, const char *name, int64_t least_us, int64_t *lasts_us,
                  struct err *err)
{
    const char *text = app_value(app, name);

    return !text || (time_duration(span_of(text), lasts_us) && *lasts_us >= least_us) ||
           app_misuse(app, err, "--%s takes a duration such as 90s, 30m, 2h or 7d, not \"%s\"",
                      name, text);
}

bool number_parse(const char *text, unsigned long least, unsigned long most, unsigned long *number)
{
    char *end;

    *number = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *number >= least && *number <= most;
}

bool app_limit(const struct app *app, size_t *limit)
{
    const char *text = app_value(app, "limit");
    unsigned long number = SIZE_MAX;

    if (text && !number_parse(text, 0, ULONG_MAX, &number)) {
        app_misused(app, "--limit takes a number, not \"%s\"", text);
        return false;
    }
    *limit = number;
    return true;
}

bool app_refuse_word(const struct app *app, struct err *err, const char *what, const char *typed,
                     const char *(*word)(unsigned number))
{
    CLEANUP(str_free) struct str all = {0}, near = {0};

    str_add_choice(&all, word);
    suggest_hint_words(&near, span_of(typed), word);
    return app_misuse(app, err, "%s takes %s, not \"%s\"%s", what, str_c(&all), typed,
                      str_c(&near));
}

bool app_word(const struct app *app, const char *what, const char *typed,
              const char *(*word)(unsigned number), unsigned *number, struct err *err)
{
    for (*number = 0; word(*number); ++*number)
        if (strcmp(typed, word(*number)) == 0)
            return true;
    return app_refuse_word(app, err, what, typed, word);
}

bool app_format(const struct app *app, const char *(*word)(unsigned number), unsigned *number,
                struct err *err)
{
    const char *typed = app_value(app, "format");

    if (typed && app_json(app) && strcmp(typed, "json") != 0)
        return app_misuse(app, err, "--json and --format %s exclude each other", typed);
    if (!typed)
        typed = app_json(app) ? "json" : "text";
    return app_word(app, "--format", typed, word, number, err);
}

static bool read_option(const struct app *app, const struct option_spec *option, void *field,
                        struct err *err)
{
    const char *value = app_value(app, option->name);
    CLEANUP(str_free) struct str what = {0};

    str_addf(&what, "--%s", option->name);
    switch (option->kind) {
    case OPTION_OTHER:
        break;
    case OPTION_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_TEXT:
        *(struct span *)field = span_of(value);
        break;
    case OPTION_TEXTS:
        app_values(app, option->name, field);
        break;
    case OPTION_PRIORITY:
        return priority_parse(span_of(value), field) ||
               app_refuse_word(app, err, str_c(&what), value, priority_word);
    case OPTION_OBJECT:
        *(struct span *)field = span_of(value);
        return draft_read_object(str_c(&what), field, err);
    }
    return true;
}

bool app_read_options(const struct app *app, void *terms, struct err *err)
{
    const struct option_spec *option;

    for (option = app->command->options; option->name; option++)
        if (option->needed && !app_has(app, option->name))
            return app_misuse(app, err, "%s needs --%s", app->command->name, option->name);
    for (option = app->command->options; option->name; option++)
        if (app_has(app, option->name) &&
            !read_option(app, option, (char *)terms + option->at, err))
            return false;
    return true;
}

static bool read_stream(FILE *stream, struct str *text)
{
    for (;;) {
        size_t got = fread(str_room(text, 65536), 1, 65536, stream);
        text->len += got;
        text->at[text->len] = '\0';
        if (!got || text->len > FILE_SIZE_MAX) /* more is refused later */
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

/* Accepts "-" as the operand after the required ones; any other word there is a mistake. */
static bool find_dash(const struct app *app, bool *dash, struct err *err)
{
    const char *last =
        app->operand_count > app->command->least ? app->operands[app->command->least] : NULL;

    *dash = last && strcmp(last, "-") == 0;
    return !last || *dash ||
           app_misuse(app, err, "%s does not take \"%s\"", app->command->name, last);
}

bool app_body(const struct app *app, struct str *body, bool *present, struct err *err)
{
    const char *text = app_value(app, "body"), *file = app_value(app, "body-file");
    bool reads = !app->capture; /* else standard input belongs to another command */
    bool text_dash = reads && text && strcmp(text, "-") == 0; /* nobody sends just a dash */
    bool dash = false;

    if (reads && !find_dash(app, &dash, err))
        return false;
    *present = text || file || dash;
    if ((text != NULL) + (file != NULL) + dash > 1)
        return app_misuse(app, err, "only one of --body, --body-file and - can give the body");
    if (text && !text_dash)
        str_puts(body, text);
    else if (*present && !app_read(dash || text_dash ? "-" : file, "body", body, err))
        return false;
    if (!utf8_valid(str_span(body)))
        return err_set(err, ERR_REFUSED, "the body is not UTF-8; nothing was sent");
    return true;
}

bool app_verify(const struct app *app, enum verify *verify, struct err *err)
{
    if (app_has(app, "verify") && app_has(app, "no-verify"))
        return app_misuse(app, err, "--verify and --no-verify exclude each other");
    *verify = app_has(app, "verify")      ? VERIFY_BOTH
              : app_has(app, "no-verify") ? VERIFY_NONE
                                          : VERIFY_FIRST;
    return true;
}

/* Queries from operands; mistakes are printed with a mark beneath. */

/* Prints the query on a line of its own, and a mark below the position. */
static void put_mark(const struct app *app, struct span text, size_t at)
{
    unsigned mode = app->sanitize_error | SANITIZE_LINE;
    CLEANUP(str_free) struct str lines = {0}, before = {0};
    size_t columns = sanitize_add(&before, (struct span){text.at, at}, mode);

    str_puts(&lines, "  ");
    sanitize_add(&lines, text, mode);
    str_puts(&lines, "\n  ");
    str_pad(&lines, ' ', columns);
    str_puts(&lines, "^\n");
    fwrite(lines.at, 1, lines.len, stderr);
}

bool app_query_read(struct querying *querying, const struct app *app, char *const *operands,
                    int count)
{
    CLEANUP(str_free) struct str text = {0};
    struct err err;
    size_t at;

    for (int i = 0; i < count; i++) {
        if (i)
            str_putc(&text, ' ');
        str_puts(&text, operands[i]);
    }
    bool ok = querying_read(querying, app->store, str_span(&text), app->now_us, &err, &at);
    if (!ok) {
        app_note(app, "%s; see swarmutt help query", err.text);
        if (!app->capture)
            put_mark(app, str_span(&text), at);
    }
    return ok;
}

bool app_query_load(const struct app *app, struct querying *querying, const struct load *load,
                    struct model *model, struct err *err)
{
    bool ok = querying_load(querying, load, model, err);

    if (ok)
        app_note_marks(app);
    return ok;
}

bool app_watch(struct watching *watching, struct app *app, unsigned want,
               const struct config *config, const struct watching_calls *calls, void *context,
               struct err *err)
{
    struct watch_options options = {.want = want, .poll = app_has(app, "poll"), .config = config};

    if (!watching_begin(watching, app->store, &options, calls, context, err))
        return false;
    watching->tell = app_tell;
    watching->report_context = app;
    return true;
}

void app_watch_until(struct watching *watching, int64_t end_us,
                     bool (*is_enough)(const void *context))
{
    struct pollfd fds[] = {{.fd = worker_fd(watching->worker), .events = POLLIN},
                           {.fd = STDOUT_FILENO}};

    while (!watching->ready || !is_enough(watching->context)) {
        bool patient = end_us == TIME_NONE || !watching->ready;
        if (!patient && time_steady() >= end_us)
            return;
        poll(fds, 2, patient ? -1 : time_poll_ms(end_us - time_steady()));
        if (fds[1].revents) /* nobody reads the output any more */
            return;
        watching_take(watching);
    }
}
