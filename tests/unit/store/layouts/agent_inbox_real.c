/* Tests reading the Agent Inbox layout: files that agents have written. */
#include "agent_inbox_support.h"

#include <fcntl.h>
#include <unistd.h>

/* The real files by name. Traits: o content is an object, t no readable time, r a response is
 * requested, x not JSON. */
static const struct real {
    const char *path, *id, *from, *type, *subject;
    enum priority priority;
    int64_t seconds;
    const char *traits, *reply_to;
} reals[] = {
    {"coordinator/archive/1739913000-pm-melo-audit.json", "pm-1739913000", "person-manager",
     "message", "MELO v2 Audit Complete - Critical Issues Found", PRIORITY_URGENT, 1771446600, "",
     NULL},
    {"coordinator/archive/1770930123-pm-phase3-audit.json", "pm-1770930100", "person-manager",
     "message", "Directive: Complete Phase 3 Audit & Task Queue Update", PRIORITY_HIGH, 1770930000,
     "r", NULL},
    {"coordinator/archive/1770944574-pm-worker-gap.json", "pm-1770944500", "person-manager",
     "message", "Process Gap: Workers Must Be Spawned", PRIORITY_NORMAL, 1770944400, "", NULL},
    {"coordinator/archive/1771516871-p4-2-a-screenshot-audit-escalation.json",
     "worker-p4-2-a-1771516865", "p4-2-a-screenshot-audit", "message",
     "CRITICAL: MELO V2 Still Broken Despite Claimed Fix", PRIORITY_URGENT, 1771560480, "", NULL},
    {"coordinator/archive/1772262607-stories-ready.json", "file:1772262607-stories-ready.json",
     "story-architect", "message", "Phase 2 User Stories Complete", PRIORITY_NORMAL, 1772262600,
     "o", NULL},
    {"person-manager/$(date +%s)-critical-validation-failure.json", "critical-val-fail-$(date +%s)",
     "coordinator", "critical-validation-failure",
     "Layer 2 Validation FAILURE: clawd-pc8 (Matrix Integration Broken)", PRIORITY_URGENT, MTIME_S,
     "ot", NULL},
    {"person-manager/1772301912-validation-failure.json", "validation-failure-$(date +%s)",
     "coordinator", "validation-failure-alert", "CRITICAL: Fraudulent Worker Claims Detected",
     PRIORITY_URGENT, 1772301912, "ot", NULL},
    {"person-manager/archive/$(date +%s)-coord-batch-complete.json", "coord-1739686200",
     "coordinator", "message", "Priority Batch Complete - Next Tasks Needed", PRIORITY_NORMAL,
     1771209000, "", NULL},
    {"person-manager/archive/1770901502-coord-status.json", "coord-status-1770901411",
     "coordinator", "message", "MELO v2 Status - Cleaned Stale Task", PRIORITY_NORMAL, 1770901380,
     "", NULL},
    {"person-manager/archive/1770930314-coord-phase3-audit-complete.json", "coord-1770930600",
     "coordinator", "reply", "Phase 3 Audit Complete - 5 Missing Features Identified",
     PRIORITY_HIGH, 1770930120, "", "pm-1770930100"},
    {"person-manager/archive/1771518729-critical-failure.json", "coord-crit-failure-20260219-1130",
     "coordinator", "message", "CRITICAL: Task Completion Fabrication - p4-1-a", PRIORITY_URGENT,
     1771518600, "o", NULL},
    {"task-managers/$(date +%s)-crit-3-two-factor-auth-complete.json", NULL, NULL, NULL, NULL,
     PRIORITY_NONE, 0, "x", NULL},
    {"task-managers/$(date +%s)-crit-4-use-spaces-complete.json", "worker-1737663900",
     "crit-4-use-spaces", "message", "Task Complete: crit-4-use-spaces-hook", PRIORITY_NORMAL,
     1739299500, "", NULL},
    {"task-managers/1771304821-high-3-device-management-complete.json", "worker-$(date +%s)",
     "high-3-device-management-complete", "message",
     "Task Complete - Device Management Implementation", PRIORITY_NORMAL, 1771304821, "t", NULL},
    {"validator/archive/$(date +%s)-val-req-pr-p3-3.json", "val-req-1737414600-p3-3", "coordinator",
     "validation-request", "Validate: PortableRalph p3-3 Windows CI fixes", PRIORITY_NORMAL,
     1771630200, "o", NULL},
    {"validator/archive/1771704150-val-req-p5-2.json", "val-req-p5-2-1771703710", "coordinator",
     "validation-request", "Validate: p5-2 PortableRalph Final Test Suite", PRIORITY_NORMAL,
     1771704110, "o", NULL},
    {"validator/archive/1771900341-val-req-p0-1-final.json", NULL, NULL, NULL, NULL, PRIORITY_NONE,
     0, "x", NULL},
    {"validator/archive/1772269019-val-req-ST-P2-01-F.json", "val-req-ST-P2-01-F-1772270000",
     "coordinator", "validation-request", "Validate: ST-P2-01-F Mobile Responsive Design",
     PRIORITY_NORMAL, 1772269980, "o", NULL},
    {"workers/archive/1770882534-coord-reply.json", "coord-reply-1770882534", "coordinator",
     "reply", "Re: Question about task", PRIORITY_NORMAL, 1770882534, "", "test-worker-msg-001"},
};

