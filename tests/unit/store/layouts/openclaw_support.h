/* Shared by the tests of the OpenClaw layout: a message whose keys are all good, and reading it. */
#ifndef TESTS_UNIT_STORE_LAYOUTS_OPENCLAW_SUPPORT_H
#define TESTS_UNIT_STORE_LAYOUTS_OPENCLAW_SUPPORT_H

#include "tests/unit/support.h"

#include "store/layouts/openclaw.h"

#define ID "550e8400-e29b-41d4-a716-446655440000"
#define HOUR_US (INT64_C(3600) * 1000000)
enum { WHOLE = WANT_DATA | WANT_BODY };

static const struct place place = {.team = {"web-dev", 7}, .dir = {"web-dev/mailbox", 15}};

static const char *const good[OPENCLAW_KEY_COUNT] = {[OPENCLAW_ID] = "\"" ID "\"",
                                                     [OPENCLAW_TEAM] = "\"web-dev\"",
                                                     [OPENCLAW_FROM] = "\"tm1\"",
                                                     [OPENCLAW_TO] = "\"lead\"",
                                                     [OPENCLAW_MESSAGE] =
                                                         "\"H\xc3\xa9llo\\r\\nMore\"",
                                                     [OPENCLAW_PRIORITY] = "\"urgent\"",
                                                     [OPENCLAW_READ] = "false",
                                                     [OPENCLAW_CREATED] = "1794785051490"};

/* Returns the good message with one key set to another value, or left out (NULL). The caller
 * frees. */
static inline struct str make_with(enum openclaw_key key, const char *raw)
{
    struct str text = {0};

    for (enum openclaw_key i = 0; i < OPENCLAW_KEY_COUNT; i++) {
        const char *value = i == key ? raw : good[i];
        if (value)
            str_addf(&text, "%s\n  \"%s\": %s", text.len ? "," : "{", openclaw_keys[i], value);
    }
    str_puts(&text, "\n}\n");
    return text;
}

static inline struct message *parse_file(struct batch *batch, struct mail_file file, unsigned want)
{
    struct err err;

    file.place = &place;
    cr_assert(openclaw_format.parse(&file, want, batch, &err), "%s", err.text);
    return &batch->items[batch->count - 1];
}

static inline struct message *parse(struct batch *batch, struct span bytes)
{
    struct mail_file file = {.name = span_of(ID ".json"), .bytes = bytes, .lasts_us = HOUR_US};

    return parse_file(batch, file, WHOLE);
}

static inline struct message *parse_with(struct batch *batch, enum openclaw_key key,
                                         const char *raw)
{
    struct str text = make_with(key, raw);
    struct message *message = parse(batch, str_span(&text));

    str_free(&text); /* the message must not borrow from the bytes that were read */
    return message;
}

#endif
