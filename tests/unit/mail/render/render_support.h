/* Shared by the tests of rendering: a plain message, a hostile one, and a check for clean text. The
 * suite, and the zone of its local times, are in render.c. */
#ifndef TESTS_UNIT_MAIL_RENDER_RENDER_SUPPORT_H
#define TESTS_UNIT_MAIL_RENDER_RENDER_SUPPORT_H

#include "tests/unit/support.h"

#include "base/text/utf8.h"
#include "mail/render/render.h"

/* 2026-01-04T00:53:21.667898 in that zone. */
#define SENT_US INT64_C(1767484401667898)
#define HOUR_US INT64_C(3600000000)

static const struct place place = {.box = {"implementer", 11}, .dir = {"implementer/inbox", 17}};
static const struct render_options style = {.now_us = SENT_US + 3 * HOUR_US};

/* Returns the data of a plain message with only the required fields. */
static inline struct message_data make_data(void)
{
    return (struct message_data){
        .body = span_of("Hi"), .read_us = TIME_NONE, .completed_us = TIME_NONE};
}

static inline struct message make(struct message_data *data)
{
    return (struct message){.id = span_of("MSG-0123456789ab"),
                            .file = span_of("MSG-0123456789ab.json"),
                            .from = span_of("swarm_dev/architect"),
                            .to = span_of("implementer"),
                            .subject = span_of("Plain"),
                            .type = span_of("request"),
                            .place = &place,
                            .data = data,
                            .created_us = SENT_US,
                            .expires_us = TIME_NONE,
                            .priority = PRIORITY_NORMAL};
}

/* Bytes that would control a terminal, hide text or forge lines. */
#define EVIL "\x1b[31m\x07\x9b\xc2\x9b\r\n\t\x7f\xe2\x80\xae\xed\xa0\x80\xff\xe2\x80\xa8 MARK"
#define EVIL_JSON "\\u001b[31m\\u0007\\u009b\x9b\xc2\x9b\\r\\n\\t\x7f\\u0000\\u202e\\ud800\xff MARK"

static inline void make_hostile(struct message *message, struct message_data *data,
                                struct place *where)
{
    static const char bytes[] = EVIL "\0" EVIL;
    struct span evil = {bytes, sizeof bytes - 1};

    *where = (struct place){.box = evil, .dir = evil, .team = evil};
    *data = make_data();
    *message = make(data);
    message->id = message->from = message->to = message->subject = message->type = evil;
    message->thread = message->reply_to = evil;
    message->file = span_of(EVIL);
    message->place = where;
    message->flags = 0xffff;
    message->damaged = EVIL;
    data->body = data->swarm = evil;
    data->context = span_of("{\"" EVIL_JSON "\": \"" EVIL_JSON "\", \"l\": [\"" EVIL_JSON
                            "\", {\"" EVIL_JSON "\": [\"" EVIL_JSON "\"]}]}");
    data->payload = data->protocol = data->context;
    data->tags = data->attachments = span_of("[\"" EVIL_JSON "\", {\"k\": \"" EVIL_JSON "\"}]");
    data->read_us = data->completed_us = SENT_US;
}

static inline void assert_clean(struct span text, bool ascii, bool lines)
{
    cr_assert(text.len > 0);
    while (text.len) {
        int32_t code = utf8_next(&text);
        bool is_break = code == '\n' || code == '\t';
        cr_assert(code >= 0x20 || (lines && is_break), "control %d", (int)code);
        cr_assert(code < 0x7f || (!ascii && code > 0x9f), "character %x", (unsigned)code);
        cr_assert(code != 0x202e && code != 0x2028 && !(code >= 0xd800 && code <= 0xdfff));
    }
}

#endif
