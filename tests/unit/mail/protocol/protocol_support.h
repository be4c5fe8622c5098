/* Shared by the tests of the protocol messages: one of each form, and helpers for them. */
#ifndef TESTS_UNIT_MAIL_PROTOCOL_PROTOCOL_SUPPORT_H
#define TESTS_UNIT_MAIL_PROTOCOL_PROTOCOL_SUPPORT_H

#include "tests/unit/support.h"

#include "mail/protocol/protocol.h"

#define TIME "2026-02-07T15:35:15.573Z"

/* One of each form with every key, in the order in which agents write them. */
static const char *const full[] = {
    "{\"type\":\"idle_notification\",\"from\":\"w\",\"timestamp\":\"" TIME
    "\",\"idleReason\":\"available\",\"summary\":\"[to bob] hi\",\"completedTaskId\":\"3\","
    "\"completedStatus\":\"blocked\",\"failureReason\":\"no key\"}",
    "{\"type\":\"permission_request\",\"request_id\":\"perm-1-abc\",\"agent_id\":\"w\","
    "\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_1\",\"description\":\"List files\","
    "\"input\":{\"command\":\"ls\"},\"permission_suggestions\":[{\"type\":\"addRules\"}]}",
    "{\"type\":\"permission_response\",\"request_id\":\"perm-1-abc\",\"subtype\":\"success\","
    "\"response\":{\"updated_input\":{\"command\":\"ls\"},\"permission_updates\":[]}}",
    "{\"type\":\"permission_response\",\"request_id\":\"perm-1-abc\",\"subtype\":\"error\","
    "\"error\":\"not now\"}",
    "{\"type\":\"sandbox_permission_request\",\"requestId\":\"r1\",\"workerId\":\"w@demo\","
    "\"workerName\":\"w\",\"workerColor\":\"blue\",\"hostPattern\":{\"host\":\"example.org\"},"
    "\"createdAt\":1794785047047}",
    "{\"type\":\"sandbox_permission_response\",\"requestId\":\"r1\",\"host\":\"example.org\","
    "\"allow\":true,\"timestamp\":\"" TIME "\"}",
    "{\"type\":\"plan_approval_request\",\"from\":\"w\",\"timestamp\":\"" TIME
    "\",\"planFilePath\":\"/tmp/plan.md\",\"planContent\":\"# Plan\\n\\n1. \\\"Do\\\" it\\n\","
    "\"requestId\":\"r1\"}",
    "{\"type\":\"plan_approval_response\",\"requestId\":\"r1\",\"approved\":false,"
    "\"feedback\":\"too big\",\"timestamp\":\"" TIME "\",\"permissionMode\":\"acceptEdits\"}",
    "{\"type\":\"shutdown_request\",\"requestId\":\"shutdown-1@w\",\"from\":\"team-lead\","
    "\"reason\":\"Work complete\",\"timestamp\":\"" TIME "\"}",
    "{\"type\":\"shutdown_approved\",\"requestId\":\"shutdown-1@w\",\"from\":\"w\",\"timestamp\":"
    "\"" TIME "\",\"paneId\":\"in-process\",\"backendType\":\"tmux\"}",
    "{\"type\":\"shutdown_rejected\",\"requestId\":\"shutdown-1@w\",\"from\":\"w\",\"reason\":"
    "\"still working\",\"timestamp\":\"" TIME "\"}",
    "{\"type\":\"task_assignment\",\"taskId\":\"3\",\"subject\":\"Do the thing\",\"description\":"
    "\"Longer text\",\"assignedBy\":\"w\",\"timestamp\":\"" TIME "\"}",
    "{\"type\":\"team_permission_update\",\"permissionUpdate\":{\"type\":\"addRules\",\"rules\":"
    "[{\"toolName\":\"Edit\",\"ruleContent\":\"/src/**\"},{\"toolName\":\"Edit\"}],\"behavior\":"
    "\"allow\",\"destination\":\"session\"},\"directoryPath\":\"/src\",\"toolName\":\"Edit\"}",
    "{\"type\":\"mode_set_request\",\"mode\":\"plan\",\"from\":\"team-lead\"}",
};

enum { FULL_COUNT = sizeof full / sizeof *full };

/* Parses text that must be a protocol message; it may have problems. */
static inline struct protocol parsed(const char *text, struct arena *arena)
{
    struct protocol p;

    cr_assert(protocol_parse(&p, span_of(text), arena), "plain text: %s", text);
    return p;
}

static inline void assert_composed(const struct protocol *p, const char *want)
{
    struct str out = {0};
    struct err err;

    cr_assert(protocol_check(p, &err), "%s: %s", want, err.text);
    protocol_compose(&out, p);
    assert_span(str_span(&out), want);
    str_free(&out);
}

static inline void assert_refused(const struct protocol *p, const char *want)
{
    struct err err = {0};

    cr_assert(!protocol_check(p, &err), "not refused: %s", want);
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert_str_eq(err.text, want);
}

static inline void assert_title(const char *text, const char *want)
{
    struct arena arena = {0};
    struct protocol p = parsed(text, &arena);
    struct str out = {0};

    protocol_title(&out, &p);
    assert_span(str_span(&out), want);
    str_free(&out);
    arena_free(&arena);
}

#endif
