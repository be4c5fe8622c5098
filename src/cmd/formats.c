/* formats: what each layout can do, from the table that the code obeys. */
#include "cmd/command.h"

#include <stdio.h>

static int run_formats(struct app *app)
{
    for (size_t i = 0; formats[i]; i++) {
        const struct format *format = formats[i];
        if (!app_json(app))
            printf("%s%s (%s), you are \"%s\" there unless --as says otherwise\n", i ? "\n" : "",
                   format->name, format->title, format->identity);
        for (enum verb verb = 0; verb < VERB_COUNT; verb++) {
            const struct capability *can = &format->verbs[verb];
            printf(app_json(app) ? "{\"v\":1,\"format\":\"%s\",\"verb\":\"%s\",\"ability\":\"%s\","
                                   "\"how\":\"%s\"}\n"
                                 : "%.0s  %-12s %-11s %s\n",
                   format->name, verb_name(verb), ability_name(can->ability), can->how);
        }
    }
    return EXIT_DONE;
}

const struct command command_formats = {.name = "formats",
                                        .summary = "what each mailbox layout can do",
                                        .storeless = true,
                                        .run = run_formats};
