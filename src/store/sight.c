/* Derived state: everything that is computed from all messages together. */
#include "store/sight.h"

#include "base/mem.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>

size_t sight_hints(const struct agents *agents, struct conversation_hint *hints)
{
    bool *told = mem_zero(agents->circle_count + 1, sizeof *told);
    size_t count = 0;

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        bool circle = agent->circle != AGENT_NONE;
        if (agent->state != AGENT_STUCK || (circle && told[agent->circle]))
            continue; /* the first of a circle names all of it */
        if (circle)
            told[agent->circle] = true;
        if (agent->evidence != AGENT_NONE)
            hints[count++] = (struct conversation_hint){agent->evidence, agent->name, agent->why,
                                                        agent->since_us, &agent->why_ages};
    }
    free(told);
    return count;
}

/* For many messages another thread computes a part of it. */
struct making {
    struct sight *sight;
    struct agent_directory *world;
    int64_t now_us;
};

static void *make_requests(void *context)
{
    struct making *making = context;

    requests_build(&making->sight->asks, making->sight->model, making->now_us);
    return NULL;
}

static void *make_handoffs(void *context)
{
    struct making *making = context;
    struct sight *sight = making->sight;

    agent_directory_handoffs(making->world, sight->model, &sight->threads, making->now_us,
                             &sight->handoffs);
    return NULL;
}

void sight_build(struct sight *sight, const struct model *model, struct agent_directory *world,
                 int64_t now_us, bool expired)
{
    struct making making = {sight, world, now_us};
    struct beside beside;

    *sight = (struct sight){.model = model};
    parallel_do(&beside, model->count, make_requests, &making);
    struct thread_sets *sets = thread_sets_new(model);
    parallel_wait(&beside);
    threads_number(&sight->threads, sets, &sight->asks);
    parallel_do(&beside, model->count, make_handoffs, &making);
    if (world)
        agent_directory_build(world, model, &sight->asks, now_us, &sight->agents);
    struct conversation_hint *hints = mem_zero(sight->agents.count + 1, sizeof *hints);
    struct conversation_input input = {.model = model,
                                       .threads = &sight->threads,
                                       .asks = &sight->asks,
                                       .hints = hints,
                                       .hint_count = sight_hints(&sight->agents, hints),
                                       .now_us = now_us,
                                       .expired = expired};
    conversations_build(&sight->conversations, &input);
    parallel_wait(&beside);
    free(hints);
}

void sight_free(struct sight *sight)
{
    handoffs_free(&sight->handoffs);
    agents_free(&sight->agents);
    conversations_free(&sight->conversations);
    threads_free(&sight->threads);
    requests_free(&sight->asks);
    *sight = (struct sight){0};
}

/* Counts everything but stuck agents, from the conversations alone. */
static struct sight_counts sight_count_conversations(const struct conversations *conversations)
{
    const struct requests *asks = conversations->asks;
    struct sight_counts counts = {0};

    for (size_t i = 0; i < asks->count; i++)
        counts.waiting += asks->items[i].open &&
                          message_for_us(conversations->model->messages[asks->items[i].message]);
    for (size_t i = 0; i < conversations->count; i++)
        counts.unread += conversations->items[i].archived ? 0 : conversations->items[i].unread_mine;
    for (size_t i = 0; i < conversations->model->count; i++)
        counts.unreadable += conversations->model->messages[i]->unread_bytes &&
                             !conversations->model->messages[i]->place->archived;
    return counts;
}

struct sight_counts sight_count(const struct sight *sight)
{
    struct sight_counts counts = sight_count_conversations(&sight->conversations);

    counts.stuck = sight->agents.in_state[AGENT_STUCK];
    return counts;
}

/* One part of the mail by itself. */

uint32_t sight_key_hash(struct span dir, struct span rest, uint64_t seed)
{
    return map_hash(rest, map_hash(dir, seed));
}

static void index_messages(struct sight_part *part, uint64_t seed)
{
    const struct place *last = NULL;
    struct str dir = {0}, rest = {0};

    hash_index_reserve(&part->keys, part->model.count);
    for (uint32_t i = 0; i < part->model.count; i++) {
        const struct message *message = part->model.messages[i];
        if (message->place != last) {
            str_clear(&dir);
            message_add_path(&dir, message, true);
            dir.len -= message->file.len;
            last = message->place;
        }
        str_clear(&rest);
        message_add_part(&rest, message);
        message_add_copy(&rest, message);
        hash_index_add(&part->keys, sight_key_hash(str_span(&dir), str_span(&rest), seed), i);
    }
    str_free(&dir);
    str_free(&rest);
}

