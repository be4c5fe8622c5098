/* The live picture: messages as they were before an update and after it, and the difference. */
#include "mail/live/live_tell.h"

#include "base/mem.h"

#include <stdlib.h>

/* A message as a person sees it, and the head that it is. */
struct seen_copy {
    struct message message; /* first: found by it */
    uint32_t slot;
    bool gave_way; /* to another copy */
    bool matched;
};

/* A message that an update concerns, with how it was before. */
struct touched {
    uint32_t box;
    struct span id;
    struct seen_copy *before;
    size_t before_count;
};

struct brought {
    uint32_t slot;
    const struct message *message;
};

void live_changes_free(struct live_changes *changes)
{
    free(changes->items);
    arena_free(&changes->arena);
    *changes = (struct live_changes){0};
}

bool live_is_unchanged(const struct message *old, const struct message *now)
{
    return old->print == now->print && old->status == now->status && old->seen == now->seen &&
           old->read_here == now->read_here && old->answered == now->answered &&
           old->flags == now->flags && old->mine == now->mine &&
           old->expires_us == now->expires_us && (old->damaged == NULL) == (now->damaged == NULL) &&
           (!old->damaged || strcmp(old->damaged, now->damaged) == 0) &&
           old->unread_bytes == now->unread_bytes && old->created_us == now->created_us;
}

/* The copies of a message as a person sees them, settled as in a model. Room is for all of them. */
static size_t see(const struct live *live, const struct touched *what, struct seen_copy *seen,
                  struct arena *arena)
{
    const uint32_t *first = live_first_same(live, what->box, what->id);
    struct message **copies;
    size_t count = 0, readable = 0, kept = 0;

    for (uint32_t slot = first ? *first : HEAD_NONE; slot != HEAD_NONE;
         slot = head_at(&live->pool, slot)->next_same) {
        seen[count] = (struct seen_copy){.slot = slot};
        head_unfold(&live->pool, slot, &seen[count++].message, arena);
    }
    if (count < 2)
        return count;
    copies = mem_alloc(count * sizeof *copies);
    for (size_t i = 0; i < count; i++)
        if (!seen[i].message.damaged)
            copies[readable++] = &seen[i].message;
    for (size_t i = model_settle_copies(copies, readable); i < readable; i++)
        ((struct seen_copy *)(void *)copies[i])->gave_way = true;
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
static size_t look(struct telling *t, const struct touched *what, struct seen_copy **seen)
{
    size_t copies = count_same(t->live, what->box, what->id);

    *seen = arena_alloc(&t->changes->arena, (copies + 1) * sizeof **seen);
    return copies ? see(t->live, what, *seen, &t->changes->arena) : 0;
}

void telling_touch(struct telling *t, uint32_t box, struct span id)
{
    if (!t->changes)
        return;
    struct arena *arena = &t->changes->arena;
    char *key = arena_bytes(arena, id.len + sizeof box);
    bool fresh;
    memcpy(key, &box, sizeof box);
    memcpy(key + sizeof box, id.at, id.len);
    uint32_t *known = map_put(&t->known, (struct span){key, id.len + sizeof box}, &fresh);
    if (!fresh)
        return;
    *known = (uint32_t)t->touched_count;
    struct touched touched = {.box = box, .id = {key + sizeof box, id.len}};
    touched.before_count = look(t, &touched, &touched.before);
    for (size_t i = 0; i < touched.before_count; i++)
        keep(&touched.before[i].message, arena);
    t->touched = mem_grow(t->touched, &t->touched_cap, t->touched_count + 1, sizeof *t->touched);
    t->touched[t->touched_count++] = touched;
}

void telling_brought(struct telling *t, uint32_t slot, const struct message *message)
{
    if (!t->changes)
        return;
    t->brought = mem_grow(t->brought, &t->brought_cap, t->brought_count + 1, sizeof *t->brought);
    t->brought[t->brought_count++] = (struct brought){slot, message};
}

/* What was brought later comes later. */
static int by_slot(const void *a, const void *b)
{
    const struct brought *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->message < y->message ? -1 : x->message > y->message;
}

/* The message as the update brought it last, with its data; NULL if it did not. */
static const struct message *find_brought(const struct telling *t, const struct seen_copy *seen)
{
    size_t low = 0, high = t->brought_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->brought[middle].slot <= seen->slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low && t->brought[low - 1].slot == seen->slot ? t->brought[low - 1].message : NULL;
}

static bool looks_the_same(const struct seen_copy *before, const struct seen_copy *after)
{
    const struct message *old = &before->message, *now = &after->message;

    return live_is_unchanged(old, now) && old->place == now->place && span_eq(old->file, now->file);
}

static void add_change(struct telling *t, enum live_event event, const struct message *message)
{
    struct live_changes *changes = t->changes;

    changes->items =
        mem_grow(changes->items, &changes->cap, changes->count + 1, sizeof *changes->items);
    changes->items[changes->count++] = (struct live_change){event, message};
}

/* What became of a message: most have one copy before and one after. */
static void tell(struct telling *t, const struct touched *touched)
{
    struct seen_copy *before = touched->before, *after;
    size_t after_count = look(t, touched, &after);

    for (size_t i = 0; i < after_count; i++)
        for (size_t k = 0; k < touched->before_count && !after[i].matched; k++)
            if (!before[k].matched && looks_the_same(&before[k], &after[i]))
                before[k].matched = after[i].matched = true;
    for (size_t i = 0; i < after_count; i++) {
        if (after[i].matched)
            continue;
        size_t old = 0;
        while (old < touched->before_count &&
               (before[old].matched || !message_is_same(&before[old].message, &after[i].message)))
            old++;
        struct message *copy = &after[i].message;
        const struct message *brought = find_brought(t, &after[i]);
        if (brought) {
            uint16_t flags = copy->flags; /* what its copies make of it */
            *copy = *brought;
            copy->flags = flags;
        } else {
            keep(copy, &t->changes->arena);
        }
        add_change(t, old < touched->before_count ? LIVE_CHANGED : LIVE_NEW, copy);
        if (old < touched->before_count)
            before[old].matched = true;
    }
    for (size_t k = 0; k < touched->before_count; k++)
        if (!before[k].matched)
            add_change(t, LIVE_GONE, &before[k].message);
}

void telling_finish(struct telling *telling)
{
    if (telling->brought_count)
        qsort(telling->brought, telling->brought_count, sizeof *telling->brought, by_slot);
    for (size_t i = 0; i < telling->touched_count; i++)
        tell(telling, &telling->touched[i]);
    free(telling->touched);
    free(telling->brought);
    map_free(&telling->known);
}
