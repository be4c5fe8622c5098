/* count: how much waits, for an agent or for whoever leads. */
#include "cmd/app.h"
#include "cmd/select.h"
#include "cmd/words.h"
#include "store/sight.h"

static const struct option_spec options[] = {
    {.name = "format",
     .value = "FORMAT",
     .takes = {.word = words_count},
     .help = "text, json, or tmux for its status line"},
    {0},
};

enum shape { SHAPE_TEXT, SHAPE_JSON, SHAPE_TMUX }; /* as words_count() has them */

/* 3! 12 new 1 stuck, without what there is none of: on a status line nothing is the good news. */
static void add_tmux(struct str *line, size_t pressing, size_t fresh, size_t stuck)
{
    if (pressing)
        str_addf(line, "#[bold,reverse]%zu!#[default]", pressing);
    if (fresh)
        str_addf(line, "%s%zu new", line->len ? " " : "", fresh);
    if (stuck)
        str_addf(line, "%s%zu stuck", line->len ? " " : "", stuck);
    if (line->len)
        str_putc(line, '\n');
}

static void put_agent(const struct app *app, const size_t *counts, size_t total, enum shape shape)
{
    struct str line = {0};

    if (shape == SHAPE_TMUX)
        add_tmux(&line, counts[PRIORITY_URGENT], total - counts[PRIORITY_URGENT], 0);
    else
        str_addf(&line,
                 shape == SHAPE_JSON
                     ? "{\"v\":1,\"urgent\":%zu,\"high\":%zu,\"normal\":%zu,\"low\":%zu,"
                       "\"total\":%zu}\n"
                     : "urgent %zu  high %zu  normal %zu  low %zu  total %zu\n",
                 counts[PRIORITY_URGENT], counts[PRIORITY_HIGH], counts[PRIORITY_NORMAL],
                 counts[PRIORITY_LOW], total);
    app_put(app, &line);
    str_free(&line);
}

static int count_agent(struct app *app, enum shape shape)
{
    struct checking checking = {.agent = span_of(app->operands[0]),
                                .unread = true,
                                .least = PRIORITY_LOW,
                                .now_us = app_now(app)};
    struct selection selection = {0};
    struct model model = {0};
    size_t counts[PRIORITY_URGENT + 1] = {0};
    struct err err;
    int code = EXIT_DONE;

    if (!select_load(app, &checking, &model, &err) ||
        !select_readable(app, &model, &checking, &err)) {
        code = app_fail(app, &err);
    } else {
        select_waiting(app, &model, &checking, &selection);
        for (size_t i = 0; i < selection.count; i++)
            counts[selection.items[i]->priority]++;
        put_agent(app, counts, selection.count, shape);
        if (shape != SHAPE_TMUX) /* a status line has no room for more */
            select_explain(app, &model, &checking, &selection);
    }
    selection_free(&selection);
    model_free(&model);
    return code;
}

static void put_mine(const struct app *app, const struct sight_counts *counts, enum shape shape)
{
    struct str line = {0};

    if (shape == SHAPE_TMUX)
        add_tmux(&line, counts->waiting, counts->unread, counts->stuck);
    else
        str_addf(&line,
                 shape == SHAPE_JSON ? "{\"v\":1,\"waiting\":%zu,\"unread\":%zu,\"stuck\":%zu}\n"
                                     : "waiting %zu  unread %zu  stuck %zu\n",
                 counts->waiting, counts->unread, counts->stuck);
    app_put(app, &line);
    str_free(&line);
}

static int count_mine(struct app *app, enum shape shape)
{
    struct load everything = {.inbox = true, .archive = true};
    struct agents_world world = {0};
    struct model model = {0};
    struct sight sight = {0};
    struct err err;
    int code = EXIT_DONE;

    if (!app_load(app, &everything, &model, &err) ||
        !store_agents(app->store, &app->config, &world, &err)) {
        code = app_fail(app, &err);
    } else {
        sight_build(&sight, &model, &world, app_now(app), false);
        const struct sight_counts counts = sight_count(&sight);
        put_mine(app, &counts, shape);
    }
    sight_free(&sight);
    agents_world_free(&world);
    model_free(&model);
    return code;
}

static int run_count(struct app *app)
{
    unsigned shape; /* enum shape */
    struct err err;

    if (!app_format(app, words_count, &shape, &err))
        return app_fail(app, &err);
    return app->operand_count ? count_agent(app, shape) : count_mine(app, shape);
}

const struct command command_count = {.name = "count",
                                      .operands = "[AGENT]",
                                      .takes = {{.kinds = WORD_AGENT}},
                                      .summary = "how much waits for you, or for an agent",
                                      .options = options,
                                      .most = 1,
                                      .run = run_count};
