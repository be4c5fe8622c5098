/* The model: all known messages, found by id and joined into threads.
 *
 * It belongs to one thread, and takes over the batches that are read. */
#ifndef MAIL_MESSAGE_MODEL_H
#define MAIL_MESSAGE_MODEL_H

#include "base/err.h"
#include "base/map.h"
#include "mail/message/message.h"

/* Duplicate ids: one id that several different messages have.
 *
 * Authors choose ids, and some choose one twice. A reference to such an id means only one of the
 * messages; sender and recipient, and then time, decide which one. */

/* Zero-initialised is empty and valid. Borrows the messages. */
struct same_ids {
    struct same_id *by_sender, *by_time; /* private: messages whose ids are not unique, sorted */
    size_t count;
    struct map groups; /* key: source, team and id; value: number of the id */
    struct arena keys;
};

/* Finds the ids that several readable messages of one source and team have with different content.
 * Skips places where answers repeat only the start of an id. Linear time for any ids. */

/* Returns the message that `id` in `speaker` refers to: preferably one that was sent by the
 * recipient of `speaker`, else one sent by the sender of `speaker`, else any. Of several, returns
 * the last one before `speaker`, else the first. Never returns a copy of `speaker`. NULL if the id
 * is unique. *number, if not NULL, is set to the index of the message in the array that
 * duplicate_ids_find() got. */
const struct message *duplicate_ids_meant(const struct same_ids *same,
                                          const struct message *speaker, struct span id,
                                          uint32_t *number);

/* Return a key that only one message has: the id itself if it is unique, else the id followed by
 * the content hash, in the arena. duplicate_ids_own_key() is for the id of `message` itself,
 * duplicate_ids_key() for an id that `speaker` refers to. */
struct span duplicate_ids_own_key(const struct same_ids *same, const struct message *message,
                                  struct arena *arena);
struct span duplicate_ids_key(const struct same_ids *same, const struct message *speaker,
                              struct span id, struct arena *arena);

struct model {
    struct batch *batches;
    size_t batch_count, batch_cap;
    struct message **messages; /* one message per id and box of a source; see model_settle() */
    size_t count, cap;
    struct message **doubles; /* copies that model_settle() removed; found by path only */
    size_t double_count, double_cap;
    struct same_ids same; /* ids that different messages have; see model_settle() */
};

void model_free(struct model *model);

/* Takes ownership of the batch's content and leaves the batch empty. */
void model_add(struct model *model, struct batch *batch);

/* Removes duplicate copies; call it when all batches are added. Of two copies of one message in the
 * same box (the same content, one in the inbox and one in the archive) the one with the higher
 * status stays, and both are flagged. Messages with the same id but different content all stay.
 * Threads that are named after their first message get its name. */
void model_settle(struct model *model);

/* Like model_settle(), for a caller that knows the readable messages of a box that have the same
 * id. `before` has for each message 1 + the number of another such message, or 0: these links form
 * lists that end with 0. NULL if all ids are unique. */
void model_settle_known(struct model *model, const uint32_t *before);

/* Like model_settle(), but only for the readable messages with one id in one box. Moves those that
 * stay to the front and returns their number. A copy that is kept here never hides a file in the
 * mailbox: an archiving that a kill interrupted stays visible. */
size_t model_settle_copies(struct message **copies, size_t count);

/* Returns the message with that id or, if it is the only one, the message whose id starts with it.
 * Also accepts the path, or the end of the path, of the message's file, for ids that are not
 * unique, and ID~CONTENT, with the first hexadecimal digits of the content hash after the id. NULL
 * and an error if none or several match. */
struct message *model_find(const struct model *model, struct span id, struct err *err);

/* Returns the copy in the inbox: the message itself or, if it is in both places and `message` is
 * archived, the copy that model_settle() removed. NULL if the message is only in the archive. */
struct message *model_inbox_copy(const struct model *model, struct message *message);

/* Sorts messages by one of the message_cmp functions. */
void model_sort(struct message **messages, size_t count,
                int (*compare)(const struct message *, const struct message *));
/* Sorts numbers of messages of the model by time. Equal times are sorted by id and place, so that
 * the order is always the same. */
void model_sort_numbers(const struct model *model, uint32_t *numbers, size_t count);

#endif
