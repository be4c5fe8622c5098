/* Messages that have vanished: agents remove a message before they write it again elsewhere, so a
 * missing message may come back in a moment. */
#ifndef MAIL_LIVE_VANISHED_H
#define MAIL_LIVE_VANISHED_H

#include "mail/message/message.h"

/* A message counts as vanished after at least this time. */
#define VANISHED_US INT64_C(200000)

/* Zero-initialised is empty and valid. Times are of a monotonic clock. */
struct vanished {
    struct vanished_group *groups; /* messages that vanished at about the same time, oldest first */
    size_t count, cap;
};

void vanished_free(struct vanished *gone);

/* Adds a copy of a message that was removed. */
void vanished_hold(struct vanished *gone, const struct message *message, int64_t now_us);

/* True if the message is one of those held, by message_is_same(); removes it then. */
bool vanished_is_back(struct vanished *gone, const struct message *message);

/* Returns the next message that has been missing for long enough, or NULL. Call it until it returns
 * NULL; each result is borrowed until the next call. */
const struct message *vanished_next(struct vanished *gone, int64_t now_us);

/* Returns the time when vanished_next() has a result; TIME_NONE: never. */
int64_t vanished_due_us(const struct vanished *gone);

#endif
