/* escalate: something goes to who stands above, under an id that others can speak of. */
#include "cmd/options.h"
#include "cmd/write/ordering.h"

static const struct option_spec options[] = {
    {.name = "level", .value = "LEVEL", .takes = {.word = words_level}, .help = "coo or ceo"},
    {.name = "title", .value = "TEXT", .help = "what it is about"},
    {.name = "reason", .value = "TEXT", .help = "why it is escalated"},
    {.name = "id", .value = "ESC-...", .help = "the escalation (default: a new one)"},
    {.name = "to",
     .value = "AGENT",
     .takes = {.kinds = WORD_AGENT},
     .help = "who gets it (default: by the level)"},
    {.name = "priority",
     .value = "PRIORITY",
     .takes = {.word = priority_word},
     .help = "to the coo: low, normal, high or urgent"},
    BODY_OPTIONS,
    SENDING_OPTIONS,
    {0},
};

static const char *const needed[] = {"level", "title", "reason", NULL};

static bool fill(const struct app *app, struct order_terms *terms, struct str *body,
                 struct err *err)
{
    bool present;

    if (!app_needs(app, needed, err))
        return false;
    if (!escalation_level_find(app_text(app, "level"), &terms->level))
        return app_refuse_word(app, err, "--level", app_value(app, "level"), words_level);
    if (app_has(app, "priority") && escalation_routes[terms->level].is_high)
        return app_misuse(app, err, "what goes to the ceo always has the priority high");
    terms->title = app_text(app, "title");
    terms->reason = app_text(app, "reason");
    terms->id = app_text(app, "id");
    if (!app_body(app, body, &present, err))
        return false;
    terms->body = present ? str_span(body) : (struct span){0};
    return true;
}

static int run_escalate(struct app *app)
{
    struct ordering ordering = {.app = app,
                                .terms = {.verb = ORDER_ESCALATE, .priority = PRIORITY_NORMAL},
                                .id_key = "escalation_id"};
    struct str body = {0}, id = {0};
    struct err err;
    int code;

    if (!app_priority(app, "priority", &ordering.terms.priority, &err) ||
        !fill(app, &ordering.terms, &body, &err) ||
        !ordering_find(&ordering, app_text(app, "to"), &err) ||
        !store_name_escalation(app->store, &ordering.terms, &id, &err) ||
        !ordering_make(&ordering, &err))
        code = app_fail(app, &err);
    else
        code = ordering_send(&ordering);
    ordering_free(&ordering);
    str_free(&body);
    str_free(&id);
    return code;
}

const struct command command_escalate = {.name = "escalate",
                                         .operands = "--level LEVEL --title TEXT --reason TEXT [-]",
                                         .summary =
                                             "pass something on to who stands above; prints its id",
                                         .options = options,
                                         .most = 1,
                                         .writes = true,
                                         .run = run_escalate};
