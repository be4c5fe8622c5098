/* Shared by the tests of the Agent Inbox layout: a message with every field, and reading one. The
 * suite, and the zone of its local times, are in agent_inbox.c. */
#ifndef TESTS_UNIT_STORE_LAYOUTS_AGENT_INBOX_SUPPORT_H
#define TESTS_UNIT_STORE_LAYOUTS_AGENT_INBOX_SUPPORT_H

#include "tests/unit/support.h"

#include "store/layouts/agent_inbox.h"

#define MTIME_S 1800000000 /* later than all other times */
#define SECOND_US INT64_C(1000000)
enum { WHOLE = WANT_DATA | WANT_BODY };

static const struct place pending = {.box = {"task-managers", 13}, .dir = {"task-managers", 13}};

static inline struct message *parse_named(struct batch *batch, const char *name, const char *text)
{
    struct mail_file file = {.place = &pending,
                             .name = span_of(name),
                             .bytes = span_of(text),
                             .mtime_us = MTIME_S * SECOND_US};
    struct err err;

    cr_assert(inbox_format.parse(&file, WHOLE, batch, &err), "%s: %s", text, err.text);
    return &batch->items[batch->count - 1];
}

static inline struct message *parse(struct batch *batch, const char *text)
{
    return parse_named(batch, "1770882534-pm-x.json", text);
}

static const char full[] = "{\n"
                           "  \"id\": \"pm-1\", \n"
                           "  \"timestamp\": \"2026-02-12T08:02:18Z\",\n"
                           "  \"from\": \"person-manager\",\n"
                           "  \"to\": \"task-manager\",\n"
                           "  \"type\": \"escalation\",\n"
                           "  \"subject\": \"Sub\xc3\xa9\",\n"
                           "  \"content\": \"Line 1\\nLine 2\",\n"
                           "  \"conversationId\": \"conv-1\",\n"
                           "  \"priority\": \"urgent\",\n"
                           "  \"requiresResponse\": true,\n"
                           "  \"replyTo\": \"tm-0\",\n"
                           "  \"unknown\": {}\n"
                           "}";

#endif
