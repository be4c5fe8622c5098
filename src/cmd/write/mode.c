/* mode: an order in which mode an agent is to work. */
#include "cmd/confirming.h"
#include "cmd/options.h"
#include "cmd/write/ordering.h"

static const struct option_spec options[] = {
    {.name = "confirm",
     .value = "AGENT",
     .takes = {.kinds = WORD_AGENT},
     .help = "the agent once more, for a mode in which nobody is asked"},
    SENDING_OPTIONS,
    {0},
};

static bool confirm(const struct ordering *ordering, struct err *err)
{
    struct span mode = ordering->terms.mode;
    struct str what = {0};
    bool ok = true;

    if (order_mode_is_unguarded(mode)) {
        str_addf(&what, "%.*s takes all protection away: \"%.*s\" will act without asking anybody",
                 (int)mode.len, mode.at, (int)ordering->to.len, ordering->to.at);
        ok = app_confirm(ordering->app, ordering->to, str_c(&what), err);
    }
    str_free(&what);
    return ok;
}

static int run_mode(struct app *app)
{
    struct ordering ordering = {.app = app, .terms.verb = ORDER_MODE};
    struct span word = span_of(app->operands[1]);
    struct err err;
    int code;

    if (!order_mode(word, &ordering.terms.mode, &err) ||
        !ordering_find(&ordering, span_of(app->operands[0]), &err) ||
        !ordering_make(&ordering, &err) || !confirm(&ordering, &err))
        code = app_fail(app, &err);
    else
        code = ordering_send(&ordering);
    ordering_free(&ordering);
    return code;
}

const struct command command_mode = {.name = "mode",
                                     .operands = "AGENT MODE",
                                     .takes = {{.kinds = WORD_AGENT}, {.word = words_mode}},
                                     .summary = "set the mode that an agent works in",
                                     .options = options,
                                     .least = 2,
                                     .most = 2,
                                     .writes = true,
                                     .run = run_mode};
