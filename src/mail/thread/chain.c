/* Chains: each is walked once, and every message on the way keeps what was found at its end. */
#include "mail/thread/chain.h"

#include "base/mem.h"

#include <stdlib.h>

#define NOBODY UINT32_MAX

struct chains {
    const struct model *model;
    struct map ids; /* of a source and an id: the message */
    struct arena keys;
    struct str scratch;
    uint32_t *parent;   /* of a message: the one it answers, or NOBODY */
    uint32_t *walk;     /* of a message: 1 + the message whose walk came by first; 0 for none */
    struct span *names; /* found so far */
};

static bool is_chained(const struct message *message)
{
    return message->place->chained && !message->damaged;
}

/* Borrowed until the next call. */
static struct span key_of(struct chains *chains, const struct message *message, struct span id)
{
    str_clear(&chains->scratch);
    str_addf(&chains->scratch, "%u ", message->place->source);
    str_add_span(&chains->scratch, id);
    return str_span(&chains->scratch);
}

/* Of messages with one id the oldest stands for it, and then whichever sorts first: the answer must
 * not depend on the order in which files were read. */
static bool stands_before(const struct message *a, const struct message *b)
{
    int order = message_cmp_time(a, b);

    order = order ? order : span_cmp(a->thread, b->thread);
    return (order ? order : span_cmp(a->reply_to, b->reply_to)) < 0;
}

static void collect_ids(struct chains *chains)
{
    const struct model *model = chains->model;

    for (uint32_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        bool fresh;
        if (!is_chained(message))
            continue;
        struct span key = key_of(chains, message, message->id);
        uint32_t *known = map_put_copy(&chains->ids, &chains->keys, key, &fresh);
        if (fresh || stands_before(message, model->messages[*known]))
            *known = i;
    }
}

static void find_parents(struct chains *chains)
{
    const struct model *model = chains->model;

    for (uint32_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        const uint32_t *parent = NULL;
        uint32_t meant;
        if (is_chained(message) && message->reply_to.len) {
            parent = map_get(&chains->ids, key_of(chains, message, message->reply_to));
            if (parent && same_ids_meant(&model->same, message, message->reply_to, &meant))
                parent = &meant;
        }
        chains->parent[i] = parent ? *parent : NOBODY;
    }
}

static struct span name_circle(const struct chains *chains, uint32_t start)
{
    const struct message *oldest = chains->model->messages[start];

    for (uint32_t at = chains->parent[start]; at != start; at = chains->parent[at])
        if (message_cmp_time(chains->model->messages[at], oldest) < 0)
            oldest = chains->model->messages[at];
    return oldest->id;
}

/* What the chain from here leads to. The messages on the way are marked with the walk. */
static struct span find_name(struct chains *chains, uint32_t start)
{
    for (uint32_t at = start;; at = chains->parent[at]) {
        const struct message *message = chains->model->messages[at];
        if (chains->names[at].at)
            return chains->names[at];
        if (message->thread.len)
            return message->thread;
        if (chains->walk[at] == start + 1)
            return name_circle(chains, at);
        chains->walk[at] = start + 1;
        if (chains->parent[at] == NOBODY)
            return message->reply_to.len ? message->reply_to : message->id;
    }
}

static void name_chain(struct chains *chains, uint32_t start)
{
    struct span name = find_name(chains, start);

    for (uint32_t at = start;
         at != NOBODY && chains->walk[at] == start + 1 && !chains->names[at].at;
         at = chains->parent[at])
        chains->names[at] = name;
}

void chain_name_threads(struct model *model)
{
    struct chains chains = {.model = model};

    collect_ids(&chains);
    if (chains.ids.count) {
        chains.parent = mem_alloc(model->count * sizeof *chains.parent);
        chains.walk = mem_zero(model->count, sizeof *chains.walk);
        chains.names = mem_zero(model->count, sizeof *chains.names);
        find_parents(&chains);
        for (uint32_t i = 0; i < model->count; i++)
            if (is_chained(model->messages[i]) && !model->messages[i]->thread.len)
                name_chain(&chains, i);
        /* Only now: a name that was found is not one that a message gave. */
        for (uint32_t i = 0; i < model->count; i++)
            if (chains.names[i].at)
                model->messages[i]->thread = chains.names[i];
    }
    map_free(&chains.ids);
    arena_free(&chains.keys);
    str_free(&chains.scratch);
    free(chains.parent);
    free(chains.walk);
    free(chains.names);
}
