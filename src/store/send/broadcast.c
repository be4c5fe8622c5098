/* Broadcasting: all letters of a plan are sent, or shown. */
#include "base/mem.h"
#include "base/uuid.h"
#include "store/send/broadcast_plan.h"

#include <stdlib.h>

struct broadcast_job {
    struct job job;
    struct broadcast_wish wish; /* without a draft: its result is a plan already */
    enum verify verify;
    bool preview; /* nothing is written */
};

/* A name for what is sent together, by which it is told later what became of it. */
static struct span new_mailing(struct broadcast *result)
{
    struct str uuid = {0};

    if (result->count < 2)
        return (struct span){0};
    uuid_add(&uuid);
    struct span kept = arena_copy(&result->arena, str_span(&uuid));
    str_free(&uuid);
    return kept;
}

static bool show(struct store *store, const struct source *source, struct broadcast *result,
                 struct err *err)
{
    struct err ignored;
    struct delivery how = {
        .source = source, .state = store_state(store, false, &ignored), .log = store->log};
    bool ok = true;

    result->previews = mem_zero(result->count, sizeof *result->previews);
    for (size_t i = 0; ok && i < result->count; i++)
        ok = preview_letter(&how, &result->letters[i], &result->previews[i], err);
    return ok;
}

static bool run_broadcast(struct job *job, struct store *store, struct err *err)
{
    struct broadcast_job *broadcast = (struct broadcast_job *)job;
    struct broadcast *result = broadcast->wish.result;

    if (broadcast->wish.draft && !broadcast_plan(store, &broadcast->wish, err))
        return false;
    const struct source *source = &store->sources[result->source];
    if (broadcast->preview)
        return show(store, source, result, err);
    struct delivery how = {.source = source,
                           .state = store_state(store, true, err),
                           .verify = broadcast->verify,
                           .mailing = new_mailing(result),
                           .log = store->log};
    return how.state && deliver(&how, result->letters, result->count, err);
}

bool store_broadcast(struct store *store, const struct draft *draft, struct span swarm,
                     const struct span_list *exclude, enum verify verify, struct broadcast *result,
                     struct err *err)
{
    struct broadcast_job job = {.job.run = run_broadcast,
                                .wish = {draft, STORE_ANY, swarm, exclude, result},
                                .verify = verify};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

bool store_preview_broadcast(struct store *store, const struct draft *draft, uint32_t source,
                             struct span swarm, const struct span_list *exclude,
                             struct broadcast *plan, struct err *err)
{
    struct broadcast_job job = {
        .job.run = run_broadcast, .wish = {draft, source, swarm, exclude, plan}, .preview = true};

    return store_run(store, &job.job, NULL, err);
}

bool store_broadcast_plan(struct store *store, struct broadcast *plan, enum verify verify,
                          struct err *err)
{
    struct broadcast_job job = {.job.run = run_broadcast, .wish.result = plan, .verify = verify};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

void broadcast_free(struct broadcast *broadcast)
{
    for (size_t i = 0; i < broadcast->count; i++)
        letter_free(&broadcast->letters[i]);
    for (size_t i = 0; broadcast->previews && i < broadcast->count; i++)
        preview_free(&broadcast->previews[i]);
    free(broadcast->previews);
    free(broadcast->letters);
    span_list_free(&broadcast->reached);
    agent_names_free(&broadcast->members);
    arena_free(&broadcast->arena);
}
