/* Confirming: an option for scripts, a question for people. */
#include "cmd/confirming.h"

#include "base/clean.h"

#include <stdio.h>
#include <termios.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024 };

/* The line that was typed, without its end; false when none was. */
static bool read_line(char line[LINE_MAX_BYTES])
{
    if (!fgets(line, LINE_MAX_BYTES, stdin))
        return false;
    char *end = strchr(line, '\n');
    if (!end)
        return false;
    *end = '\0';
    return true;
}

static bool ask(const struct app *app, struct span name, const char *what, struct err *err)
{
    char line[LINE_MAX_BYTES];
    struct str question = {0};

    str_addf(&question, "%s. To go on, type the name ", what);
    str_add_span(&question, name);
    str_puts(&question, ": ");
    struct str cleaned = {0};
    clean_add(&cleaned, str_span(&question), app->clean_error | CLEAN_LINE);
    fflush(stdout);
    tcflush(STDIN_FILENO, TCIFLUSH); /* what was typed ahead answers nothing */
    fwrite(cleaned.at, 1, cleaned.len, stderr);
    fflush(stderr);
    str_free(&question);
    str_free(&cleaned);
    return (read_line(line) && span_is(name, line)) ||
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
        return ask(app, name, what, err);
    return err_set(err, ERR_REFUSED,
                   "%s; nobody is at a terminal to confirm it: use --confirm %.*s", what,
                   (int)name.len, name.at);
}
