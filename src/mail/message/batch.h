/* A batch: messages that were read together, with the memory they live in. */
#ifndef MAIL_MESSAGE_BATCH_H
#define MAIL_MESSAGE_BATCH_H

#include "base/map.h"
#include "mail/message/message.h"

/* Zero-initialised is empty and valid. Messages do not move once the batch is handed over. */
struct batch {
    struct arena arena;
    struct message *items;
    size_t count, cap;
    struct map names; /* texts that recur, kept once: to their numbers among its entries */
};

void batch_free(struct batch *batch);

/* Room for so many messages, where it is known how many will come. */
void batch_reserve(struct batch *batch, size_t count);

/* A new message, zeroed but for times, priority and status, which say "none given" and the
 * defaults. Borrowed until the next batch_add(). */
struct message *batch_add(struct batch *batch);

/* A copy of a text that many messages share: names, types. */
struct span batch_name(struct batch *batch, struct span text);

/* The message with that one's id, from `first` on: the same content before any other. NULL without
 * one. */
struct message *batch_find(const struct batch *batch, size_t first, const struct message *message);

/* Gives back what only filling needed. Names can no longer be added. */
void batch_finish(struct batch *batch);

#endif
