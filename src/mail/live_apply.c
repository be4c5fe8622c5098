/* The live picture: applying updates, and telling what they changed. */
#include "base/mem.h"
#include "mail/live_private.h"

#include <stdlib.h>

/* A message as a person sees it, and the head that it is. */
struct sight {
    struct message message; /* first: found by it */
    uint32_t slot;
    bool gave_way; /* to another copy */
    bool matched;
};

/* A message that an update concerns, with how it was before. */
struct touched {
    uint32_t box;
    struct span id;
    struct sight *before;
    size_t before_count;
};

/* What one update does. */
struct applying {
    struct live *live;
    const struct update *update;
    struct live_changes *changes; /* or NULL */
    struct touched *touched;
    size_t touched_count, touched_cap;
    struct map known; /* what was touched, by box and id */
    struct fresh {
        uint32_t slot;
        const struct message *message;
    } * fresh; /* heads that were filled from the update */
    size_t fresh_count, fresh_cap;
};

void live_changes_free(struct live_changes *changes)
{
    free(changes->items);
    arena_free(&changes->arena);
    *changes = (struct live_changes){0};
}

/* The copies of a message as a person sees them, settled as in a model. Room is for all of them. */
static size_t see(const struct live *live, const struct touched *what, struct sight *seen,
                  struct arena *arena)
{
    const uint32_t *first = live_first_same(live, what->box, what->id);
    struct message **copies;
    size_t count = 0, readable = 0, kept = 0;

    for (uint32_t slot = first ? *first : HEAD_NONE; slot != HEAD_NONE;
         slot = head_at(&live->pool, slot)->next_same) {
        seen[count] = (struct sight){.slot = slot};
        head_unfold(&live->pool, slot, &seen[count++].message, arena);
    }
    if (count < 2)
        return count;
    copies = mem_alloc(count * sizeof *copies);
    for (size_t i = 0; i < count; i++)
        if (!seen[i].message.damaged)
            copies[readable++] = &seen[i].message;
    for (size_t i = model_settle_copies(copies, readable); i < readable; i++)
        ((struct sight *)(void *)copies[i])->gave_way = true;
    for (size_t i = 0; i < count; i++)
        if (!seen[i].gave_way)
            seen[kept++] = seen[i];
    free(copies);
    return kept;
}

static size_t count_same(const struct live *live, uint32_t box, struct span id)
{
    const uint32_t *first = live_first_same(live, box, id);
    size_t count = 0;

    for (uint32_t slot = first ? *first : HEAD_NONE; slot != HEAD_NONE;
         slot = head_at(&live->pool, slot)->next_same)
        count++;
    return count;
}

/* Makes a message stay when its head goes. Places stay anyway. */
static void keep(struct message *message, struct arena *arena)
{
    struct message head = *message;

    message_keep(message, &head, arena);
    message->place = head.place;
}

/* The same with as much room as it needs. */
static size_t look(struct applying *a, const struct touched *what, struct sight **seen)
{
    size_t copies = count_same(a->live, what->box, what->id);

    *seen = arena_alloc(&a->changes->arena, (copies + 1) * sizeof **seen);
    return copies ? see(a->live, what, *seen, &a->changes->arena) : 0;
}

/* To be called before anything about a message changes. */
static void touch(struct applying *a, uint32_t box, struct span id)
{
    if (!a->changes)
        return;
    struct arena *arena = &a->changes->arena;
    char *key = arena_bytes(arena, id.len + sizeof box);
    bool fresh;
    memcpy(key, &box, sizeof box);
    memcpy(key + sizeof box, id.at, id.len);
    uint32_t *known = map_put(&a->known, (struct span){key, id.len + sizeof box}, &fresh);
    if (!fresh)
        return;
    *known = (uint32_t)a->touched_count;
    struct touched touched = {.box = box, .id = {key + sizeof box, id.len}};
    touched.before_count = look(a, &touched, &touched.before);
    for (size_t i = 0; i < touched.before_count; i++)
        keep(&touched.before[i].message, arena);
    a->touched = mem_grow(a->touched, &a->touched_cap, a->touched_count + 1, sizeof *a->touched);
    a->touched[a->touched_count++] = touched;
}

