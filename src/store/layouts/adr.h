/* The ADR-003 agent mailbox: one JSON file per message, written by Python programs.
 *
 * Times are local and are written without a zone: a zone in one file makes the agent's check of its
 * mailbox fail. A Python process that runs keeps its messages in memory and may write one back that
 * was archived meanwhile. Then the id is in both folders; archiving it again removes the file. */
#ifndef STORE_LAYOUTS_ADR_H
#define STORE_LAYOUTS_ADR_H

#include "store/format/format.h"

/* The nineteen keys of a message, in the order in which they are written. */
enum adr_key {
    KEY_ID,
    KEY_FROM,
    KEY_TO,
    KEY_SWARM,
    KEY_TYPE,
    KEY_SUBJECT,
    KEY_BODY,
    KEY_PAYLOAD,
    KEY_PRIORITY,
    KEY_CREATED,
    KEY_EXPIRES,
    KEY_STATUS,
    KEY_READ,
    KEY_COMPLETED,
    KEY_REPLY_TO,
    KEY_THREAD,
    KEY_CONTEXT,
    KEY_ATTACHMENTS,
    KEY_TAGS,
    KEY_COUNT,
};

struct adr_field {
    const char *name;
    bool required; /* the Python loader skips a file without this key */
};

extern const struct adr_field adr_fields[KEY_COUNT];

extern const struct format adr_format;

#endif