static void name_conversations(struct sight_part *part)
{
    const struct conversations *conversations = &part->conversations;
    struct str key = {0};

    part->conversation_keys =
        mem_alloc((conversations->count + 1) * sizeof *part->conversation_keys);
    part->seats = mem_alloc((conversations->count + 1) * sizeof *part->seats);
    for (size_t i = 0; i < conversations->count; i++) {
        str_clear(&key);
        conversation_add_key(&key, conversations, &conversations->items[i]);
        part->conversation_keys[i] = arena_copy(&part->arena, str_span(&key));
        part->seats[i] =
            inbox_order_key(conversations, &conversations->items[i], part->conversation_keys[i]);
    }
    str_free(&key);
}

/* Finds the first time at which the clock changes the part: everything else that depends on the
 * clock does so through what expires. */
static void find_next_change(struct sight_part *part)
{
    part->next_us = part->tally.next_us;
    for (size_t i = 0; i < part->model.count; i++)
        if (part->model.messages[i]->expires_us > part->made_us)
            time_min(&part->next_us, part->model.messages[i]->expires_us);
}

/* Makes a part with one holder; the seed is for its keys. Different parts can be made at the same
 * time. */
static struct sight_part *sight_part_new(struct parts *parts, const struct live *live,
                                         size_t number, int64_t now_us, uint64_t seed)
{
    struct sight_part *part = mem_zero(1, sizeof *part);

    part->holders = 1;
    part->made_us = now_us;
    parts_view(parts, live, number, &part->model);
    requests_build(&part->asks, &part->model, now_us);
    threads_build(&part->threads, &part->model, &part->asks);
    struct conversation_input input = {
        .model = &part->model, .threads = &part->threads, .asks = &part->asks, .now_us = now_us};
    conversations_build(&part->conversations, &input);
    agent_tally_fill(&part->tally, &part->model, now_us);
    short_ids_fill(&part->ids, &part->model);
    name_conversations(part);
    index_messages(part, seed);
    part->counts = sight_count_conversations(&part->conversations);
    find_next_change(part);
    return part;
}

/* Collects the statements about handoffs, unless that was done with the same names. */
static void sight_part_collect(struct sight_part *part, struct agent_directory *world,
                               int64_t now_us)
{
    if (part->naming == world->naming)
        return;
    hearing_free(&part->handoffs);
    agent_directory_collect(world, &part->model, &part->threads, now_us, &part->handoffs);
    part->naming = world->naming;
    time_min(&part->next_us, part->handoffs.next_us);
}

void sight_part_release(struct sight_part *part)
{
    if (!part || --part->holders)
        return;
    hash_index_free(&part->keys);
    free(part->conversation_keys);
    free(part->seats);
    hearing_free(&part->handoffs);
    short_ids_free(&part->ids);
    agent_tally_free(&part->tally);
    conversations_free(&part->conversations);
    threads_free(&part->threads);
    requests_free(&part->asks);
    model_free(&part->model);
    arena_free(&part->arena);
    free(part);
}

/* Derived state of live mail, in parts. */

struct sight_parts *sight_parts_new(struct live *live, size_t part_size)
{
    struct sight_parts *sight = mem_zero(1, sizeof *sight);

    sight->seed = map_seed();
    sight->parts = parts_new(part_size);
    live_track(live);
    return sight;
}

void sight_parts_free(struct sight_parts *sight)
{
    if (!sight)
        return;
    for (size_t i = 0; i < sight->count; i++)
        sight_part_release(sight->items[i]);
    free(sight->items);
    free(sight->sorted);
    parts_free(sight->parts);
    free(sight);
}

/* --- making parts --- */

/* Parts to be made; each thread takes the next one. */
struct parts_making {
    struct sight_parts *sight;
    const struct live *live;
    struct agent_directory *world; /* or NULL */
    int64_t now_us;
    uint32_t *numbers;
    size_t count;
    atomic_size_t next;
    struct sight_part **made;
};

static void *make_some(void *context)
{
    struct parts_making *parts_making = context;
    const struct sight_parts *sight = parts_making->sight;
    size_t at;

    while ((at = atomic_fetch_add(&parts_making->next, 1)) < parts_making->count) {
        parts_making->made[at] =
            sight_part_new(sight->parts, parts_making->live, parts_making->numbers[at],
                           parts_making->now_us, sight->seed);
        if (parts_making->world)
            sight_part_collect(parts_making->made[at], parts_making->world, parts_making->now_us);
    }
    return NULL;
}

/* True if the part must be made again. A clock that was set back makes parts old that were made
 * later. */
static bool is_old(const struct sight_part *part, int64_t now_us)
{
    return !part || now_us < part->made_us ||
           (part->next_us != TIME_NONE && part->next_us <= now_us);
}

