/* Kin: messages that may have to do with each other, told by keys that they share.
 *
 * Whoever works on one part of the mail at a time must have all that belongs together in it:
 * copies, conversations, requests with their answers, plans with those that take their place,
 * orders to stop with what is said to them, idle notices of one agent. Two messages that share no
 * key, and are not linked by others that do, are strangers in all of this. Keys are hashes: that
 * two strangers are taken for kin now and then does no harm. */
#ifndef MAIL_LIVE_PARTS_H
#define MAIL_LIVE_PARTS_H

#include "mail/live/live.h"
#include "mail/message/message.h"

enum { KIN_MOST = 8 };

/* Fills in the keys of a message, none of which is 0, and returns how many there are. */
size_t kin_keys(const struct message *message, uint64_t seed, uint32_t keys[KIN_MOST]);

/* Parts: all mail in shares of some hundred messages, such that what belongs together is in one.
 *
 * Whatever is made of messages that belong together can be made of one part at a time, and only of
 * those that changed: a change costs what its part costs, not what all mail does. Kin (kin.h) stay
 * in one part, however many they are; once together they stay together, since a part that holds
 * more than it must does no harm. */

struct parts;

/* So many messages are in a part, about. */
struct parts *parts_new(size_t part_size);
void parts_free(struct parts *parts);

/* Takes in what was changed in the live mail since the last time; live_track() was called when that
 * was empty. */
void parts_follow(struct parts *parts, struct live *live);

/* Parts are numbers below this, which stay. One may be empty. */
size_t parts_count(const struct parts *parts);
/* Whether it holds other messages, or others of them, than when this was asked last. */
bool parts_take_changed(struct parts *parts, size_t part);

/* Unfolds the messages of a part into an empty model and settles it; see live_view(). Different
 * parts can be viewed at the same time. */
void parts_view(struct parts *parts, const struct live *live, size_t part, struct model *model);

#endif