static void remove_head(struct applying *a, uint32_t slot)
{
    const struct head *head = head_at(&a->live->pool, slot);

    touch(a, a->live->places[head->place].box, head_id(head));
    live_unlink(a->live, slot);
    head_drop(&a->live->pool, slot);
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

static void note_fresh(struct applying *a, uint32_t slot, const struct message *message)
{
    if (!a->changes)
        return;
    a->fresh = mem_grow(a->fresh, &a->fresh_cap, a->fresh_count + 1, sizeof *a->fresh);
    a->fresh[a->fresh_count++] = (struct fresh){slot, message};
}

static void add_head(struct applying *a, const struct message *message)
{
    uint32_t slot;

    touch(a, live_place(a->live, message->place).box, message->id);
    slot = head_take(&a->live->pool);
    head_fold(&a->live->pool, slot, message);
    head_at(&a->live->pool, slot)->met = a->update->looking;
    live_link(a->live, slot);
    note_fresh(a, slot, message);
}

static bool is_unchanged(const struct message *old, const struct message *now)
{
    return old->print == now->print && old->status == now->status && old->seen == now->seen &&
           old->read_here == now->read_here && old->flags == now->flags && old->mine == now->mine &&
           old->expires_us == now->expires_us && (old->damaged == NULL) == (now->damaged == NULL) &&
           (!old->damaged || strcmp(old->damaged, now->damaged) == 0) &&
           old->unread_bytes == now->unread_bytes && old->created_us == now->created_us;
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
    const struct message *messages = a->update->batch.items + file->first;
    uint32_t *slots = mem_alloc((file->count + 1) * sizeof *slots);
    struct earlier earlier = {0};

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
        if (!is_unchanged(&old, &messages[i])) {
            touch(a, live->places[head->place].box, messages[i].id);
            head_fold(&live->pool, slots[i], &messages[i]);
            note_fresh(a, slots[i], &messages[i]);
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

    for (uint32_t slot = 0; slot < live->pool.count; slot++) {
        struct head *head = head_at(&live->pool, slot);
        const struct place *place = head->used ? live->pool.places[head->place] : NULL;
        if (!place || place->source != a->update->source)
            continue;
        bool met = head->met;
        head->met = false;
        if (!met && !(place->local && dir.len) && is_beneath(place->dir, dir))
            remove_head(a, slot);
    }
}

/* What was brought later comes later. */
static int by_slot(const void *a, const void *b)
{
    const struct fresh *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->message < y->message ? -1 : x->message > y->message;
}

/* The message as the update brought it last, with its data; NULL if it did not. */
static const struct message *find_brought(const struct applying *a, const struct sight *sight)
{
    size_t low = 0, high = a->fresh_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->fresh[middle].slot <= sight->slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low && a->fresh[low - 1].slot == sight->slot ? a->fresh[low - 1].message : NULL;
}

static bool looks_the_same(const struct sight *before, const struct sight *after)
{
    const struct message *old = &before->message, *now = &after->message;

    return is_unchanged(old, now) && old->place == now->place && span_eq(old->file, now->file);
}

static void add_change(struct applying *a, enum live_event event, const struct message *message)
{
    struct live_changes *changes = a->changes;

    changes->items =
        mem_grow(changes->items, &changes->cap, changes->count + 1, sizeof *changes->items);
    changes->items[changes->count++] = (struct live_change){event, message};
}

/* What became of a message: most have one copy before and one after. */
static void tell(struct applying *a, const struct touched *touched)
{
    struct sight *before = touched->before, *after;
    size_t after_count = look(a, touched, &after), old = 0;

    for (size_t i = 0; i < after_count; i++)
        for (size_t k = 0; k < touched->before_count && !after[i].matched; k++)
            if (!before[k].matched && looks_the_same(&before[k], &after[i]))
                before[k].matched = after[i].matched = true;
    for (size_t i = 0; i < after_count; i++) {
        if (after[i].matched)
            continue;
        while (old < touched->before_count && before[old].matched)
            old++;
        struct message *copy = &after[i].message;
        const struct message *brought = find_brought(a, &after[i]);
        if (brought) {
            uint16_t flags = copy->flags; /* what its copies make of it */
            *copy = *brought;
            copy->flags = flags;
        } else {
            keep(copy, &a->changes->arena);
        }
        add_change(a, old < touched->before_count ? LIVE_CHANGED : LIVE_NEW, copy);
        if (old < touched->before_count)
            before[old].matched = true;
    }
    for (size_t k = 0; k < touched->before_count; k++)
        if (!before[k].matched)
            add_change(a, LIVE_GONE, &before[k].message);
}

void live_apply(struct live *live, const struct update *update, struct live_changes *changes)
{
    struct applying a = {.live = live, .update = update, .changes = changes};

    for (size_t i = 0; i < update->count; i++) {
        const struct update_file *file = &update->files[i];
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
    if (a.fresh_count)
        qsort(a.fresh, a.fresh_count, sizeof *a.fresh, by_slot);
    for (size_t i = 0; i < a.touched_count; i++)
        tell(&a, &a.touched[i]);
    free(a.touched);
    free(a.fresh);
    map_free(&a.known);
}
