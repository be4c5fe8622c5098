/* The Agent Inbox System: one JSON file per message, written by shells and language models.
 *
 * A pending file is never rewritten: a state is the move to the archive, or a mark of our own. A
 * new inbox is only made on request. */
#ifndef STORE_LAYOUTS_AGENT_INBOX_H
#define STORE_LAYOUTS_AGENT_INBOX_H

#include "store/format/format.h"

extern const struct format inbox_format;

/* The keys of a message, in the order in which they are written; the last two are only read. */
enum inbox_key {
    INBOX_ID,
    INBOX_TIME,
    INBOX_FROM,
    INBOX_TO,
    INBOX_TYPE,
    INBOX_SUBJECT,
    INBOX_CONTENT,
    INBOX_THREAD,
    INBOX_PRIORITY,
    INBOX_RESPONSE,
    INBOX_REPLY_TO,
    INBOX_MESSAGE,
    INBOX_BODY,
    INBOX_KEY_COUNT,
};
extern const char *const inbox_keys[INBOX_KEY_COUNT];

#endif
