/* The ADR-003 layout, inside: what its parser and its composer share. */
#ifndef STORE_LAYOUTS_ADR_PRIVATE_H
#define STORE_LAYOUTS_ADR_PRIVATE_H

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

bool adr_is_type(struct span word);
/* Whoever sends one of these waits for something to come back. */
bool adr_type_wants_response(struct span type);

/* See struct format. */
bool adr_box_name(struct str *out, struct span agent, unsigned variant, struct err *err);
bool adr_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err);

#endif
