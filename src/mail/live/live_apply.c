/* The live picture: applying updates. */
#include "base/mem.h"
#include "mail/live/live_tell.h"

#include <stdlib.h>

enum { AHEAD = 8 };

struct applying {
    struct live *live;
    const struct update *update;
    struct telling telling;
};

static void remove_head(struct applying *a, uint32_t slot)
{
    const struct head *head = head_at(&a->live->pool, slot);

    telling_touch(&a->telling, a->live->places[head->place].box, head_id(head));
    live_unlink(a->live, slot);
    head_drop(&a->live->pool, slot);
    live_touch(a->live, slot);
}

static void remove_file(struct applying *a, uint32_t dir, struct span name)
{
    uint32_t *first;

    while ((first = live_first_in_file(a->live, dir, name)))
        remove_head(a, *first);
}

static void stamp_file(struct applying *a, uint32_t dir, struct span name)
{
    const uint32_t *first = live_first_in_file(a->live, dir, name);

    for (uint32_t slot = first ? *first : HEAD_NONE; slot != HEAD_NONE;
         slot = head_at(&a->live->pool, slot)->next_in_file)
        head_at(&a->live->pool, slot)->met = a->update->looking;
}

static void add_head(struct applying *a, const struct message *message)
{
    uint32_t slot;

    telling_touch(&a->telling, live_place(a->live, message->place).box, message->id);
    slot = head_take(&a->live->pool);
    head_fold(&a->live->pool, slot, message);
    head_at(&a->live->pool, slot)->met = a->update->looking;
    live_link(a->live, slot);
    live_touch(a->live, slot);
    telling_brought(&a->telling, slot, message);
}

/* The heads that a file had before, to be found by id. */
struct earlier {
    uint32_t *slots; /* HEAD_NONE once its message came again */
    size_t count, cap;
    struct map ids;  /* 1 + the first with that id */
    uint32_t *again; /* 1 + the next with the same id; 0 for none */
};

static void find_earlier(struct earlier *earlier, const struct live *live, uint32_t dir,
                         struct span name)
{
    const uint32_t *first = live_first_in_file(live, dir, name);
    bool fresh;

    for (uint32_t slot = first ? *first : HEAD_NONE; slot != HEAD_NONE;
         slot = head_at(&live->pool, slot)->next_in_file) {
        earlier->slots =
            mem_grow(earlier->slots, &earlier->cap, earlier->count + 1, sizeof *earlier->slots);
        earlier->slots[earlier->count++] = slot;
    }
    if (earlier->count < 2)
        return;
    earlier->again = mem_zero(earlier->count, sizeof *earlier->again);
    for (size_t i = 0; i < earlier->count; i++) {
        struct span id = head_id(head_at(&live->pool, earlier->slots[i]));
        uint32_t *known = map_put(&earlier->ids, id, &fresh);
        earlier->again[i] = *known;
        *known = (uint32_t)i + 1;
    }
}

/* The head that has the message now, to be used again; HEAD_NONE when it is new in the file. */
static uint32_t claim_earlier(struct earlier *earlier, const struct live *live, struct span id)
{
    const uint32_t *known = earlier->again ? map_get(&earlier->ids, id) : NULL;
    uint32_t at = known ? *known : !earlier->again && earlier->count ? 1 : 0;

    while (at) {
        uint32_t slot = earlier->slots[at - 1];
        if (slot != HEAD_NONE && (known || span_eq(head_id(head_at(&live->pool, slot)), id))) {
            earlier->slots[at - 1] = HEAD_NONE;
            return slot;
        }
        at = earlier->again ? earlier->again[at - 1] : 0;
    }
    return HEAD_NONE;
}

