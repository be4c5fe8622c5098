/* version: which version this is. */
#include "base/version.h"
#include "cmd/app.h"

static int run_version(struct app *app)
{
    struct str line = {0};

    str_addf(&line, "swarmutt %s\n", version_text);
    app_put(app, &line);
    str_free(&line);
    return EXIT_DONE;
}

const struct command command_version = {
    .name = "version", .summary = "print the version", .storeless = true, .run = run_version};
