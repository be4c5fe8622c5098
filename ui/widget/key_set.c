/* A set of keys. */
#include "ui/widget/key_set.h"

void key_set_free(struct key_set *set)
{
    map_free(&set->keys);
    arena_free(&set->arena);
    *set = (struct key_set){0};
}

bool key_set_has(const struct key_set *set, struct span key)
{
    const uint32_t *there = map_get(&set->keys, key);

    return there && *there;
}

void key_set_toggle(struct key_set *set, struct span key)
{
    bool fresh;
    uint32_t *there = map_put_copy(&set->keys, &set->arena, key, &fresh);

    *there = !*there;
}

size_t key_set_count(const struct key_set *set)
{
    size_t count = 0;

    for (size_t i = 0; i < set->keys.count; i++)
        count += set->keys.entries[i].value != 0;
    return count;
}
