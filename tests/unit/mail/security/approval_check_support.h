/* Shared by the tests of the approval check: good requests, and the reason when a part is
 * changed. */
#ifndef TESTS_UNIT_MAIL_SECURITY_APPROVAL_CHECK_SUPPORT_H
#define TESTS_UNIT_MAIL_SECURITY_APPROVAL_CHECK_SUPPORT_H

#include "tests/unit/support.h"

#include "base/json/json_print.h"
#include "mail/security/approval_check.h"
#include "mail/thread/request.h"
#include "store/layouts/claude.h"

#include <stdlib.h>

#define STAMP "\"2026-02-07T15:35:15.573Z\""

/* Requests as agents write them, all of worker "w" in team "web". */
#define PERMISSION                                                                                 \
    "{\"type\":\"permission_request\",\"request_id\":\"perm-1-abc\",\"agent_id\":\"w\","           \
    "\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_1\",\"description\":\"List files\","           \
    "\"input\":{\"command\":\"ls\",\"timeout\":12345678901234567890},"                             \
    "\"permission_suggestions\":[{\"type\":\"addRules\"}]}"
#define HOST                                                                                       \
    "{\"type\":\"sandbox_permission_request\",\"requestId\":\"r1\",\"workerId\":\"w@web\","        \
    "\"workerName\":\"w\",\"workerColor\":\"blue\",\"hostPattern\":{\"host\":\"example.org\"},"    \
    "\"createdAt\":1794785047047}"
#define PLAN                                                                                       \
    "{\"type\":\"plan_approval_request\",\"from\":\"w\",\"timestamp\":" STAMP                      \
    ",\"planFilePath\":\"/tmp/plan.md\",\"planContent\":\"# Plan\\n\\n1. \\\"Do\\\" it\\n\","      \
    "\"requestId\":\"plan_approval-1@w@web\"}"
#define SHUTDOWN                                                                                   \
    "{\"type\":\"shutdown_request\",\"requestId\":\"shutdown-1@w\",\"from\":\"w\","                \
    "\"reason\":\"Work complete\",\"timestamp\":" STAMP "}"

static const struct place web = {
    .team = {"web", 3}, .box = {"team-lead", 9}, .dir = {"teams/web/inboxes", 17}};

/* The message must be refused with exactly this sentence; NULL if it must not be refused. */
static inline void expect_why(const struct message *message, struct span raw, const char *want)
{
    struct str why = {0};
    bool refused = approval_refuses(&why, message, raw);

    cr_expect(refused == (want != NULL), "%.*s: %s", (int)raw.len, raw.at, str_c(&why));
    cr_expect_str_eq(str_c(&why), want ? want : "", "%.*s", (int)raw.len, raw.at);
    str_free(&why);
}

/* Like expect_why(), but for an entry of an inbox. */
static inline void expect_entry_in(const struct place *place, struct span entry, const char *want)
{
    struct batch batch = {0};
    struct str box = {0};
    struct err err = {0};

    str_puts(&box, "[ ");
    str_add_span(&box, entry);
    str_puts(&box, " ]");
    struct mail_file file = {
        .place = place, .name = span_of("team-lead.json"), .bytes = str_span(&box)};
    cr_assert(claude_format.parse(&file, WANT_DATA | WANT_BODY, &batch, &err), "%s: %s",
              str_c(&box), err.text);
    struct message *message = &batch.items[0];
    message_classify(message);
    expect_why(message, (struct span){box.at + message->raw_at, message->raw_len}, want);
    batch_free(&batch);
    str_free(&box);
}

static inline void expect_entry(const char *entry, const char *want)
{
    expect_entry_in(&web, span_of(entry), want);
}

/* Appends an entry that contains a request of that sender. */
static inline void add_entry(struct str *out, struct span text, const char *from)
{
    str_puts(out, "{\"from\":");
    json_put_text(out, span_of(from), &json_style_node_line);
    str_puts(out, ",\"text\":");
    json_put_text(out, text, &json_style_node_line);
    str_puts(out, ",\"timestamp\":" STAMP ",\"color\":\"blue\",\"read\":false}");
}

static inline void expect_request(const char *request, const char *want)
{
    struct str entry = {0};

    add_entry(&entry, span_of(request), "w");
    expect_entry_in(&web, str_span(&entry), want);
    str_free(&entry);
}

/* Returns the text with one part of it replaced. The caller frees. */
static inline struct str replaced(const char *text, const char *part, const char *by)
{
    struct str out = {0};
    const char *at = strstr(text, part);

    cr_assert(at, "no %s in %s", part, text);
    str_add(&out, text, (size_t)(at - text));
    str_puts(&out, by);
    str_puts(&out, at + strlen(part));
    return out;
}

/* Like expect_why(), but for a request with one part of it replaced. */
static inline void expect_with(const char *request, const char *part, const char *by,
                               const char *want)
{
    struct str text = replaced(request, part, by);

    expect_request(str_c(&text), want);
    str_free(&text);
}

#endif
