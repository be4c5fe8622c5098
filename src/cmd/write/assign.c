/* assign: gives a task to an agent. */
#include "cmd/options.h"
#include "cmd/write/ordering.h"

static const struct option_spec options[] = {
    {.name = "task", .value = "ID", .help = "the task's number in the list of the team"},
    {.name = "subject", .value = "TEXT", .help = "what it is about"},
    {.name = "description", .value = "TEXT", .help = "all of it; or - as the last word to read it"},
    {.name = "body-file",
     .value = "FILE",
     .takes = {.kinds = WORD_FILE},
     .path = true,
     .help = "a file with the description"},
    SENDING_OPTIONS,
    {0},
};

static const char *const needed[] = {"task", "subject", NULL};

static bool fill(const struct app *app, struct order_terms *terms, struct str *read,
                 struct err *err)
{
    bool present;

    if (!app_needs(app, needed, err) || !app_body(app, read, &present, err))
        return false;
    if (present && app_has(app, "description"))
        return app_misuse(app, err,
                          "only one of --description, --body-file and - can give the description");
    terms->task = app_text(app, "task");
    terms->subject = app_text(app, "subject");
    terms->description = present ? str_span(read) : app_text(app, "description");
    return true;
}

static int run_assign(struct app *app)
{
    struct ordering ordering = {.app = app, .terms.verb = ORDER_ASSIGN};
    struct str read = {0};
    struct err err;
    int code = fill(app, &ordering.terms, &read, &err)
                   ? ordering_run(&ordering, span_of(app->operands[0]))
                   : app_fail(app, &err);

    ordering_free(&ordering);
    str_free(&read);
    return code;
}

const struct command command_assign = {.name = "assign",
                                       .operands = "AGENT --task ID --subject TEXT [-]",
                                       .takes = {{.kinds = WORD_AGENT}},
                                       .summary = "assign a task to an agent",
                                       .options = options,
                                       .least = 1,
                                       .most = 2,
                                       .writes = true,
                                       .run = run_assign};
