/* Lists of texts. */
#include "base/span_list.h"

#include "base/mem.h"

#include <stdlib.h>

void span_list_add(struct span_list *list, struct span text)
{
    list->items = mem_grow(list->items, &list->cap, list->count + 1, sizeof *list->items);
    list->items[list->count++] = text;
}

bool span_list_has(const struct span_list *list, struct span text)
{
    for (size_t i = 0; i < list->count; i++)
        if (span_eq(list->items[i], text))
            return true;
    return false;
}

void span_list_copy(struct span_list *list, const struct span_list *other, struct arena *arena)
{
    for (size_t i = 0; i < other->count; i++)
        span_list_add(list, arena_copy(arena, other->items[i]));
}

void span_list_free(struct span_list *list)
{
    free(list->items);
    *list = (struct span_list){0};
}
