/* The live picture: heads found by file, and by what makes two copies the same message. */
#include "base/beside.h"
#include "base/mem.h"
#include "mail/live/live_private.h"

#include <stddef.h>
#include <stdlib.h>

struct live *live_new(void)
{
    struct live *live = mem_zero(1, sizeof *live);

    live->seed = map_seed();
    return live;
}

void live_free(struct live *live)
{
    if (!live)
        return;
    head_pool_free(&live->pool);
    hash_index_free(&live->by_file);
    hash_index_free(&live->by_same);
    map_free(&live->box_numbers);
    map_free(&live->dir_numbers);
    free(live->places);
    live_touched_free(live);
    free(live);
}

static uint32_t number_of(struct live *live, struct map *numbers, struct span key)
{
    uint32_t next = (uint32_t)numbers->count;
    bool fresh;
    uint32_t *number = map_put_copy(numbers, &live->pool.arena, key, &fresh);

    if (fresh)
        *number = next;
    return *number;
}

static struct live_place find_place(struct live *live, const struct place *place)
{
    const struct span box[] = {place->team, place->box};
    const struct span dir[] = {span_of(place->local ? "here" : ""), place->dir};
    struct live_place found;
    struct str key = {0};

    found.box = number_of(live, &live->box_numbers, map_key(&key, place->source, box, 2));
    found.dir = number_of(live, &live->dir_numbers, map_key(&key, place->source, dir, 2));
    str_free(&key);
    return found;
}

struct live_place live_place(struct live *live, const struct place *place)
{
    uint32_t number = head_place(&live->pool, place);

    while (live->place_known <= number) {
        live->places =
            mem_grow(live->places, &live->place_cap, live->place_known + 1, sizeof *live->places);
        live->places[live->place_known] = find_place(live, live->pool.places[live->place_known]);
        live->place_known++;
    }
    return live->places[number];
}

static uint32_t hash_of(const struct live *live, uint32_t number, struct span text)
{
    return map_hash(text, live->seed + number * UINT64_C(0x9e3779b97f4a7c15));
}

struct wanted {
    const struct live *live;
    uint32_t number; /* of the directory or the box */
    struct span text;
};

static bool is_in_file(const void *context, uint32_t slot)
{
    const struct wanted *wanted = context;
    const struct head *head = head_at(&wanted->live->pool, slot);

    return wanted->live->places[head->place].dir == wanted->number &&
           span_eq(head_file(head), wanted->text);
}

static bool is_same(const void *context, uint32_t slot)
{
    const struct wanted *wanted = context;
    const struct head *head = head_at(&wanted->live->pool, slot);

    return wanted->live->places[head->place].box == wanted->number &&
           span_eq(head_id(head), wanted->text);
}

uint32_t *live_first_in_file(const struct live *live, uint32_t dir, struct span file)
{
    struct wanted wanted = {live, dir, file};

    return hash_index_find(&live->by_file, hash_of(live, dir, file), is_in_file, &wanted);
}

uint32_t *live_first_same(const struct live *live, uint32_t box, struct span id)
{
    struct wanted wanted = {live, box, id};

    return hash_index_find(&live->by_same, hash_of(live, box, id), is_same, &wanted);
}

void live_expect(const struct live *live, uint32_t dir, struct span file)
{
    hash_index_expect(&live->by_file, hash_of(live, dir, file));
}

void live_expect_same(const struct live *live, uint32_t box, struct span id)
{
    hash_index_expect(&live->by_same, hash_of(live, box, id));
}

void live_link(struct live *live, uint32_t slot)
{
    struct head *head = head_at(&live->pool, slot);
    struct live_place place = live->places[head->place];
    uint32_t *in_file = live_first_in_file(live, place.dir, head_file(head));
    uint32_t *same = live_first_same(live, place.box, head_id(head));

    head->next_in_file = in_file ? *in_file : HEAD_NONE;
    head->next_same = same ? *same : HEAD_NONE;
    if (in_file)
        *in_file = slot;
    else
        hash_index_add(&live->by_file, hash_of(live, place.dir, head_file(head)), slot);
    if (same)
        *same = slot;
    else
        hash_index_add(&live->by_same, hash_of(live, place.box, head_id(head)), slot);
    live->count++;
}

/* Takes a slot out of the list that starts at `first`, which is noted in the index. */
static void unlink_from(struct live *live, struct hash_index *index, uint32_t *first, uint32_t slot,
                        size_t link)
{
    uint32_t *at = first;

    while (*at != slot)
        at = (uint32_t *)(void *)((char *)head_at(&live->pool, *at) + link);
    uint32_t next = *(uint32_t *)(void *)((char *)head_at(&live->pool, slot) + link);
    if (at == first && next == HEAD_NONE)
        hash_index_remove(index, first);
    else
        *at = next;
}

