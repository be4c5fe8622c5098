/* broadcast: sends one message to every agent of a swarm. */
#include "cmd/write/broadcast.h"
#include "cmd/app_options.h"
#include "cmd/write/dry_run.h"

static const struct option_spec options[] = {
    {"swarm", "NAME", .kinds = WORD_TEAM, .help = "the swarm whose agents get it"},
    {"all", .help = "the agents of all swarms"},
    COMPOSE_OPTIONS,
    {"exclude", "AGENT", .kinds = WORD_AGENT,
     .help = "who does not get it; may be given several times"},
    SENDING_OPTIONS,
    {0},
};

int broadcast_and_print(struct app *app, const struct draft *draft, struct span swarm,
                        const struct span_list *exclude)
{
    CLEANUP(broadcast_free) struct broadcast result = {0};
    enum verify verify;
    struct err err;

    if (!app_verify(app, &verify, &err))
        return app_fail(app, &err);
    if (app_has(app, "dry-run"))
        return preview_all_and_print(app, draft, STORE_ANY, swarm, exclude);
    bool ok = store_broadcast(app->store, draft, swarm, exclude, verify, &result, &err);

    for (size_t i = 0; i < result.count; i++)
        if (result.letters[i].delivered || result.letters[i].queued)
            app_put_id(app, &result.letters[i],
                       span_is(result.letters[i].draft.to, "all") ? &result.reached : NULL);
    return ok ? EXIT_DONE : app_fail(app, &err);
}

static int run_broadcast(struct app *app)
{
    CLEANUP(draft_free) struct draft draft = draft_new();
    CLEANUP(span_list_free) struct span_list exclude = {0};
    CLEANUP(str_free) struct str body = {0};
    struct err err;
    bool present;

    app_values(app, "exclude", &exclude);
    if (app_has(app, "swarm") == app_has(app, "all"))
        return app_misused(app, "broadcast needs either --swarm NAME or --all");
    if (!app_read_options(app, &draft, &err) || !app_body(app, &body, &present, &err))
        return app_fail(app, &err);
    if (!present)
        return app_misused(app, "broadcast needs --body, --body-file or -");
    draft.body = str_span(&body);
    return broadcast_and_print(app, &draft, app_text(app, "swarm"), &exclude);
}

const struct command command_broadcast = {
    .name = "broadcast",
    .operands = "(--swarm NAME | --all) --subject TEXT (--body TEXT | -)",
    .summary = "send to all agents of a swarm; prints one id a line",
    .options = options,
    .writes = true,
    .most = 1,
    .run = run_broadcast};
