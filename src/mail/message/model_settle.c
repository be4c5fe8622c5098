/* The model: settling copies of one message, and naming threads.
 *
 * What comes of it never depends on the order in which directories happen to be listed. */
#include "base/hash_index.h"
#include "base/mem.h"
#include "mail/message/model.h"
#include "mail/thread/chain.h"

#include <stdlib.h>

/* Numbers for the boxes of the model, so that an id and its box make one short key. */
struct box_numbers {
    struct map boxes;
    struct arena arena;
    const struct place *last;
    uint32_t last_number;
};

static uint32_t box_number(struct box_numbers *numbers, const struct place *place)
{
    struct str key = {0};
    bool fresh;

    if (numbers->last == place)
        return numbers->last_number;
    const struct span parts[] = {place->team, place->box};
    uint32_t next = (uint32_t)numbers->boxes.count;
    uint32_t *number = map_put_copy(&numbers->boxes, &numbers->arena,
                                    map_key(&key, place->source, parts, 2), &fresh);
    if (fresh)
        *number = next;
    str_free(&key);
    numbers->last = place;
    numbers->last_number = *number;
    return *number;
}

/* Inboxes before archives, then by where a message lies. */
static int cmp_place(const struct message *a, const struct message *b)
{
    int order = a->place->archived - b->place->archived;

    order = order ? order : a->place->local - b->place->local;
    return order ? order : message_cmp_place(a, b);
}

/* What the author wrote tells copies from other messages of the same id. */
static int cmp_content(const struct message *a, const struct message *b)
{
    if (a->content != b->content)
        return a->content < b->content ? -1 : 1;
    return cmp_place(a, b);
}

size_t model_settle_copies(struct message **copies, size_t count)
{
    size_t kept = 0, gave_way = 0, first_kept = 0;
    uint32_t content = 0;
    struct message *inbox = NULL;

    model_sort(copies, count, cmp_content);
    struct message **given = mem_alloc((count + 1) * sizeof *given);
    for (size_t i = 0; i < count; i++) {
        struct message *copy = copies[i];
        if (!i || copy->content != content) {
            inbox = copy->place->archived ? NULL : copy;
            first_kept = kept;
        }
        content = copy->content;
        if (!inbox || !copy->place->archived) {
            copies[kept++] = copy;
            continue;
        }
        /* A copy that is kept here hides nothing that still lies in the mailbox. */
        bool newer = !copy->place->local && copy->status > inbox->status;
        copy->flags |= MESSAGE_IN_BOTH;
        inbox->flags |= MESSAGE_IN_BOTH;
        given[gave_way++] = newer ? inbox : copy;
        if (newer) {
            copies[first_kept] = copy;
            inbox = NULL; /* both are archived now: others are others */
        }
    }
    if (gave_way)
        memcpy(copies + kept, given, gave_way * sizeof *given);
    free(given);
    return kept;
}

static void add_double(struct model *model, struct message *message)
{
    model->doubles = mem_grow(model->doubles, &model->double_cap, model->double_count + 1,
                              sizeof *model->doubles);
    model->doubles[model->double_count++] = message;
}

struct sought {
    const struct model *model;
    struct box_numbers numbers;
    const struct message *message;
    uint32_t box;
};

static bool is_copy(const void *context, uint32_t other)
{
    const struct sought *sought = context;
    const struct message *message = sought->model->messages[other];

    return span_eq(message->id, sought->message->id) &&
           box_number((struct box_numbers *)(uintptr_t)&sought->numbers, message->place) ==
               sought->box;
}

/* The copies of each message, in lists as for model_settle_known(); NULL when no two are the same.
 */
static uint32_t *find_copies(const struct model *model)
{
    struct sought sought = {.model = model};
    struct hash_index lasts = {0}; /* by box and id: the last that was met */
    uint64_t seed = map_seed();
    uint32_t *before = NULL;

    hash_index_reserve(&lasts, model->count);
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->damaged)
            continue;
        sought.message = message;
        sought.box = box_number(&sought.numbers, message->place);
        uint32_t hash = map_hash(message->id, seed + sought.box * UINT64_C(0x9e3779b97f4a7c15));
        uint32_t *last = hash_index_find(&lasts, hash, is_copy, &sought);
        if (!last) {
            hash_index_add(&lasts, hash, (uint32_t)i);
            continue;
        }
        if (!before)
            before = mem_zero(model->count, sizeof *before);
        before[i] = *last + 1;
        *last = (uint32_t)i;
    }
    hash_index_free(&lasts);
    map_free(&sought.numbers.boxes);
    arena_free(&sought.numbers.arena);
    return before;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Settles the list that starts with that message and puts what stays of it into the places that it
 * had. */
static void settle_list(struct model *model, const uint32_t *before, uint32_t first)
{
    size_t count = 0, found = 0;

    for (uint32_t at = first + 1; at; at = before[at - 1])
        count++;
    uint32_t *numbers = mem_alloc(count * sizeof *numbers);
    struct message **copies = mem_alloc(count * sizeof *copies);
    for (uint32_t at = first + 1; at; at = before[at - 1]) {
        numbers[found] = at - 1;
        copies[found++] = model->messages[at - 1];
    }
    qsort(numbers, count, sizeof *numbers, by_number);
    size_t kept = model_settle_copies(copies, count);
    for (size_t i = 0; i < count; i++)
        model->messages[numbers[i]] = i < kept ? copies[i] : NULL;
    for (size_t i = kept; i < count; i++)
        add_double(model, copies[i]);
    free(numbers);
    free(copies);
}

static void settle_lists(struct model *model, const uint32_t *before)
{
    bool *goes_on = mem_zero(model->count, sizeof *goes_on);
    size_t kept = 0;

    for (size_t i = 0; i < model->count; i++)
        if (before[i])
            goes_on[before[i] - 1] = true;
    for (uint32_t i = 0; i < model->count; i++)
        if (before[i] && !goes_on[i])
            settle_list(model, before, i);
    for (size_t i = 0; i < model->count; i++)
        if (model->messages[i])
            model->messages[kept++] = model->messages[i];
    model->count = kept;
    free(goes_on);
}

void model_settle_known(struct model *model, const uint32_t *before)
{
    if (before)
        settle_lists(model, before);
    same_ids_find(&model->same, model->messages, model->count);
    chain_name_threads(model);
}

void model_settle(struct model *model)
{
    uint32_t *before = find_copies(model);

    model_settle_known(model, before);
    free(before);
}
