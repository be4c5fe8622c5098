/* The live messages: heads found by file, and by the message they are copies of. */
#include "mail/live/live.h"

#include "base/mem.h"
#include "base/thread.h"

#include <stddef.h>
#include <stdlib.h>

/* The changes of an update, as a person sees them. */

struct touched;
struct brought;

/* Collects changes. Zero-initialise, then set the first two members. */
struct telling {
    const struct live *live;
    struct live_changes *changes; /* NULL: no changes wanted */
    struct touched *touched;
    size_t touched_count, touched_cap;
    struct map known;        /* messages touched, by box and id */
    struct brought *brought; /* heads filled from the update */
    size_t brought_count, brought_cap;
};

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

/* Return the entry for the first head of a file, or of a message; NULL if there is none. Borrowed
 * until a head is linked or unlinked. */
static uint32_t *live_first_in_file(const struct live *live, uint32_t dir, struct span file)
{
    struct wanted wanted = {live, dir, file};

    return hash_index_find(&live->by_file, hash_of(live, dir, file), is_in_file, &wanted);
}

static uint32_t *live_first_same(const struct live *live, uint32_t box, struct span id)
{
    struct wanted wanted = {live, box, id};

    return hash_index_find(&live->by_same, hash_of(live, box, id), is_same, &wanted);
}

/* Prefetch entries that will be looked up soon. */
static void live_expect(const struct live *live, uint32_t dir, struct span file)
{
    hash_index_expect(&live->by_file, hash_of(live, dir, file));
}

static void live_expect_same(const struct live *live, uint32_t box, struct span id)
{
    hash_index_expect(&live->by_same, hash_of(live, box, id));
}

/* Adds a filled head to its lists. */
static void live_link(struct live *live, uint32_t slot)
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

/* Removes a slot from the list that starts at `first`, which is an entry of the index. */
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

static void live_unlink(struct live *live, uint32_t slot)
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

/* Records, if tracking, that the slot has changed. */
static void live_touch(struct live *live, uint32_t slot)
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

void live_release(struct live *live, uint64_t until)
{
    head_release(&live->pool, until);
}

size_t live_count(const struct live *live)
{
    return live->count;
}

static bool is_archived(const struct live *live, uint32_t slot)
{
    return live->pool.places[head_at(&live->pool, slot)->place]->archived;
}

/* All inboxes before all archives, in the order in which a load has them. */
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

/* Some messages to unfold, in order. */
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

/* Returns the lists for model_settle_known(): heads with the same id, without unreadable ones. The
 * caller frees it. */
static uint32_t *find_copies(const struct live *live, const uint32_t *slots,
                             const struct model *model)
{
    uint32_t *before = mem_zero(live->count + 1, sizeof *before);
    uint32_t *numbers = mem_zero(live->pool.count + 1, sizeof *numbers); /* slot: 1 + its number */

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

    parallel_do(&beside, live->count, unfold, &second);
    unfold(&first);
    parallel_wait(&beside);
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

/* The changes of an update: messages before it and after it, compared. */

/* A message as a person sees it, and its head. */
struct seen_copy {
    struct message message; /* first member: cast from a pointer to it */
    uint32_t slot;
    bool gave_way; /* another copy is shown instead */
    bool matched;
};

/* A message that an update may change, and its copies before the update. */
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

/* True if everything that is shown of a message is as before. */
static bool live_is_unchanged(const struct message *old, const struct message *now)
{
    return old->print == now->print && old->status == now->status && old->seen == now->seen &&
           old->read_here == now->read_here && old->answered == now->answered &&
           old->flags == now->flags && old->mine == now->mine &&
           old->expires_us == now->expires_us && (old->damaged == NULL) == (now->damaged == NULL) &&
           (!old->damaged || strcmp(old->damaged, now->damaged) == 0) &&
           old->unread_bytes == now->unread_bytes && old->created_us == now->created_us;
}

/* Stores the copies of a message that a person sees, settled as in a model; `seen` has room for all
 * copies. Returns their number. */
static size_t see_copies(const struct live *live, const struct touched *what,
                         struct seen_copy *seen, struct arena *arena)
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

/* Copies the texts of a message, so that it outlives its head. Its place lives longer anyway. */
static void keep_message(struct message *message, struct arena *arena)
{
    struct message head = *message;

    message_keep(message, &head, arena);
    message->place = head.place;
}

/* Like see_copies(), but allocates *seen in the arena of the changes. */
static size_t see_all_copies(struct telling *t, const struct touched *what, struct seen_copy **seen)
{
    size_t copies = count_same(t->live, what->box, what->id);

    *seen = arena_alloc(&t->changes->arena, (copies + 1) * sizeof **seen);
    return copies ? see_copies(t->live, what, *seen, &t->changes->arena) : 0;
}

/* Stores the copies of a message, once; call it before any of them changes. */
static void telling_touch(struct telling *t, uint32_t box, struct span id)
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
    touched.before_count = see_all_copies(t, &touched, &touched.before);
    for (size_t i = 0; i < touched.before_count; i++)
        keep_message(&touched.before[i].message, arena);
    t->touched = mem_grow(t->touched, &t->touched_cap, t->touched_count + 1, sizeof *t->touched);
    t->touched[t->touched_count++] = touched;
}

