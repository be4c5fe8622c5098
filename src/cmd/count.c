/* count: how much waits for an agent, by priority. */
#include "cmd/command.h"
#include "cmd/select.h"

#include <stdio.h>

static int run_count(struct app *app)
{
    struct criteria criteria = {.agent = span_of(app->operands[0]),
                                .unread = true,
                                .least = PRIORITY_LOW,
                                .now_us = app_now(app)};
    struct selection selection = {0};
    struct model model = {0};
    size_t counts[PRIORITY_URGENT + 1] = {0};
    struct err err;
    int code = EXIT_DONE;

    if (!select_load(app, &criteria, &model, &err) ||
        !select_readable(app, &model, &criteria, &err)) {
        code = app_fail(app, &err);
    } else {
        select_pending(app, &model, &criteria, &selection);
        for (size_t i = 0; i < selection.count; i++)
            counts[selection.items[i]->priority]++;
        printf(app_json(app) ? "{\"v\":1,\"urgent\":%zu,\"high\":%zu,\"normal\":%zu,\"low\":%zu,"
                               "\"total\":%zu}\n"
                             : "urgent %zu  high %zu  normal %zu  low %zu  total %zu\n",
               counts[PRIORITY_URGENT], counts[PRIORITY_HIGH], counts[PRIORITY_NORMAL],
               counts[PRIORITY_LOW], selection.count);
    }
    selection_free(&selection);
    model_free(&model);
    return code;
}

const struct command command_count = {.name = "count",
                                      .operands = "AGENT",
                                      .summary = "how many unread messages wait, by priority",
                                      .least = 1,
                                      .most = 1,
                                      .run = run_count};
