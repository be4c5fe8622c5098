/* Documents: messages of a protocol, with the whole of what a person is to decide on. */
#include "mail/page/document_sheet.h"
#include "mail/protocol/protocol.h"

enum { LABELS = 11 };

/* What every kind may have stands last. */
#define TAIL                                                                                       \
    {"from", "Sender", SHEET_PLAIN, false}, {"timestamp", "Stamp", SHEET_PLAIN, false},            \
        {"request_id", "Request", SHEET_PLAIN, false},                                             \
        {"requestId", "Request", SHEET_PLAIN, false}, {"type", "Type", SHEET_PLAIN, false},        \
    {                                                                                              \
        NULL, NULL, SHEET_PLAIN, false                                                             \
    }

static const struct sheet_field idle[] = {{"idleReason", "Reason", SHEET_PLAIN, false},
                                          {"failureReason", "Failure", SHEET_PROSE, false},
                                          {"summary", "Summary", SHEET_PROSE, false},
                                          {"completedTaskId", "Task", SHEET_PLAIN, false},
                                          {"completedStatus", "Outcome", SHEET_PLAIN, false},
                                          TAIL};

static const struct sheet_field permission[] = {
    {"tool_name", "Tool", SHEET_EXACT, false},
    {"input", "Input", SHEET_INPUT, true},
    {"description", "Reason", SHEET_SAID, false},
    {"permission_suggestions", "Suggests", SHEET_PLAIN, false},
    {"agent_id", "Agent", SHEET_PLAIN, false},
    {"tool_use_id", "Use", SHEET_PLAIN, false},
    TAIL};

static const struct sheet_field permission_answer[] = {{"subtype", "Outcome", SHEET_PLAIN, false},
                                                       {"error", "Error", SHEET_PROSE, false},
                                                       {"response", "Response", SHEET_PLAIN, false},
                                                       TAIL};

static const struct sheet_field sandbox[] = {{"hostPattern", "Host", SHEET_PLAIN, true},
                                             {"workerName", "Agent", SHEET_PLAIN, false},
                                             {"workerId", "Agent id", SHEET_PLAIN, false},
                                             TAIL};

static const struct sheet_field sandbox_answer[] = {
    {"host", "Host", SHEET_EXACT, true}, {"allow", "Allowed", SHEET_PLAIN, true}, TAIL};

static const struct sheet_field plan[] = {{"planFilePath", "Plan file", SHEET_EXACT, false},
                                          {"planContent", "Plan", SHEET_MARKDOWN, true},
                                          TAIL};

static const struct sheet_field plan_answer[] = {{"approved", "Approved", SHEET_PLAIN, true},
                                                 {"feedback", "Feedback", SHEET_PROSE, false},
                                                 {"permissionMode", "Mode", SHEET_PLAIN, false},
                                                 TAIL};

static const struct sheet_field shutdown_fields[] = {{"reason", "Reason", SHEET_SAID, false}, TAIL};

static const struct sheet_field task[] = {{"taskId", "Task", SHEET_PLAIN, false},
                                          {"subject", "Subject", SHEET_PROSE, false},
                                          {"assignedBy", "By", SHEET_PLAIN, false},
                                          {"description", "Work", SHEET_MARKDOWN, false},
                                          TAIL};

static const struct sheet_field rules[] = {{"toolName", "Tool", SHEET_EXACT, false},
                                           {"directoryPath", "Directory", SHEET_EXACT, false},
                                           {"permissionUpdate", "Update", SHEET_PLAIN, true},
                                           TAIL};

static const struct sheet_field mode[] = {{"mode", "Mode", SHEET_PLAIN, true}, TAIL};

static const struct sheet_field *const tables[PROTOCOL_KIND_COUNT] = {
    [PROTOCOL_IDLE_NOTIFICATION] = idle,
    [PROTOCOL_PERMISSION_REQUEST] = permission,
    [PROTOCOL_PERMISSION_RESPONSE] = permission_answer,
    [PROTOCOL_SANDBOX_PERMISSION_REQUEST] = sandbox,
    [PROTOCOL_SANDBOX_PERMISSION_RESPONSE] = sandbox_answer,
    [PROTOCOL_PLAN_APPROVAL_REQUEST] = plan,
    [PROTOCOL_PLAN_APPROVAL_RESPONSE] = plan_answer,
    [PROTOCOL_SHUTDOWN_REQUEST] = shutdown_fields,
    [PROTOCOL_SHUTDOWN_APPROVED] = shutdown_fields,
    [PROTOCOL_SHUTDOWN_REJECTED] = shutdown_fields,
    [PROTOCOL_TASK_ASSIGNMENT] = task,
    [PROTOCOL_TEAM_PERMISSION_UPDATE] = rules,
    [PROTOCOL_MODE_SET_REQUEST] = mode,
};

static void put_warning(struct writer *w, const char *start, struct span text, const char *end)
{
    line_open(w, LINE_WORDS, span_of("  "));
    line_put(w, span_of(start), LOOK_WARNING);
    line_put(w, text, LOOK_WARNING);
    line_put(w, span_of(end), LOOK_WARNING);
    line_close(w);
}

bool protocol_put(struct writer *w, struct span text)
{
    struct sheet sheet = {w, LABELS};
    struct arena arena = {0};
    struct protocol p;
    bool is_protocol = protocol_parse(&p, text, &arena);

    if (is_protocol && p.problem.len && !p.acts && p.kind != PROTOCOL_UNKNOWN)
        put_warning(w, "Its receiver does not act on it: ", p.problem, "");
    else if (is_protocol && p.problem.len)
        put_warning(w, "Something is odd about it: ", p.problem, "");
    if (is_protocol && p.equal_keys.at)
        put_warning(w, "The key \"", p.equal_keys, "\" stands twice; the last one counts.");
    if (is_protocol && tables[p.kind])
        sheet_members(&sheet, p.raw, tables[p.kind]);
    else if (is_protocol)
        json_put_scanned(w, (struct json){JSON_OBJECT, p.raw});
    arena_free(&arena);
    return is_protocol;
}
