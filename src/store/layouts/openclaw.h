/* The OpenClaw teams mailbox: one JSON file per message, written by a Node gateway. */
#ifndef STORE_LAYOUTS_OPENCLAW_H
#define STORE_LAYOUTS_OPENCLAW_H

#include "store/format/format.h"

extern const struct format openclaw_format;

/* The keys of a message, in the order in which they are written. */
enum openclaw_key {
    OPENCLAW_ID,
    OPENCLAW_TEAM,
    OPENCLAW_FROM,
    OPENCLAW_TO,
    OPENCLAW_MESSAGE,
    OPENCLAW_PRIORITY,
    OPENCLAW_READ,
    OPENCLAW_CREATED,
    OPENCLAW_KEY_COUNT,
};
extern const char *const openclaw_keys[OPENCLAW_KEY_COUNT];

#endif
