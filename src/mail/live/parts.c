/* Parts: kin are joined into families by union-find over their keys, and families are assigned to
 * parts. */
#include "mail/live/parts.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/live/live.h"
#include "mail/message/kind.h"
#include "mail/thread/thread.h"

#include <stdlib.h>

/* Kin: the keys of a message. */

/* The sorts of keys; keys of different sorts never match. */
enum key_kind { KEY_ID, KEY_SUBJECT, KEY_PLAN, KEY_STOP, KEY_IDLE };

static uint64_t seed_of(const struct message *message, enum key_kind kind, uint64_t seed)
{
    return seed + (message->place->source * 8 + kind) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint32_t pair_key(struct span a, struct span b, uint64_t seed)
{
    return map_hash(a, map_hash(b, seed) + seed);
}

/* The same key for both directions. */
static uint32_t either_key(struct span a, struct span b, uint64_t seed)
{
    return span_cmp(a, b) > 0 ? pair_key(b, a, seed) : pair_key(a, b, seed);
}

/* Names are spelled as box names: orders to stop and their answers are matched by these. */
static uint32_t spelled_key(const struct message *message, uint64_t seed)
{
    struct str from = {0}, to = {0};

    message_add_spelled(&from, message->from);
    message_add_spelled(&to, message_recipient(message));
    uint32_t key = either_key(str_span(&from), str_span(&to), seed);
    str_free(&from);
    str_free(&to);
    return key;
}

/* Stores the keys of the ids in a message: its own, its thread's and the one it answers. Returns
 * their number. */
static size_t add_ids(const struct message *message, uint64_t seed, uint32_t *keys)
{
    bool is_short = message->place->short_replies;
    uint64_t of_ids = seed_of(message, KEY_ID, seed);
    size_t count = 0;

    keys[count++] = map_hash(message_spoken_id(message->id, is_short), of_ids);
    if (message->thread.len)
        keys[count++] = map_hash(message->thread, of_ids);
    if (message->thread.len && is_short) /* an answer may name the shortened id */
        keys[count++] = map_hash(message_spoken_id(message->thread, true), of_ids);
    if (message->reply_to.len)
        keys[count++] = map_hash(message_spoken_id(message->reply_to, is_short), of_ids);
    return count;
}

size_t kin_keys(const struct message *message, uint64_t seed, uint32_t keys[KIN_MOST])
{
    size_t count = add_ids(message, seed, keys);
    bool ignored;

    if (message->damaged)
        return count;
    if (message->place->by_subject) {
        struct span subject = thread_subject(message->subject, &ignored);
        uint64_t of_subject = map_hash(subject, seed_of(message, KEY_SUBJECT, seed));
        keys[count++] = either_key(message->from, message->to, of_subject);
    }
    if (message->kind == KIND_PLAN)
        keys[count++] = pair_key(message->from, message->to, seed_of(message, KEY_PLAN, seed));
    if (message->kind == KIND_SHUTDOWN)
        keys[count++] = spelled_key(message, seed_of(message, KEY_STOP, seed));
    if (message->kind == KIND_IDLE)
        keys[count++] = pair_key(message->from, message->to, seed_of(message, KEY_IDLE, seed));
    return count;
}

#define NONE UINT32_MAX

/* With more keys than this, families are built anew: until then, keys of removed messages
 * remain. */
enum { KEYS_SPARE = 65536, KEYS_PER_MESSAGE = 8, AT_ONCE = 32 };

struct part {
    uint32_t *slots; /* may hold duplicates and slots of other parts; see tidy_part() */
    size_t count, cap;
    bool changed;
};

struct parts {
    size_t part_size;
    uint64_t seed;
    struct hash_index keys; /* by key: a family */
    uint32_t *parent;       /* of a family: itself, or one it was joined with */
    uint32_t *part;         /* of a family that is its own parent; NONE: not yet */
    size_t family_count, parent_cap, part_cap;
    uint32_t *family; /* of a slot, or NONE */
    size_t slot_count, slot_cap;
    struct part *items;
    size_t count, cap;
    size_t open; /* the part for new families */
};

struct parts *parts_new(size_t part_size)
{
    struct parts *parts = mem_zero(1, sizeof *parts);

    parts->seed = map_seed();
    parts->part_size = part_size;
    return parts;
}

static void clear_parts(struct parts *parts)
{
    hash_index_free(&parts->keys);
    for (size_t i = 0; i < parts->count; i++) {
        parts->items[i].count = 0;
        parts->items[i].changed = true;
    }
    parts->family_count = 0;
    parts->slot_count = 0;
    parts->open = 0;
}

void parts_free(struct parts *parts)
{
    if (!parts)
        return;
    clear_parts(parts);
    for (size_t i = 0; i < parts->count; i++)
        free(parts->items[i].slots);
    free(parts->items);
    free(parts->parent);
    free(parts->part);
    free(parts->family);
    free(parts);
}

/* --- families --- */

static uint32_t root_of(struct parts *parts, uint32_t family)
{
    while (parts->parent[family] != family) {
        parts->parent[family] = parts->parent[parts->parent[family]];
        family = parts->parent[family];
    }
    return family;
}

/* Like root_of(), but read-only: safe to call concurrently. */
static uint32_t root_seen(const struct parts *parts, uint32_t family)
{
    while (parts->parent[family] != family)
        family = parts->parent[family];
    return family;
}

static uint32_t new_family(struct parts *parts)
{
    size_t count = parts->family_count + 1;

    parts->parent = mem_grow(parts->parent, &parts->parent_cap, count, sizeof *parts->parent);
    parts->part = mem_grow(parts->part, &parts->part_cap, count, sizeof *parts->part);
    parts->parent[count - 1] = (uint32_t)count - 1;
    parts->part[count - 1] = NONE;
    parts->family_count = count;
    return (uint32_t)count - 1;
}

static void add_slot(struct parts *parts, uint32_t number, uint32_t slot)
{
    struct part *part = &parts->items[number];

    part->slots = mem_grow(part->slots, &part->cap, part->count + 1, sizeof *part->slots);
    part->slots[part->count++] = slot;
    part->changed = true;
}

/* Adds the members of a family to another part. tidy_part() removes them from the old one. */
static void move_family(struct parts *parts, uint32_t family, uint32_t to)
{
    const struct part *from = &parts->items[parts->part[family]];

    for (size_t i = 0; i < from->count; i++) {
        uint32_t slot = from->slots[i];
        if (parts->family[slot] != NONE && root_of(parts, parts->family[slot]) == family)
            add_slot(parts, to, slot);
    }
    parts->items[parts->part[family]].changed = true;
    parts->part[family] = to;
}

static uint32_t join_families(struct parts *parts, uint32_t a, uint32_t b)
{
    a = root_of(parts, a);
    b = root_of(parts, b);
    if (a == b)
        return a;
    uint32_t older = a < b ? a : b, younger = a < b ? b : a;
    uint32_t stays = parts->part[older], goes = parts->part[younger];
    if (stays != NONE && goes != NONE && stays != goes) {
        bool more = parts->items[stays].count >= parts->items[goes].count;
        move_family(parts, more ? younger : older, more ? stays : goes);
    } else if (stays == NONE) {
        parts->part[older] = goes;
    }
    parts->parent[younger] = older;
    return older;
}

static bool is_any(const void *context, uint32_t value)
{
    (void)context;
    (void)value;
    return true;
}

/* The keys of a message. */
struct keys {
    uint32_t items[KIN_MOST];
    size_t count;
};

static uint32_t find_family(struct parts *parts, const struct keys *keys)
{
    uint32_t family = NONE;

    for (size_t i = 0; i < keys->count; i++) {
        const uint32_t *known = hash_index_find(&parts->keys, keys->items[i], is_any, NULL);
        if (known)
            family = family == NONE ? root_of(parts, *known) : join_families(parts, family, *known);
    }
    if (family == NONE)
        family = new_family(parts);
    for (size_t i = 0; i < keys->count; i++)
        if (!hash_index_find(&parts->keys, keys->items[i], is_any, NULL))
            hash_index_add(&parts->keys, keys->items[i], family);
    return family;
}

/* --- following --- */

static uint32_t part_of(const struct parts *parts, uint32_t slot)
{
    uint32_t family = slot < parts->slot_count ? parts->family[slot] : NONE;

    return family == NONE ? NONE : parts->part[root_seen(parts, family)];
}

/* Removes the slot from its family; the part that had it has changed. */
static void clear_slot(struct parts *parts, uint32_t slot)
{
    uint32_t before = part_of(parts, slot);

    if (before != NONE)
        parts->items[before].changed = true;
    while (parts->slot_count <= slot) {
        parts->family =
            mem_grow(parts->family, &parts->slot_cap, parts->slot_count + 1, sizeof *parts->family);
        parts->family[parts->slot_count++] = NONE;
    }
    parts->family[slot] = NONE;
}

/* Assigns slots to families. In batches, so that the prefetched keys are loaded at the same
 * time. */
static void take_slots(struct parts *parts, const struct live *live, const uint32_t *slots,
                       size_t count)
{
    struct keys keys[AT_ONCE];
    struct message message;

    for (size_t i = 0; i < count; i++)
        head_expect(&live->pool, slots[i]);
    for (size_t i = 0; i < count; i++) {
        clear_slot(parts, slots[i]);
        keys[i].count = 0;
        if (!head_at(&live->pool, slots[i])->used)
            continue;
        head_unfold(&live->pool, slots[i], &message, NULL);
        keys[i].count = kin_keys(&message, parts->seed, keys[i].items);
        for (size_t k = 0; k < keys[i].count; k++)
            hash_index_expect(&parts->keys, keys[i].items[k]);
    }
    for (size_t i = 0; i < count; i++)
        if (keys[i].count)
            parts->family[slots[i]] = find_family(parts, &keys[i]);
}

/* Returns a part that has room; adds one if there is none. */
static size_t find_room(struct parts *parts)
{
    size_t at = parts->open;

    if (at < parts->count && parts->items[at].count < parts->part_size)
        return at;
    for (at = 0; at < parts->count && parts->items[at].count >= parts->part_size / 2; at++)
        continue;
    if (at == parts->count) {
        parts->items = mem_grow(parts->items, &parts->cap, parts->count + 1, sizeof *parts->items);
        parts->items[parts->count++] = (struct part){0};
    }
    return parts->open = at;
}

static void place_slot(struct parts *parts, uint32_t slot)
{
    uint32_t family = parts->family[slot] == NONE ? NONE : root_of(parts, parts->family[slot]);

    if (family == NONE)
        return;
    if (parts->part[family] == NONE)
        parts->part[family] = (uint32_t)find_room(parts);
    add_slot(parts, parts->part[family], slot);
}

void parts_follow(struct parts *parts, struct live *live)
{
    if (parts->keys.count > live->count * KEYS_PER_MESSAGE + KEYS_SPARE) {
        clear_parts(parts);
        live_touch_all(live);
    }
    hash_index_reserve(&parts->keys, parts->keys.count + live->touched_count);
    for (size_t i = 0; i < live->touched_count; i += AT_ONCE)
        take_slots(parts, live, live->touched + i,
                   live->touched_count - i < AT_ONCE ? live->touched_count - i : AT_ONCE);
    for (size_t i = 0; i < live->touched_count; i++)
        place_slot(parts, live->touched[i]);
    live_touched_free(live);
}

size_t parts_count(const struct parts *parts)
{
    return parts->count;
}

bool parts_take_changed(struct parts *parts, size_t part)
{
    bool changed = parts->items[part].changed;

    parts->items[part].changed = false;
    return changed;
}

/* --- viewing --- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Removes duplicates and slots of other parts, and sorts. */
static void tidy_part(struct parts *parts, uint32_t number)
{
    struct part *part = &parts->items[number];
    size_t kept = 0;

    if (part->count)
        qsort(part->slots, part->count, sizeof *part->slots, by_number);
    for (size_t i = 0; i < part->count; i++)
        if ((!kept || part->slots[kept - 1] != part->slots[i]) &&
            part_of(parts, part->slots[i]) == number)
            part->slots[kept++] = part->slots[i];
    part->count = kept;
}

void parts_view(struct parts *parts, const struct live *live, size_t part, struct model *model)
{
    tidy_part(parts, (uint32_t)part);
    live_view_some(live, parts->items[part].slots, parts->items[part].count, model);
}
