/* formats: prints the capabilities of each layout, from the table that the code obeys. */
#include "base/json/json_print.h"
#include "cmd/app.h"

#include <stdio.h>

static void put_row(const struct app *app, const struct format *format, enum verb verb)
{
    const struct capability *can = &format->verbs[verb];
    CLEANUP(str_free) struct str text = {0};

    if (app_json(app)) {
        str_puts(&text, "{\"v\":1");
        json_member_word(&text, "format", format->name);
        json_member_word(&text, "verb", verb_name(verb));
        json_member_word(&text, "ability", ability_name(can->ability));
        json_member_word(&text, "how", can->how);
        str_puts(&text, "}\n");
    } else {
        str_addf(&text, "  %-12s %-11s %s\n", verb_name(verb), ability_name(can->ability),
                 can->how);
    }
    app_put(app, &text);
}

static int run_formats(struct app *app)
{
    for (size_t i = 0; formats[i]; i++) {
        const struct format *format = formats[i];
        if (!app_json(app))
            printf("%s%s (%s), you are \"%s\" there unless --as says otherwise\n", i ? "\n" : "",
                   format->name, format->title, format->identity);
        for (enum verb verb = 0; verb < VERB_COUNT; verb++)
            put_row(app, format, verb);
    }
    return EXIT_DONE;
}

const struct command command_formats = {.name = "formats",
                                        .summary = "what each mailbox layout can do",
                                        .storeless = true,
                                        .run = run_formats};
