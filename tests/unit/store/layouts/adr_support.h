/* Shared by the tests of the ADR-003 layout: a message whose keys are all good, and reading it. The
 * suite, and the zone of its local times, are in adr_parse.c. */
#ifndef TESTS_UNIT_STORE_LAYOUTS_ADR_SUPPORT_H
#define TESTS_UNIT_STORE_LAYOUTS_ADR_SUPPORT_H

#include "tests/unit/support.h"

#include "store/layouts/adr.h"

/* 2026-01-04T00:53:21.667898 and 2026-01-05T00:00:00 in that zone. */
#define SENT_US INT64_C(1767484401667898)
#define LATER_US INT64_C(1767567600000000)

enum { WHOLE = WANT_DATA | WANT_BODY };

static const struct place place = {.box = {"implementer", 11}, .dir = {"implementer/inbox", 17}};

/* A good value for each key. */
static const char *const good[KEY_COUNT] = {[KEY_ID] = "\"MSG-0123456789ab\"",
                                            [KEY_FROM] = "\"architect\"",
                                            [KEY_TO] = "\"implementer\"",
                                            [KEY_SWARM] = "\"dev\"",
                                            [KEY_TYPE] = "\"handoff\"",
                                            [KEY_SUBJECT] = "\"Sub\\u00e9\"",
                                            [KEY_BODY] = "\"Bo\\ndy\"",
                                            [KEY_PAYLOAD] = "{\"p\": 1.0}",
                                            [KEY_PRIORITY] = "3",
                                            [KEY_CREATED] = "\"2026-01-04T00:53:21.667898\"",
                                            [KEY_EXPIRES] = "\"2026-01-05T00:00:00\"",
                                            [KEY_STATUS] = "\"completed\"",
                                            [KEY_READ] = "\"2026-01-04T00:53:22\"",
                                            [KEY_COMPLETED] = "\"2026-01-04T00:53:23\"",
                                            [KEY_REPLY_TO] = "\"MSG-r\"",
                                            [KEY_THREAD] = "\"MSG-t\"",
                                            [KEY_CONTEXT] = "{\"c\": NaN}",
                                            [KEY_ATTACHMENTS] = "[\"a.c\"]",
                                            [KEY_TAGS] = "[\"t\"]"};

/* Returns the good message with one key set to another value, or left out (NULL). The caller
 * frees. */
static inline struct str make_with(enum adr_key key, const char *raw)
{
    struct str text = {0};

    for (enum adr_key i = 0; i < KEY_COUNT; i++) {
        const char *value = i == key ? raw : good[i];
        if (value)
            str_addf(&text, "%s\n  \"%s\": %s", text.len ? "," : "{", adr_fields[i].name, value);
    }
    str_puts(&text, "\n}");
    return text;
}

static inline struct message *parse_named(struct batch *batch, const char *name, struct span bytes,
                                          unsigned want)
{
    struct mail_file file = {.place = &place, .name = span_of(name), .bytes = bytes};
    struct err err;

    cr_assert(adr_format.parse(&file, want, batch, &err), "%s", err.text);
    return &batch->items[batch->count - 1];
}

static inline struct message *parse(struct batch *batch, struct span bytes)
{
    return parse_named(batch, "MSG-0123456789ab.json", bytes, WHOLE);
}

static inline struct message *parse_with(struct batch *batch, enum adr_key key, const char *raw)
{
    struct str text = make_with(key, raw);
    struct message *message = parse(batch, str_span(&text));

    str_free(&text); /* the message must not borrow from the bytes that were read */
    return message;
}

#endif
