/* Querying: operands as a query, mistakes with a mark beneath, and what is:waiting needs. */
#include "cmd/querying.h"

#include "base/clean.h"
#include "mail/ask.h"

#include <stdio.h>

/* The query on a line of its own, and a mark below the place. */
static void put_mark(const struct app *app, struct span text, size_t at)
{
    unsigned mode = app->clean_error | CLEAN_LINE;
    struct str lines = {0}, before = {0};
    size_t columns = clean_add(&before, (struct span){text.at, at}, mode);

    str_puts(&lines, "  ");
    clean_add(&lines, text, mode);
    str_puts(&lines, "\n  ");
    str_pad(&lines, ' ', columns);
    str_puts(&lines, "^\n");
    fwrite(lines.at, 1, lines.len, stderr);
    str_free(&lines);
    str_free(&before);
}

bool querying_open(struct querying *querying, const struct app *app, char *const *operands,
                   int count)
{
    struct err err;
    size_t at;

    *querying = (struct querying){.app = app};
    for (int i = 0; i < count; i++) {
        if (i)
            str_putc(&querying->text, ' ');
        str_puts(&querying->text, operands[i]);
    }
    if (query_parse(&querying->query, str_span(&querying->text), &err, &at))
        return true;
    app_note(app, "%s; see swarmutt help query", err.text);
    put_mark(app, str_span(&querying->text), at);
    return false;
}

static void forget_waiting(struct querying *querying)
{
    map_free(&querying->waiting);
    arena_free(&querying->names);
    querying->waiting = (struct map){0};
    querying->names = (struct arena){0};
}

void querying_close(struct querying *querying)
{
    forget_waiting(querying);
    query_free(&querying->query);
    str_free(&querying->text);
}

unsigned querying_wants(const struct querying *querying)
{
    return query_wants(&querying->query);
}

void querying_settle(struct querying *querying, const struct model *model)
{
    struct asks asks;
    struct str name = {0};

    if (!query_asks(&querying->query))
        return;
    forget_waiting(querying);
    asks_build(&asks, model, app_now(querying->app));
    for (size_t i = 0; i < asks.count; i++) {
        bool fresh;
        if (!asks.items[i].open)
            continue;
        str_clear(&name);
        message_add_name(&name, model->messages[asks.items[i].message], true);
        map_put(&querying->waiting, arena_copy(&querying->names, str_span(&name)), &fresh);
    }
    str_free(&name);
    asks_free(&asks);
}

bool querying_load(struct querying *querying, const struct load *load, struct model *model,
                   struct err *err)
{
    bool is_all = load->inbox && load->archive && !load->agent.at && !load->most;
    struct load more = *load, everything = {.inbox = true, .archive = true};
    struct model all = {0};

    more.want |= querying_wants(querying);
    if (!app_load(querying->app, &more, model, err))
        return false;
    if (is_all || !query_asks(&querying->query)) {
        querying_settle(querying, model);
        return true;
    }
    bool ok = store_load(querying->app->store, &everything, &all, err);
    if (ok)
        querying_settle(querying, &all);
    model_free(&all);
    return ok;
}

static bool is_waiting(const struct querying *querying, const struct message *message)
{
    struct str name = {0};

    if (!querying->waiting.count)
        return false;
    message_add_name(&name, message, true);
    bool found = map_get(&querying->waiting, str_span(&name)) != NULL;
    str_free(&name);
    return found;
}

bool querying_match(const struct querying *querying, const struct message *message)
{
    if (!querying->query.count)
        return true;
    struct query_context context = {
        .now_us = app_now(querying->app),
        .layout = store_source(querying->app->store, message->place->source)->format->name,
        .waiting = is_waiting(querying, message)};
    return query_match(&querying->query, message, &context);
}

size_t querying_filter(const struct querying *querying, struct message **messages, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (querying_match(querying, messages[i]))
            messages[kept++] = messages[i];
    return kept;
}