/* Records that a head was filled from this message of the update. */
static void telling_brought(struct telling *t, uint32_t slot, const struct message *message)
{
    if (!t->changes)
        return;
    t->brought = mem_grow(t->brought, &t->brought_cap, t->brought_count + 1, sizeof *t->brought);
    t->brought[t->brought_count++] = (struct brought){slot, message};
}

/* By slot; later messages of the update last. */
static int by_slot(const void *a, const void *b)
{
    const struct brought *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->message < y->message ? -1 : x->message > y->message;
}

/* Returns the last message of the update for that head, with its data; NULL if there is none. */
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

/* Adds the changes of one message. Most have one copy before and one after. */
static void report_touched(struct telling *t, const struct touched *touched)
{
    struct seen_copy *before = touched->before, *after;
    size_t after_count = see_all_copies(t, touched, &after);

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
            uint16_t flags = copy->flags; /* flags set by settling the copies */
            *copy = *brought;
            copy->flags = flags;
        } else {
            keep_message(copy, &t->changes->arena);
        }
        add_change(t, old < touched->before_count ? LIVE_CHANGED : LIVE_NEW, copy);
        if (old < touched->before_count)
            before[old].matched = true;
    }
    for (size_t k = 0; k < touched->before_count; k++)
        if (!before[k].matched)
            add_change(t, LIVE_GONE, &before[k].message);
}

/* Adds all changes, and frees the collected data. */
static void telling_finish(struct telling *telling)
{
    if (telling->brought_count)
        qsort(telling->brought, telling->brought_count, sizeof *telling->brought, by_slot);
    for (size_t i = 0; i < telling->touched_count; i++)
        report_touched(telling, &telling->touched[i]);
    free(telling->touched);
    free(telling->brought);
    map_free(&telling->known);
}

/* Applying updates. */

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

static void file_stamp_file(struct applying *a, uint32_t dir, struct span name)
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
    uint32_t *slots; /* HEAD_NONE once reused */
    size_t count, cap;
    struct map ids;  /* 1 + the first with that id */
    uint32_t *again; /* 1 + the next with the same id; 0: none */
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

/* Returns the head of the message in the file's earlier state, to reuse it; HEAD_NONE if the
 * message is new in the file. */
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

/* Replaces the messages of a file; leaves unchanged ones alone. */
static void apply_file(struct applying *a, uint32_t dir, const struct update_file *file)
{
    struct live *live = a->live;
    const struct message *messages = file->count ? a->update->batch.items + file->first : NULL;
    struct earlier earlier = {0};

    if (!live_first_in_file(live, dir, file->name)) { /* true for nearly all files at first */
        for (size_t i = 0; i < file->count; i++)
            add_head(a, &messages[i]);
        return;
    }
    uint32_t *slots = mem_alloc((file->count + 1) * sizeof *slots);
    find_earlier(&earlier, live, dir, file->name);
    for (size_t i = 0; i < file->count; i++) /* first, because ids borrow from heads */
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

/* Removes messages that the finished scan of the tree did not meet. Our own copies are met only by
 * a scan of everything. Clears the marks of all messages of the source, also outside of the
 * directory. */
static void sweep_unseen(struct applying *a)
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

/* Prefetches the entries of a file further ahead in the update: waiting for memory at each file
 * would be most of the cost of a large update. */
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
            apply_file(&a, dir, file);
            break;
        case UPDATE_KEPT:
            file_stamp_file(&a, dir, file->name);
            break;
        case UPDATE_GONE:
            remove_file(&a, dir, file->name);
            break;
        }
    }
    if (update->sweep)
        sweep_unseen(&a);
    telling_finish(&a.telling);
}
