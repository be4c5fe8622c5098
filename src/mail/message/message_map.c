/* A map of messages by their names. */
#include "mail/message/message_map.h"

void message_map_free(struct message_map *map)
{
    map_free(&map->names);
    arena_free(&map->arena);
    *map = (struct message_map){0};
}

uint32_t *message_map_put(struct message_map *map, const struct message *message)
{
    struct str name = {0};
    bool fresh;

    message_add_name(&name, message, true);
    uint32_t *value = map_put_copy(&map->names, &map->arena, str_span(&name), &fresh);
    str_free(&name);
    return value;
}

const uint32_t *message_map_get(const struct message_map *map, const struct message *message)
{
    struct str name = {0};

    if (!map->names.count)
        return NULL;
    message_add_name(&name, message, true);
    const uint32_t *value = map_get(&map->names, str_span(&name));
    str_free(&name);
    return value;
}
