/* The ADR-003 layout, inside: what its parser and its composer share. */
#ifndef STORE_LAYOUTS_ADR_H
#define STORE_LAYOUTS_ADR_H

#include "store/format/format.h"

/* The nineteen keys of a message, in the order they are written in. */
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
    bool required; /* the Python loader skips a file without it */
};

extern const struct adr_field adr_fields[KEY_COUNT];

/* The ADR-003 agent mailbox: one JSON file a message, written by Python programs. */

extern const struct format adr_format;

#endif