static bool has(const struct real *real, char trait)
{
    return strchr(real->traits, trait) != NULL;
}

static void assert_real(struct batch *batch, const struct real *real, struct span bytes)
{
    const char *slash = strchr(real->path, '/'), *name = strrchr(real->path, '/') + 1;
    struct place place = {.box = {real->path, (size_t)(slash - real->path)},
                          .archived = name != slash + 1};
    struct mail_file file = {
        .place = &place, .name = span_of(name), .bytes = bytes, .mtime_us = MTIME_S * SECOND_US};
    struct err err = {0};
    bool ok = inbox_format.parse(&file, WHOLE, batch, &err);

    cr_assert_eq(ok, !has(real, 'x'), "%s: %s", real->path, err.text);
    if (!ok)
        return;
    const struct message *m = &batch->items[batch->count - 1];
    cr_assert_null(m->damaged, "%s: %s", real->path, m->damaged);
    cr_assert_eq(m->flags, has(real, 't') ? MESSAGE_NO_TIME : 0, "%s: %x", real->path, m->flags);
    assert_span(m->id, real->id);
    assert_span(m->from, real->from);
    cr_assert(span_eq(m->to, place.box), "%s", real->path);
    assert_span(m->type, real->type);
    assert_span(m->subject, real->subject);
    assert_span(m->reply_to, real->reply_to);
    cr_assert_eq(m->priority, real->priority, "%s", real->path);
    cr_assert_eq(m->created_us, real->seconds * SECOND_US, "%s", real->path);
    cr_assert_eq(m->requires_response, has(real, 'r'), "%s", real->path);
    cr_assert_eq(m->status, place.archived ? STATUS_ARCHIVED : STATUS_UNREAD);
    cr_assert_eq(m->data->payload.at != NULL, has(real, 'o'), "%s", real->path);
    cr_assert(m->data->body.len > 0, "%s", real->path);
}

Test(inbox, every_real_file_but_those_that_are_no_json_is_read)
{
    char path[1024];
    struct batch batch = {0};

    if (!shared_path(path, sizeof path, "samples/agent-inbox/scheduler/inboxes"))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        struct str text = tmp_read(&dir, reals[i].path);
        assert_real(&batch, &reals[i], str_span(&text));
        str_free(&text);
    }
    cr_assert_eq(batch.count, 17);
    batch_free(&batch);
    close(dir.fd);
}
