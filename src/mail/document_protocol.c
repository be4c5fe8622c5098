/* Documents: messages of a protocol, with the whole of what a person is to decide on. */
#include "mail/document_form.h"
#include "mail/protocol.h"

enum { LABELS = 11 };

/* What every kind may have stands last. */
#define TAIL                                                                                       \
    {"from", "Sender", FORM_PLAIN, false}, {"timestamp", "Stamp", FORM_PLAIN, false},              \
        {"request_id", "Request", FORM_PLAIN, false}, {"requestId", "Request", FORM_PLAIN, false}, \
        {"type", "Type", FORM_PLAIN, false},                                                       \
    {                                                                                              \
        NULL, NULL, FORM_PLAIN, false                                                              \
    }

static const struct form_field idle[] = {{"idleReason", "Reason", FORM_PLAIN, false},
                                         {"failureReason", "Failure", FORM_PROSE, false},
                                         {"summary", "Summary", FORM_PROSE, false},
                                         {"completedTaskId", "Task", FORM_PLAIN, false},
                                         {"completedStatus", "Outcome", FORM_PLAIN, false},
                                         TAIL};

static const struct form_field permission[] = {
    {"tool_name", "Tool", FORM_EXACT, false},
    {"input", "Input", FORM_INPUT, true},
    {"description", "Reason", FORM_SAID, false},
    {"permission_suggestions", "Suggests", FORM_PLAIN, false},
    {"agent_id", "Agent", FORM_PLAIN, false},
    {"tool_use_id", "Use", FORM_PLAIN, false},
    TAIL};

static const struct form_field permission_answer[] = {{"subtype", "Outcome", FORM_PLAIN, false},
                                                      {"error", "Error", FORM_PROSE, false},
                                                      {"response", "Response", FORM_PLAIN, false},
                                                      TAIL};

static const struct form_field sandbox[] = {{"hostPattern", "Host", FORM_PLAIN, true},
                                            {"workerName", "Agent", FORM_PLAIN, false},
                                            {"workerId", "Agent id", FORM_PLAIN, false},
                                            TAIL};

static const struct form_field sandbox_answer[] = {
    {"host", "Host", FORM_EXACT, true}, {"allow", "Allowed", FORM_PLAIN, true}, TAIL};

static const struct form_field plan[] = {{"planFilePath", "Plan file", FORM_EXACT, false},
                                         {"planContent", "Plan", FORM_MARKDOWN, true},
                                         TAIL};

static const struct form_field plan_answer[] = {{"approved", "Approved", FORM_PLAIN, true},
                                                {"feedback", "Feedback", FORM_PROSE, false},
                                                {"permissionMode", "Mode", FORM_PLAIN, false},
                                                TAIL};

static const struct form_field shutdown_fields[] = {{"reason", "Reason", FORM_SAID, false}, TAIL};

static const struct form_field task[] = {{"taskId", "Task", FORM_PLAIN, false},
                                         {"subject", "Subject", FORM_PROSE, false},
                                         {"assignedBy", "By", FORM_PLAIN, false},
                                         {"description", "Work", FORM_MARKDOWN, false},
                                         TAIL};

static const struct form_field rules[] = {{"toolName", "Tool", FORM_EXACT, false},
                                          {"directoryPath", "Directory", FORM_EXACT, false},
                                          {"permissionUpdate", "Update", FORM_PLAIN, true},
                                          TAIL};

static const struct form_field mode[] = {{"mode", "Mode", FORM_PLAIN, true}, TAIL};

static const struct form_field *const tables[PROTOCOL_KIND_COUNT] = {
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
    struct form form = {w, LABELS};
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
        form_members(&form, p.raw, tables[p.kind]);
    else if (is_protocol)
        json_put_scanned(w, (struct json){JSON_OBJECT, p.raw});
    arena_free(&arena);
    return is_protocol;
}
