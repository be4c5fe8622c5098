/* completion: the script that lets a shell complete our command lines. */
#include "cmd/app.h"
#include "cmd/embedded.h"
#include "cmd/words.h"

#include <stdio.h>

static int run_completion(struct app *app)
{
    struct err err;

    for (const struct embedded *script = completion_scripts; script->name; script++) {
        if (strcmp(script->name, app->operands[0]) == 0) {
            fputs(script->text, stdout);
            return EXIT_DONE;
        }
    }
    app_refuse_word(app, &err, "completion", app->operands[0], words_shell);
    return app_fail(app, &err);
}

const struct command command_completion = {.name = "completion",
                                           .operands = "bash | zsh | fish",
                                           .takes = {{.word = words_shell}},
                                           .summary =
                                               "a script that lets a shell complete commands",
                                           .least = 1,
                                           .most = 1,
                                           .storeless = true,
                                           .run = run_completion};
