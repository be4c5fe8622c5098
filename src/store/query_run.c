/* Running a query, and what is:waiting and thread: need. */
#include "store/query_run.h"

#include "base/mem.h"

#include <stdlib.h>

bool querying_read(struct querying *querying, struct store *store, struct span text, int64_t now_us,
                   struct err *err, size_t *error_at)
{
    *querying = (struct querying){.store = store, .now_us = now_us};
    str_add_span(&querying->text, text);
    return query_parse(&querying->query, str_span(&querying->text), err, error_at);
}

int64_t querying_now(const struct querying *querying)
{
    return querying->now_us == TIME_NONE ? time_now() : querying->now_us;
}

static void forget_results(struct querying *querying)
{
    message_map_free(&querying->waiting);
    message_map_free(&querying->threads);
    arena_free(&querying->names);
    free(querying->called);
    querying->names = (struct arena){0};
    querying->called = NULL;
}

void querying_close(struct querying *querying)
{
    forget_results(querying);
    query_free(&querying->query);
    str_free(&querying->text);
}

bool querying_archive(const struct querying *querying)
{
    return query_names(&querying->query, "is", "archived") ||
           query_names(&querying->query, "state", "archived");
}

unsigned querying_wants(const struct querying *querying)
{
    return query_wants(&querying->query);
}

/* Stores for every message the name of its conversation, as list names it. */
static void name_threads(struct querying *querying, const struct model *model,
                         const struct requests *asks)
{
    struct threads threads;
    struct conversations conversations;
    struct conversation_input input = {.model = model,
                                       .threads = &threads,
                                       .asks = asks,
                                       .now_us = querying_now(querying),
                                       .expired = true};

    threads_build(&threads, model, asks);
    conversations_build(&conversations, &input);
    querying->called = mem_alloc((conversations.count + 1) * sizeof *querying->called);
    for (size_t i = 0; i < conversations.count; i++)
        querying->called[i] = arena_copy(&querying->names, conversations.items[i].id);
    for (size_t i = 0; i < model->count; i++)
        if (conversations.of[i] != CONVERSATION_NONE)
            *message_map_put(&querying->threads, model->messages[i]) = conversations.of[i];
    conversations_free(&conversations);
    threads_free(&threads);
}

void querying_settle(struct querying *querying, const struct model *model)
{
    struct requests asks;

    if (!query_asks(&querying->query))
        return;
    forget_results(querying);
    requests_build(&asks, model, querying_now(querying));
    for (size_t i = 0; i < asks.count; i++)
        if (request_waits(&asks.items[i]))
            message_map_put(&querying->waiting, model->messages[asks.items[i].message]);
    if (query_joins(&querying->query))
        name_threads(querying, model, &asks);
    requests_free(&asks);
}

bool querying_load(struct querying *querying, const struct load *load, struct model *model,
                   struct err *err)
{
    bool is_all = load->inbox && load->archive && !load->agent.at && !load->most;
    struct load more = *load, everything = {.inbox = true, .archive = true};
    CLEANUP(model_free) struct model all = {0};

    more.want |= querying_wants(querying);
    if (!store_load(querying->store, &more, model, err))
        return false;
    if (is_all || !query_asks(&querying->query)) {
        querying_settle(querying, model);
        return true;
    }
    bool ok = store_load(querying->store, &everything, &all, err);
    if (ok)
        querying_settle(querying, &all);
    return ok;
}

bool querying_match(const struct querying *querying, const struct message *message)
{
    if (!querying->query.count)
        return true;
    const uint32_t *thread = message_map_get(&querying->threads, message);
    struct query_context context = {
        .now_us = querying_now(querying),
        .layout = store_source(querying->store, message->place->source)->format->name,
        .waiting = message_map_get(&querying->waiting, message) != NULL,
        .words = querying->words,
        .thread = thread ? querying->called[*thread] : (struct span){0}};
    return query_match(&querying->query, message, &context);
}

bool querying_match_conversation(const struct querying *querying,
                                 const struct conversations *conversations,
                                 const struct conversation *conversation)
{
    for (size_t i = 0; i < conversation->count; i++)
        if (querying_match(querying, conversation_message(conversations, conversation, i)))
            return true;
    return false;
}

bool querying_match_live(struct querying *querying, const struct live *live,
                         const struct message *message)
{
    struct model model = {0};

    if (!querying->settled && query_asks(&querying->query)) {
        live_view(live, &model);
        querying_settle(querying, &model);
        model_free(&model);
    }
    querying->settled = true;
    return querying_match(querying, message);
}

void querying_stale(struct querying *querying)
{
    querying->settled = false;
}

size_t querying_filter(const struct querying *querying, struct message **messages, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (querying_match(querying, messages[i]))
            messages[kept++] = messages[i];
    return kept;
}
