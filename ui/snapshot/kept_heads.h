/* Kept heads: copies of messages that a task takes along, as the picture may go before it ends. */
#ifndef UI_SNAPSHOT_KEPT_HEADS_H
#define UI_SNAPSHOT_KEPT_HEADS_H

#include "base/arena.h"
#include "mail/message/message.h"

/* Zero-initialised is empty and valid. */
struct kept_heads {
    struct arena arena;
    struct message **items; /* they stay where they are */
    size_t count, cap;
};

void kept_heads_add(struct kept_heads *heads, const struct message *message);
void kept_heads_free(struct kept_heads *heads);

#endif
