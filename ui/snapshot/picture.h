/* The snapshot that the screens show, and heads that a task keeps beyond it. No curses. */
#ifndef UI_SNAPSHOT_PICTURE_H
#define UI_SNAPSHOT_PICTURE_H

#include "base/mem.h"
#include "base/queue.h"
#include "mail/live/live.h"
#include "mail/message/message.h"
#include "mail/thread/inbox_order.h"
#include "store/sight.h"
#include "store/worker.h"
#include "ui/snapshot/agent_index.h"

/* Kept heads: copies of messages that a task takes along, as the snapshot may go before it ends.
 * Zero-initialised is empty and valid. */
struct kept_heads {
    struct arena arena;
    struct message **items; /* they stay where they are */
    size_t count, cap;
};

void kept_heads_add(struct kept_heads *heads, const struct message *message);
void kept_heads_free(struct kept_heads *heads);

/* The snapshot that the screens show: all mail at one moment, and everything derived from it.
 *
 * It never changes. The next one replaces it between two keys (maker.h), and then nothing may be
 * borrowed from it any more: keep keys instead. No curses. */

struct picture {
    struct queue_item item;
    unsigned number;                     /* identifies it; 0: nothing is loaded yet */
    bool ready;                          /* all that was there at the start is in it */
    const struct agent_directory *world; /* NULL until it is known */
    struct model model;                  /* its messages are those of the parts */
    struct sight sight;
    struct sight_part **parts; /* that it is made of, held */
    uint32_t *firsts;          /* the number of the first message of each */
    size_t part_count;
    struct who_index who;           /* of its agents */
    struct attention order;         /* of all talks */
    struct span *conversation_keys; /* what conversation_add_key() says of each talk */
    uint64_t *seats;                /* of each talk; see inbox_order_key() */
    size_t known;                   /* messages, all copies counted */
    struct sight_counts counts;
    struct live_changes changes; /* since the one before; none before it was ready */
    struct news *news;           /* that they came with */
    size_t news_count;
    uint64_t seed; /* of the keys of messages */
    /* for the maker: how much of its own data was replaced before this one was made */
    uint64_t held, old_worlds;
};

/* Fills a zeroed snapshot with the present parts. It borrows from the live mail (see live_hold())
 * and from the agent directory, which may be NULL. */
void picture_build(struct picture *picture, const struct sight_parts *parts,
                   struct agent_directory *world, int64_t now_us);
/* Frees it with all that it has. */
void picture_free(struct picture *picture);

/* The key of a message, which stays the same over all pictures: its path and, where it shares the
 * file, its id. A message that is moved or archived has another one. */
void picture_add_key(struct str *key, const struct message *message);
/* The message with that key; NULL when it is not there (any more). */
const struct message *picture_find(const struct picture *picture, struct span key);
/* Its number in the model, or UINT32_MAX. */
uint32_t picture_number(const struct picture *picture, struct span key);
/* The conversation a message is in, or NULL. */
const struct conversation *picture_conversation(const struct picture *picture, struct span key);
const struct conversation *picture_conversation_of(const struct picture *picture,
                                                   const struct message *message);
/* Returns the message with that id in that source and box, or NULL, also if it was moved.
 * `content`, unless 0, distinguishes it from others with that id. Slow: checks all messages. */
const struct message *picture_find_id(const struct picture *picture, uint32_t source,
                                      struct span team, struct span box, struct span id,
                                      uint32_t content);

#endif