/* What stays the same in a file is left alone. */
static void hold(struct applying *a, uint32_t dir, const struct update_file *file)
{
    struct live *live = a->live;
    const struct message *messages = file->count ? a->update->batch.items + file->first : NULL;
    struct earlier earlier = {0};

    if (!live_first_in_file(live, dir, file->name)) { /* as nearly all are in the beginning */
        for (size_t i = 0; i < file->count; i++)
            add_head(a, &messages[i]);
        return;
    }
    uint32_t *slots = mem_alloc((file->count + 1) * sizeof *slots);
    find_earlier(&earlier, live, dir, file->name);
    for (size_t i = 0; i < file->count; i++) /* first of all: ids borrow from heads that change */
        slots[i] = claim_earlier(&earlier, live, messages[i].id);
    for (size_t i = 0; i < earlier.count; i++)
        if (earlier.slots[i] != HEAD_NONE)
            remove_head(a, earlier.slots[i]);
    for (size_t i = 0; i < file->count; i++) {
        struct message old;
        if (slots[i] == HEAD_NONE) {
            add_head(a, &messages[i]);
            continue;
        }
        struct head *head = head_at(&live->pool, slots[i]);
        head_unfold(&live->pool, slots[i], &old, NULL);
        if (old.raw_at != messages[i].raw_at || old.raw_len != messages[i].raw_len)
            live_touch(live, slots[i]);
        if (!live_is_unchanged(&old, &messages[i])) {
            live_touch(live, slots[i]);
            telling_touch(&a->telling, live->places[head->place].box, messages[i].id);
            head_fold(&live->pool, slots[i], &messages[i]);
            telling_brought(&a->telling, slots[i], &messages[i]);
        }
        head->raw_at = messages[i].raw_at;
        head->raw_len = messages[i].raw_len;
        head->met = a->update->looking;
    }
    map_free(&earlier.ids);
    free(earlier.slots);
    free(earlier.again);
    free(slots);
}

static bool is_beneath(struct span dir, struct span above)
{
    return !above.len ||
           (span_starts(dir, above) && (dir.len == above.len || dir.at[above.len] == '/'));
}

/* Removes what a look through the tree did not meet. Copies that are kept here are met only by a
 * look at everything. The look is over then: what it met outside of the directory was met, too. */
static void sweep(struct applying *a)
{
    struct live *live = a->live;
    struct span dir = a->update->sweep_dir;
    bool keeps_copies = dir.len || a->update->without_copies;

    for (uint32_t slot = 0; slot < live->pool.count; slot++) {
        struct head *head = head_at(&live->pool, slot);
        const struct place *place = head->used ? live->pool.places[head->place] : NULL;
        if (!place || place->source != a->update->source)
            continue;
        bool met = head->met;
        head->met = false;
        if (!met && !(place->local && keeps_copies) && is_beneath(place->dir, dir))
            remove_head(a, slot);
    }
}

/* What a file some way ahead in the update will be looked up by: waiting for one after the other
 * would be most of what applying many costs. */
static void expect(const struct applying *a, size_t number)
{
    const struct update_file *file = &a->update->files[number];
    struct live_place place = live_place(a->live, file->place);

    live_expect(a->live, place.dir, file->name);
    for (size_t i = 0; i < file->count && file->what == UPDATE_HOLDS; i++)
        live_expect_same(a->live, place.box, a->update->batch.items[file->first + i].id);
}

void live_apply(struct live *live, const struct update *update, struct live_changes *changes)
{
    struct applying a = {
        .live = live, .update = update, .telling = {.live = live, .changes = changes}};

    hash_index_reserve(&live->by_file, update->coming);
    hash_index_reserve(&live->by_same, update->coming);
    for (size_t i = 0; i < update->count; i++) {
        const struct update_file *file = &update->files[i];
        if (i + AHEAD < update->count)
            expect(&a, i + AHEAD);
        uint32_t dir = live_place(live, file->place).dir;
        switch (file->what) {
        case UPDATE_HOLDS:
            hold(&a, dir, file);
            break;
        case UPDATE_KEPT:
            stamp_file(&a, dir, file->name);
            break;
        case UPDATE_GONE:
            remove_file(&a, dir, file->name);
            break;
        }
    }
    if (update->sweep)
        sweep(&a);
    telling_finish(&a.telling);
}
