/* A map of messages, each known by its name (message_add_name()). */
#ifndef MAIL_MESSAGE_MESSAGE_MAP_H
#define MAIL_MESSAGE_MESSAGE_MAP_H

#include "base/map.h"
#include "mail/message/message.h"

/* Zero-initialised is empty and valid. The messages themselves may go. */
struct message_map {
    struct map names;
    struct arena arena;
};

/* Empties it. */
void message_map_free(struct message_map *map);

/* The value's place for this message, added with 0 if need be. Borrowed until the next one is
 * added. */
uint32_t *message_map_put(struct message_map *map, const struct message *message);
/* NULL when it is not there. */
const uint32_t *message_map_get(const struct message_map *map, const struct message *message);

#endif
