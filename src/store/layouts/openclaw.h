/* The OpenClaw teams mailbox: one JSON file a message, written by a Node gateway. */
#ifndef STORE_LAYOUTS_OPENCLAW_H
#define STORE_LAYOUTS_OPENCLAW_H

#include "store/format/format.h"

extern const struct format openclaw_format;

/* The keys of a message, in the order they are written in. */
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

/* See struct format. Settings that the file does not give stay as the caller has set them. */
bool openclaw_parse(const struct mail_file *file, unsigned want, struct batch *batch,
                    struct err *err);
/* Appends the plan that the file is; false without an error when it is none. */
bool openclaw_parse_plan(const struct mail_file *file, unsigned want, struct batch *batch);
const char *openclaw_decided_by(const struct message *message);
bool openclaw_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                           struct err *err);
bool openclaw_parse_settings(struct span bytes, struct settings *settings, struct arena *arena,
                             struct err *err);

#endif
