/* Kept heads. */
#include "ui/snapshot/kept_heads.h"

#include "base/mem.h"

#include <stdlib.h>

void kept_heads_add(struct kept_heads *heads, const struct message *message)
{
    struct message *head = arena_alloc(&heads->arena, sizeof *head);

    message_keep(head, message, &heads->arena);
    heads->items = mem_grow(heads->items, &heads->cap, heads->count + 1, sizeof *heads->items);
    heads->items[heads->count++] = head;
}

void kept_heads_free(struct kept_heads *heads)
{
    free(heads->items);
    arena_free(&heads->arena);
    *heads = (struct kept_heads){0};
}