void live_unlink(struct live *live, uint32_t slot)
{
    struct head *head = head_at(&live->pool, slot);
    struct live_place place = live->places[head->place];
    uint32_t *in_file = live_first_in_file(live, place.dir, head_file(head));
    uint32_t *same = live_first_same(live, place.box, head_id(head));

    unlink_from(live, &live->by_file, in_file, slot, offsetof(struct head, next_in_file));
    unlink_from(live, &live->by_same, same, slot, offsetof(struct head, next_same));
    live->count--;
}

void live_track(struct live *live)
{
    live->tracking = true;
}

void live_touch(struct live *live, uint32_t slot)
{
    if (!live->tracking)
        return;
    live->touched =
        mem_grow(live->touched, &live->touched_cap, live->touched_count + 1, sizeof *live->touched);
    live->touched[live->touched_count++] = slot;
}

void live_touched_free(struct live *live)
{
    free(live->touched);
    live->touched = NULL;
    live->touched_count = live->touched_cap = 0;
}

void live_touch_all(struct live *live)
{
    live->touched_count = 0;
    for (uint32_t slot = 0; slot < live->pool.count; slot++)
        live_touch(live, slot);
}

void live_hold(struct live *live)
{
    live->pool.holding = true;
}

uint64_t live_held(const struct live *live)
{
    return head_held(&live->pool);
}

void live_let_go(struct live *live, uint64_t until)
{
    head_let_go(&live->pool, until);
}

size_t live_count(const struct live *live)
{
    return live->count;
}

static bool is_archived(const struct live *live, uint32_t slot)
{
    return live->pool.places[head_at(&live->pool, slot)->place]->archived;
}

/* All inboxes before all archives, as a load has them. */
static uint32_t *slots_in_order(const struct live *live)
{
    uint32_t *slots = mem_alloc((live->count + 1) * sizeof *slots);
    size_t count = 0;

    for (int archived = 0; archived < 2; archived++)
        for (uint32_t slot = 0; slot < live->pool.count; slot++)
            if (head_at(&live->pool, slot)->used && is_archived(live, slot) == archived)
                slots[count++] = slot;
    return slots;
}

/* Some messages in their order. */
struct unfolding {
    const struct live *live;
    const uint32_t *slots;
    size_t count;
    struct batch batch;
};

static void *unfold(void *context)
{
    struct unfolding *some = context;
    struct batch *batch = &some->batch;

    batch->cap = some->count + 1;
    batch->items = mem_alloc(batch->cap * sizeof *batch->items);
    mem_in_large_pages(batch->items, batch->cap * sizeof *batch->items);
    for (size_t i = 0; i < some->count; i++)
        head_unfold(&some->live->pool, some->slots[i], &batch->items[batch->count++],
                    &batch->arena);
    return NULL;
}

/* What model_settle_known() has to know: the lists of heads with the same id, without those that
 * cannot be read. */
static uint32_t *find_copies(const struct live *live, const uint32_t *slots,
                             const struct model *model)
{
    uint32_t *before = mem_zero(live->count + 1, sizeof *before);
    uint32_t *numbers = mem_zero(live->pool.count + 1, sizeof *numbers); /* of slots, + 1 */

    for (uint32_t i = 0; i < live->count; i++)
        numbers[slots[i]] = model->messages[i]->damaged ? 0 : i + 1;
    for (size_t i = 0; i < live->count; i++) {
        uint32_t next = numbers[slots[i]] ? head_at(&live->pool, slots[i])->next_same : HEAD_NONE;
        while (next != HEAD_NONE && !numbers[next])
            next = head_at(&live->pool, next)->next_same;
        before[i] = next != HEAD_NONE ? numbers[next] : 0;
    }
    free(numbers);
    return before;
}

void live_view(const struct live *live, struct model *model)
{
    uint32_t *slots = slots_in_order(live);
    size_t half = live->count / 2;
    struct unfolding first = {.live = live, .slots = slots, .count = half};
    struct unfolding second = {.live = live, .slots = slots + half, .count = live->count - half};
    struct beside beside;

    beside_do(&beside, live->count, unfold, &second);
    unfold(&first);
    beside_wait(&beside);
    model_add(model, &first.batch);
    model_add(model, &second.batch);
    uint32_t *copies = live->by_same.count < live->count ? find_copies(live, slots, model) : NULL;
    model_settle_known(model, copies);
    free(copies);
    free(slots);
}

void live_view_some(const struct live *live, const uint32_t *slots, size_t count,
                    struct model *model)
{
    struct batch batch = {.cap = count + 1, .items = mem_alloc((count + 1) * sizeof *batch.items)};
    bool copies = false;

    for (size_t i = 0; i < count; i++)
        head_expect(&live->pool, slots[i]);
    for (int archived = 0; archived < 2; archived++)
        for (size_t i = 0; i < count; i++)
            if (is_archived(live, slots[i]) == archived) {
                head_unfold(&live->pool, slots[i], &batch.items[batch.count++], &batch.arena);
                copies |= head_at(&live->pool, slots[i])->next_same != HEAD_NONE;
            }
    model_add(model, &batch);
    if (copies)
        model_settle(model);
    else
        model_settle_known(model, NULL);
}
