/* Kin: messages that may be related, because they share keys.
 *
 * Code that works on one part of the mail at a time needs all related messages in that part:
 * copies, conversations, requests and their answers, plans and those that replace them, orders to
 * stop and their answers, idle notices of one agent. Messages that share no key, directly or
 * through other messages, are unrelated. Keys are hashes: a collision makes a part larger, but does
 * no harm. */
#ifndef MAIL_LIVE_PARTS_H
#define MAIL_LIVE_PARTS_H

#include "mail/live/live.h"
#include "mail/message/message.h"

enum { KIN_MOST = 8 };

/* Stores the keys of a message, none of which is 0, and returns their number. */
size_t kin_keys(const struct message *message, uint64_t seed, uint32_t keys[KIN_MOST]);

/* Parts: all mail, divided into parts of some hundred messages, with related messages in one part.
 *
 * Results about related messages can be computed for one part at a time, and only for parts that
 * changed: a change costs as much as its part, not as much as all mail. Kin stay in one part,
 * however many they are. They also stay together when they are no longer related, because a part
 * that is too large does no harm. */

struct parts;

/* Returns new parts of about part_size messages each. The caller frees them with parts_free(). */
struct parts *parts_new(size_t part_size);
void parts_free(struct parts *parts);

/* Applies the changes of the live messages since the last call. live_track() must have been called
 * while there were no messages. */
void parts_follow(struct parts *parts, struct live *live);

/* Returns the number of parts, which never decreases. A part may be empty. */
size_t parts_count(const struct parts *parts);
/* True if the part has changed since the last call. */
bool parts_take_changed(struct parts *parts, size_t part);

/* Unfolds the messages of a part into an empty model and settles it; see live_view(). Several
 * threads may view different parts at the same time. */
void parts_view(struct parts *parts, const struct live *live, size_t part, struct model *model);

#endif