static void find_old(struct parts_making *parts_making)
{
    struct sight_parts *sight = parts_making->sight;

    parts_making->numbers = mem_alloc((sight->count + 1) * sizeof *parts_making->numbers);
    for (uint32_t i = 0; i < sight->count; i++) {
        bool changed = parts_take_changed(sight->parts, i);
        if (changed || is_old(sight->items[i], parts_making->now_us))
            parts_making->numbers[parts_making->count++] = i;
    }
}

static void make_parts(struct parts_making *parts_making)
{
    struct beside beside;

    parts_making->made = mem_zero(parts_making->count + 1, sizeof *parts_making->made);
    parallel_do(&beside, parts_making->count * SIGHT_PART_SIZE, make_some, parts_making);
    make_some(parts_making);
    parallel_wait(&beside);
    for (size_t i = 0; i < parts_making->count; i++) {
        struct sight_part **item = &parts_making->sight->items[parts_making->numbers[i]];
        sight_part_release(*item);
        *item = parts_making->made[i];
    }
}

/* --- their order --- */

static struct inbox_order_entry entry_of(const struct sight_parts *sight,
                                         const struct sight_conversation *at)
{
    const struct conversations *conversations = &sight->items[at->part]->conversations;

    return (struct inbox_order_entry){at->rank, conversations,
                                      &conversations->items[at->conversation]};
}

static int cmp_conversations(const struct sight_conversation *a, const struct sight_conversation *b,
                             const struct sight_parts *sight)
{
    const struct inbox_order_entry x = entry_of(sight, a), y = entry_of(sight, b);

    return inbox_order_cmp(&x, &y);
}

static int by_rank(const void *a, const void *b, void *context)
{
    return cmp_conversations(a, b, context);
}

/* Returns the conversations of the parts that were made, in order. */
static struct sight_conversation *sort_made(const struct parts_making *parts_making, size_t *count)
{
    struct sight_parts *sight = parts_making->sight;
    struct sight_conversation *conversations;
    size_t room = 1;

    for (size_t i = 0; i < parts_making->count; i++)
        room += parts_making->made[i]->conversations.count;
    conversations = mem_alloc(room * sizeof *conversations);
    *count = 0;
    for (size_t i = 0; i < parts_making->count; i++) {
        const struct conversations *made = &parts_making->made[i]->conversations;
        for (uint32_t k = 0; k < made->count; k++)
            conversations[(*count)++] = (struct sight_conversation){
                inbox_order_rank(made, &made->items[k]), parts_making->numbers[i], k};
    }
    qsort_r(conversations, *count, sizeof *conversations, by_rank, sight);
    return conversations;
}

/* Merges them with those of all other parts, which are in order already. */
static void sort_conversations(const struct parts_making *parts_making)
{
    struct sight_parts *sight = parts_making->sight;
    size_t count, at = 0, sorted_count = 0;
    struct sight_conversation *made = sort_made(parts_making, &count);
    struct sight_conversation *sorted =
        mem_alloc((sight->sorted_count + count + 1) * sizeof *sorted);
    bool *is_made = mem_zero(sight->count + 1, sizeof *is_made);

    for (size_t i = 0; i < parts_making->count; i++)
        is_made[parts_making->numbers[i]] = true;
    for (size_t i = 0; i < sight->sorted_count; i++) {
        const struct sight_conversation *old = &sight->sorted[i];
        if (is_made[old->part])
            continue;
        while (at < count && cmp_conversations(&made[at], old, sight) < 0)
            sorted[sorted_count++] = made[at++];
        sorted[sorted_count++] = *old;
    }
    while (at < count)
        sorted[sorted_count++] = made[at++];
    free(is_made);
    free(made);
    free(sight->sorted);
    sight->sorted = sorted;
    sight->sorted_count = sorted_count;
}

void sight_parts_follow(struct sight_parts *sight, struct live *live, struct agent_directory *world,
                        int64_t now_us)
{
    struct parts_making parts_making = {
        .sight = sight, .live = live, .world = world, .now_us = now_us};

    parts_follow(sight->parts, live);
    sight->items =
        mem_grow(sight->items, &sight->cap, parts_count(sight->parts) + 1, sizeof *sight->items);
    while (sight->count < parts_count(sight->parts))
        sight->items[sight->count++] = NULL;
    find_old(&parts_making);
    if (parts_making.count) {
        make_parts(&parts_making);
        sort_conversations(&parts_making);
    }
    for (size_t i = 0; world && i < sight->count; i++)
        sight_part_collect(sight->items[i], world, now_us);
    free(parts_making.numbers);
    free(parts_making.made);
}
