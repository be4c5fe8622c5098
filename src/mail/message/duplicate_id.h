/* Shared ids: messages that have one id and are not copies of each other.
 *
 * Authors choose ids, and some choose one twice. What names such an id means one of the messages
 * only; which one is told by who wrote to whom, and then by time. */
#ifndef MAIL_MESSAGE_DUPLICATE_ID_H
#define MAIL_MESSAGE_DUPLICATE_ID_H

#include "base/map.h"
#include "mail/message/message.h"

/* Zero-initialised is empty and valid. Borrows the messages. */
struct same_ids {
    struct same_id *by_sender, *by_time; /* private: the messages with a shared id, in order */
    size_t count;
    struct map groups; /* of source, team and id: the number of the id */
    struct arena keys;
};

/* Finds the ids of readable messages that several of one source and team have, with different
 * content; not where answers repeat only the start of an id. Linear, whatever the ids are. */
void duplicate_ids_find(struct same_ids *same, struct message *const *messages, size_t count);
void duplicate_ids_free(struct same_ids *same);

/* The message that the id in another message means: one that was sent by whoever the speaker writes
 * to, else by the speaker, else any; of several the last one before the speaker, else the first.
 * Never a copy of the speaker. NULL when the id is not shared; *number, which may be NULL, is its
 * number among the messages when the ids were found. */
const struct message *duplicate_ids_meant(const struct same_ids *same,
                                          const struct message *speaker, struct span id,
                                          uint32_t *number);

/* What the id in a message names, as a key that no other message has: the id itself where it is not
 * shared, else with the content behind it, in the arena. The first is for a message's own id. */
struct span duplicate_ids_own_key(const struct same_ids *same, const struct message *message,
                                  struct arena *arena);
struct span duplicate_ids_key(const struct same_ids *same, const struct message *speaker,
                              struct span id, struct arena *arena);

#endif
