/* Messages that seem gone: agents remove one before they write it again elsewhere, so that what
 * is not there may come back in a moment. */
#ifndef MAIL_LIVE_VANISHED_H
#define MAIL_LIVE_VANISHED_H

#include "mail/message/message.h"

/* For at least so long. */
#define VANISHED_US INT64_C(200000)

/* Zero-initialised is empty and valid. Times are of a clock that never jumps. */
struct vanished {
    struct vanished_group *groups; /* that went at about the same time, the first ones first */
    size_t count, cap;
};

void vanished_free(struct vanished *gone);

/* Keeps a copy of a message that is not there any more. */
void vanished_hold(struct vanished *gone, const struct message *message, int64_t now_us);

/* Whether a message is one that seemed gone, by message_is_same(); then it no longer does. */
bool vanished_is_back(struct vanished *gone, const struct message *message);

/* The next message that has been away for long enough, or NULL. To be asked until there is none;
 * each is borrowed until the next. */
const struct message *vanished_next(struct vanished *gone, int64_t now_us);

/* When vanished_next() has something; TIME_NONE: never. */
int64_t vanished_due_us(const struct vanished *gone);

#endif
