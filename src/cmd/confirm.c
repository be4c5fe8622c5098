/* Questions at the terminal; a name typed, or given by an option for scripts. */
#include "cmd/confirm.h"

#include "base/text/sanitize.h"

#include <stdio.h>
#include <termios.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 1024 };

bool app_ask(const struct app *app, const char *question, char *line, size_t size)
{
    CLEANUP(str_free) struct str cleaned = {0};

    sanitize_add(&cleaned, span_of(question), app->sanitize_error | SANITIZE_LINE);
    fflush(stdout);
    tcflush(STDIN_FILENO, TCIFLUSH); /* keys typed before the question are no answer */
    fwrite(cleaned.at, 1, cleaned.len, stderr);
    fflush(stderr);
    if (!fgets(line, (int)size, stdin))
        return false;
    char *end = strchr(line, '\n');
    if (end)
        *end = '\0';
    else
        for (int c = getchar(); c != EOF && c != '\n';) /* skip the rest of the line */
            c = getchar();
    return end;
}

static bool ask_name(const struct app *app, struct span name, const char *what, struct err *err)
{
    char line[NAME_MAX_BYTES];
    CLEANUP(str_free) struct str question = {0};

    str_addf(&question, "%s. To go on, type the name ", what);
    str_add_span(&question, name);
    str_puts(&question, ": ");
    return (app_ask(app, str_c(&question), line, sizeof line) && span_is(name, line)) ||
           err_set(err, ERR_REFUSED, "that was not the name: nothing was sent");
}

bool app_confirm(const struct app *app, struct span name, const char *what, struct err *err)
{
    struct span given = app_text(app, "confirm");

    if (given.at && !span_eq(given, name))
        return err_set(err, ERR_REFUSED,
                       "--confirm names \"%.*s\", but this is about \"%.*s\": nothing was sent",
                       (int)given.len, given.at, (int)name.len, name.at);
    if (given.at || app_has(app, "dry-run"))
        return true;
    if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
        return ask_name(app, name, what, err);
    return err_set(err, ERR_REFUSED,
                   "%s; nobody is at a terminal to confirm it: use --confirm %.*s", what,
                   (int)name.len, name.at);
}
