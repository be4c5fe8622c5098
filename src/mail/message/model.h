/* The model: all messages that are known, found by id and joined into threads.
 *
 * It belongs to one thread and takes over the batches that the storage thread hands to it. */
#ifndef MAIL_MESSAGE_MODEL_H
#define MAIL_MESSAGE_MODEL_H

#include "base/err.h"
#include "mail/message/duplicate_id.h"
#include "mail/message/message.h"

struct model {
    struct batch *batches;
    size_t batch_count, batch_cap;
    struct message **messages; /* each id of a source once; see model_settle() */
    size_t count, cap;
    struct message **doubles; /* the copies that gave way, findable by path only */
    size_t double_count, double_cap;
    struct same_ids same; /* ids that different messages have; see model_settle() */
};

void model_free(struct model *model);

/* Takes the batch over and leaves it empty. */
void model_add(struct model *model, struct batch *batch);

/* To be called when all batches are in: of two copies of one message in the same box the one with
 * the higher status stays, flagged. Copies have the same content: other messages of that id are
 * others. Threads that are called after their first message get its name. */
void model_settle(struct model *model);

/* The same for who knows which readable messages of one box have the same id: `before` has 1 + the
 * number of another one for each of them, so that they are lists; 0 ends one, and stands for all
 * other messages. NULL when no two are the same. */
void model_settle_known(struct model *model, const uint32_t *before);

/* The same for the readable messages with one id in one box: those that stay come first, and their
 * number is returned. */
size_t model_settle_copies(struct message **copies, size_t count);

/* The message whose id is that text or, if only one does, starts with it. A path that ends in the
 * message's file is taken too, for messages whose ids are not unique, and so is ID~CONTENT, with
 * the first hexadecimal digits of its content behind the id. */
struct message *model_find(const struct model *model, struct span id, struct err *err);

/* The copy that lies in the inbox: the message itself, or for one that lies in both places and
 * shows as archived, the copy that gave way. NULL for a message that is only in the archive. */
struct message *model_inbox_copy(const struct model *model, struct message *message);

/* Messages in the order of one of the message_cmp functions. */
void model_sort(struct message **messages, size_t count,
                int (*compare)(const struct message *, const struct message *));
/* Numbers of messages of the model by time; equal ones by where they lie, so that the order is
 * always the same. */
void model_sort_numbers(const struct model *model, uint32_t *numbers, size_t count);

#endif
