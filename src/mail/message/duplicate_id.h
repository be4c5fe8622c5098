/* Duplicate ids: one id that several different messages have.
 *
 * Authors choose ids, and some choose one twice. A reference to such an id means only one of the
 * messages; sender and recipient, and then time, decide which one. */
#ifndef MAIL_MESSAGE_DUPLICATE_ID_H
#define MAIL_MESSAGE_DUPLICATE_ID_H

#include "base/map.h"
#include "mail/message/message.h"

/* Zero-initialised is empty and valid. Borrows the messages. */
struct same_ids {
    struct same_id *by_sender, *by_time; /* private: messages whose ids are not unique, sorted */
    size_t count;
    struct map groups; /* key: source, team and id; value: number of the id */
    struct arena keys;
};

/* Finds the ids that several readable messages of one source and team have with different content.
 * Skips places where answers repeat only the start of an id. Linear time for any ids. */
void duplicate_ids_find(struct same_ids *same, struct message *const *messages, size_t count);
void duplicate_ids_free(struct same_ids *same);

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

#endif
