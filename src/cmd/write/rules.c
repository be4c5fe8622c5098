/* rules: what the agents of a team may use a tool for. */
#include "cmd/confirming.h"
#include "cmd/options.h"
#include "cmd/write/ordering.h"
#include "cmd/write/previewing.h"

static const struct option_spec options[] = {
    {.name = "tool", .value = "NAME", .help = "the tool, such as Bash"},
    {.name = "rule", .value = "CONTENT", .help = "what it is used for; may be given several times"},
    {.name = "behavior",
     .value = "WORD",
     .takes = {.word = words_behavior},
     .help = "allow, deny or ask"},
    {.name = "directory",
     .value = "DIR",
     .takes = {.kinds = WORD_DIRECTORY},
     .help = "the directory that it is about"},
    {.name = "confirm",
     .value = "TEAM",
     .takes = {.kinds = WORD_TEAM},
     .help = "the team once more, when all of it may"},
    SENDING_OPTIONS,
    {0},
};

static const char *const needed[] = {"tool", "behavior", "directory", NULL};

static bool confirm(const struct ordering *ordering, size_t count, struct err *err)
{
    const struct order_terms *terms = &ordering->terms;
    struct str what = {0};
    bool ok = true;

    if (span_is(terms->behavior, "allow")) {
        str_addf(&what, "all %zu teammates of \"%.*s\" will use %.*s without asking", count,
                 (int)ordering->to.len, ordering->to.at, (int)terms->tool.len, terms->tool.at);
        ok = app_confirm(ordering->app, ordering->to, str_c(&what), err);
    }
    str_free(&what);
    return ok;
}

/* An order for each: one that cannot be reached keeps no other from it. */
static int send_to_each(struct ordering *ordering, const struct broadcast *plan)
{
    int code = EXIT_DONE;
    size_t failed = 0;

    for (size_t i = 0; i < plan->count; i++) {
        const struct draft *planned = &plan->letters[i].draft;
        int one = ordering_send_to(ordering, planned);
        if (one != EXIT_DONE)
            app_note(ordering->app, "\"%.*s\" %s got it", (int)planned->to.len, planned->to.at,
                     one == EXIT_UNCONFIRMED ? "may not have" : "has not");
        failed += one != EXIT_DONE && one != EXIT_UNCONFIRMED;
        code = exit_worse(code, one);
    }
    /* 4 would say that nobody has got it */
    return failed && failed < plan->count ? EXIT_UNCONFIRMED : code;
}

/* Everybody is found, and every message made, before the first goes out. */
static int order_team(struct ordering *ordering, const struct span_list *leads)
{
    struct app *app = ordering->app;
    struct broadcast plan = {0};
    struct err err;
    int code;

    ordering->how.source = ordering->way.source;
    if (!app_verify(app, &ordering->how.verify, &err) || !ordering_make(ordering, &err))
        return app_fail(app, &err);
    ordering_say_way(ordering);
    if (app_has(app, "dry-run"))
        return preview_all_and_print(app, &ordering->text.draft, ordering->way.source,
                                     ordering->way.team, leads);
    if (!store_preview_broadcast(app->store, &ordering->text.draft, ordering->way.source,
                                 ordering->way.team, leads, &plan, &err) ||
        !confirm(ordering, plan.count, &err))
        code = app_fail(app, &err);
    else
        code = send_to_each(ordering, &plan);
    broadcast_free(&plan);
    return code;
}

/* A name that is a team's means all of it. */
static int order(struct ordering *ordering, struct span name)
{
    struct span_list leads = {0};
    struct err err;
    int code;

    ordering->to = name;
    ordering->terms.now_us = when_now();
    if (store_order_team(ordering->app->store, STORE_ANY, name, &ordering->terms, &ordering->way,
                         &leads, &ordering->arena, &err))
        code = order_team(ordering, &leads);
    else
        code =
            err.scope == ERR_ABSENT ? ordering_run(ordering, name) : app_fail(ordering->app, &err);
    span_list_free(&leads);
    return code;
}

static int run_rules(struct app *app)
{
    struct ordering ordering = {.app = app, .terms.verb = ORDER_RULES};
    struct span_list rules = {0};
    struct err err;

    if (!app_needs(app, needed, &err))
        return app_fail(app, &err);
    app_values(app, "rule", &rules);
    ordering.terms.tool = app_text(app, "tool");
    ordering.terms.behavior = app_text(app, "behavior");
    ordering.terms.directory = app_text(app, "directory");
    ordering.terms.rules = &rules;
    int code = order(&ordering, span_of(app->operands[0]));
    ordering_free(&ordering);
    span_list_free(&rules);
    return code;
}

const struct command command_rules = {.name = "rules",
                                      .operands =
                                          "TEAM|AGENT --tool NAME --behavior WORD --directory DIR",
                                      .takes = {{.kinds = WORD_TEAM | WORD_AGENT}},
                                      .summary = "tell a team what a tool may be used for",
                                      .options = options,
                                      .least = 1,
                                      .most = 1,
                                      .writes = true,
                                      .run = run_rules};
