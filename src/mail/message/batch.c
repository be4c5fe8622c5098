/* A batch: adding messages and keeping recurring names once. */
#include "mail/message/batch.h"

#include "base/mem.h"

#include <stdlib.h>

void batch_free(struct batch *batch)
{
    batch_finish(batch);
    free(batch->items);
    arena_free(&batch->arena);
    *batch = (struct batch){0};
}

void batch_reserve(struct batch *batch, size_t count)
{
    batch->items = mem_grow(batch->items, &batch->cap, count, sizeof *batch->items);
}

struct message *batch_add(struct batch *batch)
{
    batch->items = mem_grow(batch->items, &batch->cap, batch->count + 1, sizeof *batch->items);
    struct message *message = &batch->items[batch->count++];
    *message = (struct message){.created_us = WHEN_NONE,
                                .expires_us = WHEN_NONE,
                                .priority = PRIORITY_NORMAL,
                                .status = STATUS_UNREAD};
    return message;
}

struct span batch_name(struct batch *batch, struct span text)
{
    bool fresh;

    if (!text.at)
        return text;
    uint32_t *known = map_get(&batch->names, text);
    if (known)
        return batch->names.entries[*known].key;
    struct span copy = arena_copy(&batch->arena, text);
    uint32_t number = (uint32_t)batch->names.count;
    *map_put(&batch->names, copy, &fresh) = number;
    return copy;
}

struct message *batch_find(const struct batch *batch, size_t first, const struct message *message)
{
    struct message *found = NULL;

    for (size_t i = first; i < batch->count; i++) {
        struct message *one = &batch->items[i];
        if (!span_eq(one->id, message->id))
            continue;
        if (one->content == message->content)
            return one;
        found = found ? found : one;
    }
    return found;
}

void batch_finish(struct batch *batch)
{
    map_free(&batch->names);
}
