/* Kin: messages that may have to do with each other, told by keys that they share.
 *
 * Whoever works on one part of the mail at a time must have all that belongs together in it:
 * copies, conversations, requests with their answers, plans with those that take their place,
 * orders to stop with what is said to them, idle notices of one agent. Two messages that share no
 * key, and are not linked by others that do, are strangers in all of this. Keys are hashes: that
 * two strangers are taken for kin now and then does no harm. */
#ifndef MAIL_LIVE_KIN_H
#define MAIL_LIVE_KIN_H

#include "mail/message/message.h"

enum { KIN_MOST = 8 };

/* Fills in the keys of a message, none of which is 0, and returns how many there are. */
size_t kin_keys(const struct message *message, uint64_t seed, uint32_t keys[KIN_MOST]);

#endif
