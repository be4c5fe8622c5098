/* Reading and writing the cache: heads, one after the other, followed by their hashes. */
#include "mail/message/entry_cache.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/live/head.h"

#include <stdlib.h>

void entry_cache_free(struct entry_cache *known)
{
    hash_index_free(&known->by_print);
    free(known->messages);
    *known = (struct entry_cache){0};
}

void entry_cache_write(struct str *out, const struct batch *batch, size_t first, struct span file,
                       uint64_t seed)
{
    for (size_t i = first; i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        uint64_t print = message->damaged ? 0 : map_hash_wide(message_raw(message, file), seed);
        str_add(out, (const char *)&print, sizeof print);
    }
}

struct sought {
    const struct entry_cache *known;
    uint64_t print;
};

static bool is_sought(const void *context, uint32_t number)
{
    const struct sought *sought = context;

    return sought->known->messages[number].print == sought->print;
}

static const struct known_message *find_print(const struct entry_cache *known, uint64_t print)
{
    struct sought sought = {known, print};
    const uint32_t *number =
        hash_index_find(&known->by_print, map_narrow(print), is_sought, &sought);
    return number ? &known->messages[*number] : NULL;
}

void entry_cache_fill(struct entry_cache *known, struct span heads, size_t count,
                      const struct span *names, size_t name_count, uint64_t seed)
{
    *known = (struct entry_cache){.names = names, .name_count = name_count, .seed = seed};
    if (count > heads.len / sizeof(uint64_t))
        return;
    known->messages = mem_zero(count + 1, sizeof *known->messages);
    bool whole = true;
    for (size_t i = 0; i < count && whole; i++) {
        known->messages[i].head = head_skip(&heads);
        whole = known->messages[i].head.at;
    }
    if (!whole || heads.len != count * sizeof(uint64_t))
        return;
    hash_index_reserve(&known->by_print, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t *print = &known->messages[i].print;
        memcpy(print, heads.at + i * sizeof *print, sizeof *print);
        if (*print && !find_print(known, *print)) /* a chain of equal entries would be slow */
            hash_index_add(&known->by_print, map_narrow(*print), (uint32_t)i);
    }
    known->count = count;
}

struct message *entry_cache_take(struct entry_cache *known, struct span raw,
                                 const struct place *place, struct batch *batch)
{
    if (!known->count)
        return NULL;
    const struct known_message *found = find_print(known, map_hash_wide(raw, known->seed));
    struct span head = found ? found->head : (struct span){0};
    if (!head.at || !head_read(&head, known->names, known->name_count, place, batch))
        return NULL;
    known->taken++;
    return &batch->items[batch->count - 1];
}
