/* Heads: a pool of them, and what they share. */
#include "base/mem.h"
#include "mail/live/head_private.h"

#include <stdlib.h>

enum { CHUNK = 512 };

uint64_t head_held(const struct head_pool *pool)
{
    return pool->held_before + pool->held_count;
}

void head_let_go(struct head_pool *pool, uint64_t until)
{
    size_t count = until > pool->held_before ? (size_t)(until - pool->held_before) : 0;

    for (size_t i = 0; i < count; i++)
        free(pool->held[i]);
    pool->held_before += count;
    pool->held_count -= count;
    if (pool->held_count) {
        memmove(pool->held, pool->held + count, pool->held_count * sizeof *pool->held);
        return;
    }
    free(pool->held);
    pool->held = NULL;
    pool->held_cap = 0;
}

static void drop_text(struct head_pool *pool, char *text)
{
    if (!pool->holding || !text) {
        free(text);
        return;
    }
    pool->held = mem_grow(pool->held, &pool->held_cap, pool->held_count + 1, sizeof *pool->held);
    pool->held[pool->held_count++] = text;
}

void head_pool_free(struct head_pool *pool)
{
    head_let_go(pool, head_held(pool));
    for (uint32_t i = 0; i < pool->count; i++)
        free(head_at(pool, i)->text);
    for (size_t i = 0; i < pool->chunk_count; i++)
        free(pool->chunks[i]);
    free(pool->chunks);
    free(pool->places);
    free(pool->names);
    map_free(&pool->place_numbers);
    map_free(&pool->name_numbers);
    arena_free(&pool->arena);
    *pool = (struct head_pool){0};
}

struct head *head_at(const struct head_pool *pool, uint32_t slot)
{
    return &pool->chunks[slot / CHUNK][slot % CHUNK];
}

void head_expect(const struct head_pool *pool, uint32_t slot)
{
    enum { LINE = 64 };
    uintptr_t text = (uintptr_t)head_at(pool, slot)->text; /* of a free slot none, which is fine */

    __builtin_prefetch((const void *)text);
    __builtin_prefetch((const void *)(text + LINE)); /* it may be shorter: nothing is read */
}

static void add_key(struct str *key, struct span text)
{
    str_addf(key, "%zu:", text.at ? text.len + 1 : 0);
    str_add_span(key, text);
}

uint32_t head_place(struct head_pool *pool, const struct place *place)
{
    struct str key = {0};
    bool fresh;

    if (pool->place_count && place_is_same(pool->places[pool->last_place], place))
        return pool->last_place;
    str_addf(&key, "%u%d%d ", place->source, place->archived, place->local);
    add_key(&key, place->team);
    add_key(&key, place->box);
    add_key(&key, place->dir);
    uint32_t *number = map_put_copy(&pool->place_numbers, &pool->arena, str_span(&key), &fresh);
    if (fresh) {
        const struct place *kept = place_keep(place, NULL, &pool->arena);
        *number = (uint32_t)pool->place_count;
        pool->places =
            mem_grow(pool->places, &pool->place_cap, pool->place_count + 1, sizeof *pool->places);
        pool->places[pool->place_count++] = kept;
    }
    str_free(&key);
    return pool->last_place = *number;
}

static uint32_t look_up(struct head_pool *pool, struct span name)
{
    bool fresh;
    uint32_t *number = map_get(&pool->name_numbers, name);
    if (number)
        return *number;
    pool->names = mem_grow(pool->names, &pool->name_cap, pool->name_count + 2, sizeof *pool->names);
    struct span kept = arena_copy(&pool->arena, name);
    pool->names[0] = (struct span){0};
    pool->names[++pool->name_count] = kept;
    *map_put(&pool->name_numbers, kept, &fresh) = (uint32_t)pool->name_count;
    return (uint32_t)pool->name_count;
}

static uint32_t name_number(struct head_pool *pool, struct span name)
{
    enum { RECENT = sizeof pool->recent / sizeof *pool->recent };
    uint32_t *recent = &pool->recent[((uintptr_t)name.at >> 3) % RECENT];

    if (!name.at)
        return 0;
    if (!*recent || !span_eq(pool->names[*recent], name))
        *recent = look_up(pool, name);
    return *recent;
}

uint32_t head_take(struct head_pool *pool)
{
    uint32_t slot = pool->free;

    if (slot) {
        pool->free = head_at(pool, slot - 1)->next_in_file;
        slot--;
    } else {
        slot = pool->count++;
        if (slot / CHUNK >= pool->chunk_count) {
            pool->chunks = mem_grow(pool->chunks, &pool->chunk_cap, pool->chunk_count + 1,
                                    sizeof *pool->chunks);
            pool->chunks[pool->chunk_count++] = mem_zero(CHUNK, sizeof **pool->chunks);
        }
    }
    *head_at(pool, slot) = (struct head){.next_in_file = HEAD_NONE, .next_same = HEAD_NONE};
    return slot;
}

void head_drop(struct head_pool *pool, uint32_t slot)
{
    struct head *head = head_at(pool, slot);

    drop_text(pool, head->text);
    *head = (struct head){.next_in_file = pool->free};
    pool->free = slot + 1;
}

void head_fold(struct head_pool *pool, uint32_t slot, const struct message *message)
{
    struct head *head = head_at(pool, slot);
    struct head folded = head_of(message);

    folded.text = mem_alloc(head_text_size(message));
    head_put_text(folded.text, message);
    folded.place = head_place(pool, message->place);
    folded.from = name_number(pool, message->from);
    folded.to = name_number(pool, message->to);
    folded.type = name_number(pool, message->type);
    folded.next_in_file = head->next_in_file;
    folded.next_same = head->next_same;
    folded.met = head->met;
    drop_text(pool, head->text);
    *head = folded;
}

struct span head_file(const struct head *head)
{
    return (struct span){head->text, head->file_len};
}

struct span head_id(const struct head *head)
{
    return (struct span){head->text + (head->bits & BIT_ID_IN_FILE ? 0 : head->file_len + 1),
                         head->id_len};
}

void head_unfold(const struct head_pool *pool, uint32_t slot, struct message *message,
                 struct arena *arena)
{
    const struct head *head = head_at(pool, slot);

    head_open(head, pool->names, pool->places[head->place], message, arena);
}
