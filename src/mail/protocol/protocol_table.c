/* Protocol messages: the kinds and their fields. */
#include "mail/protocol/protocol_table.h"

#define AT(member) offsetof(struct protocol, member)

const struct protocol_words protocol_idle_reasons = {
    .list = (const char *const[]){"available", "interrupted", "failed", NULL}};
const struct protocol_words protocol_task_statuses = {
    .list = (const char *const[]){"resolved", "blocked", "failed", NULL}};
const struct protocol_words protocol_behaviors = {
    .list = (const char *const[]){"allow", "deny", "ask", NULL}};
static const struct protocol_words modes = {
    .list = (const char *const[]){"default", "acceptEdits", "bypassPermissions", "plan", "dontAsk",
                                  "auto", "delegate", NULL},
    .alias = "manual",
    .meant = "default"};
static const struct protocol_words success = {.list = (const char *const[]){"success", NULL}};
static const struct protocol_words error = {.list = (const char *const[]){"error", NULL}};
static const struct protocol_words add_rules = {.list = (const char *const[]){"addRules", NULL}};
static const struct protocol_words session = {.list = (const char *const[]){"session", NULL}};

static const struct protocol_field idle_fields[] = {
    {"from", FIELD_TEXT, .at = AT(from), .filled = true},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {"idleReason", FIELD_WORD, .at = AT(idle_reason), .optional = true,
     .words = &protocol_idle_reasons},
    {"summary", FIELD_TEXT, .at = AT(summary), .optional = true},
    {"completedTaskId", FIELD_TEXT, .at = AT(completed_task), .optional = true},
    {"completedStatus", FIELD_WORD, .at = AT(completed_status), .optional = true,
     .words = &protocol_task_statuses},
    {"failureReason", FIELD_TEXT, .at = AT(failure_reason), .optional = true},
    {0},
};

static const struct protocol_field permission_request_fields[] = {
    {"request_id", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"agent_id", FIELD_TEXT, .at = AT(agent_id), .filled = true},
    {"tool_name", FIELD_TEXT, .at = AT(tool_name), .filled = true},
    {"tool_use_id", FIELD_TEXT, .at = AT(tool_use_id)},
    {"description", FIELD_TEXT, .at = AT(description)},
    {"input", FIELD_OBJECT, .at = AT(input)},
    {"permission_suggestions", FIELD_ARRAY, .at = AT(suggestions)},
    {0},
};

static const struct protocol_field response_fields[] = {
    {"updated_input", FIELD_OBJECT, .at = AT(updated_input), .optional = true},
    {"permission_updates", FIELD_ARRAY, .at = AT(permission_updates), .optional = true},
    {0},
};

static const struct protocol_field grant_fields[] = {
    {"request_id", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"subtype", FIELD_FIXED, .words = &success},
    {"response", FIELD_GROUP, .at = AT(response), .optional = true, .inside = response_fields},
    {0},
};

static const struct protocol_field denial_fields[] = {
    {"request_id", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"subtype", FIELD_FIXED, .words = &error},
    {"error", FIELD_TEXT, .at = AT(error)},
    {0},
};

static const struct protocol_field host_fields[] = {
    {"host", FIELD_TEXT, .at = AT(host), .filled = true},
    {0},
};

static const struct protocol_field sandbox_request_fields[] = {
    {"requestId", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"workerId", FIELD_TEXT, .at = AT(worker_id), .filled = true},
    {"workerName", FIELD_TEXT, .at = AT(worker_name), .filled = true},
    {"workerColor", FIELD_TEXT, .at = AT(worker_color), .optional = true},
    {"hostPattern", FIELD_GROUP, .at = AT(host_pattern), .inside = host_fields},
    {"createdAt", FIELD_NUMBER, .at = AT(created_at)},
    {0},
};

static const struct protocol_field sandbox_response_fields[] = {
    {"requestId", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"host", FIELD_TEXT, .at = AT(host), .filled = true},
    {"allow", FIELD_VERDICT, .at = AT(verdict)},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {0},
};

static const struct protocol_field plan_request_fields[] = {
    {"from", FIELD_TEXT, .at = AT(from), .filled = true},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {"planFilePath", FIELD_TEXT, .at = AT(plan_path)},
    {"planContent", FIELD_TEXT, .at = AT(plan)},
    {"requestId", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {0},
};

static const struct protocol_field plan_response_fields[] = {
    {"requestId", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"approved", FIELD_VERDICT, .at = AT(verdict)},
    {"feedback", FIELD_TEXT, .at = AT(feedback), .optional = true},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {"permissionMode", FIELD_WORD, .at = AT(mode), .optional = true, .words = &modes},
    {0},
};

static const struct protocol_field shutdown_request_fields[] = {
    {"requestId", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"from", FIELD_TEXT, .at = AT(from), .filled = true},
    {"reason", FIELD_TEXT, .at = AT(reason), .optional = true},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {0},
};

static const struct protocol_field shutdown_approved_fields[] = {
    {"requestId", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"from", FIELD_TEXT, .at = AT(from), .filled = true},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {"paneId", FIELD_TEXT, .at = AT(pane_id), .optional = true},
    {"backendType", FIELD_TEXT, .at = AT(backend_type), .optional = true},
    {0},
};

static const struct protocol_field shutdown_rejected_fields[] = {
    {"requestId", FIELD_TEXT, .at = AT(request_id), .filled = true},
    {"from", FIELD_TEXT, .at = AT(from), .filled = true},
    {"reason", FIELD_TEXT, .at = AT(reason)},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {0},
};

static const struct protocol_field task_fields[] = {
    {"taskId", FIELD_TEXT, .at = AT(task_id), .filled = true},
    {"subject", FIELD_TEXT, .at = AT(subject)},
    {"description", FIELD_TEXT, .at = AT(description)},
    {"assignedBy", FIELD_TEXT, .at = AT(assigned_by), .filled = true},
    {"timestamp", FIELD_TEXT, .at = AT(timestamp), .filled = true},
    {0},
};

const struct protocol_field protocol_rule_fields[] = {
    {"toolName", FIELD_TEXT, .at = AT(tool_name), .filled = true},
    {"ruleContent", FIELD_TEXT, .at = AT(rule_content), .optional = true},
    {0},
};

static const struct protocol_field update_fields[] = {
    {"type", FIELD_FIXED, .words = &add_rules},
    {"rules", FIELD_ARRAY, .at = AT(rules), .inside = protocol_rule_fields},
    {"behavior", FIELD_WORD, .at = AT(behavior), .words = &protocol_behaviors},
    {"destination", FIELD_FIXED, .words = &session},
    {0},
};

static const struct protocol_field team_update_fields[] = {
    {"permissionUpdate", FIELD_GROUP, .at = AT(permission_update), .inside = update_fields},
    {"directoryPath", FIELD_TEXT, .at = AT(directory), .filled = true},
    {"toolName", FIELD_TEXT, .at = AT(tool_name), .filled = true},
    {0},
};

static const struct protocol_field mode_fields[] = {
    {"mode", FIELD_WORD, .at = AT(mode), .words = &modes},
    {"from", FIELD_TEXT, .at = AT(from), .filled = true},
    {0},
};

static const struct protocol_form forms[] = {
    {PROTOCOL_IDLE_NOTIFICATION, .name = "idle_notification", .fields = idle_fields,
     .title = "Idle", .details = {AT(idle_reason), AT(failure_reason), AT(summary)}},
    {PROTOCOL_PERMISSION_REQUEST, .name = "permission_request", .fields = permission_request_fields,
     .routed = true, .answer = PROTOCOL_PERMISSION_RESPONSE, .id_start = "perm", .id_random = true,
     .title = "Permission", .uses = true},
    {PROTOCOL_PERMISSION_RESPONSE, .name = "permission_response", .fields = grant_fields,
     .routed = true, .title = "Permission granted"},
    {PROTOCOL_PERMISSION_RESPONSE, .denied = true, .name = "permission_response",
     .fields = denial_fields, .routed = true, .title = "Permission denied", .details = {AT(error)}},
    {PROTOCOL_SANDBOX_PERMISSION_REQUEST, .name = "sandbox_permission_request",
     .fields = sandbox_request_fields, .routed = true,
     .answer = PROTOCOL_SANDBOX_PERMISSION_RESPONSE, .id_start = "sandbox", .id_random = true,
     .title = "Host", .uses = true},
    {PROTOCOL_SANDBOX_PERMISSION_RESPONSE, .name = "sandbox_permission_response",
     .fields = sandbox_response_fields, .routed = true, .title = "Host answer",
     .title_no = "Host denied", .title_yes = "Host allowed", .details = {AT(host)}},
    {PROTOCOL_PLAN_APPROVAL_REQUEST, .name = "plan_approval_request", .fields = plan_request_fields,
     .checked = true, .routed = true, .answer = PROTOCOL_PLAN_APPROVAL_RESPONSE,
     .id_start = "plan_approval", .title = "Plan for approval", .details = {AT(plan)}},
    {PROTOCOL_PLAN_APPROVAL_RESPONSE, .name = "plan_approval_response",
     .fields = plan_response_fields, .checked = true, .routed = true, .title = "Plan answer",
     .title_no = "Plan rejected", .title_yes = "Plan approved", .details = {AT(feedback)}},
    {PROTOCOL_SHUTDOWN_REQUEST, .name = "shutdown_request", .fields = shutdown_request_fields,
     .checked = true, .routed = true, .answer = PROTOCOL_SHUTDOWN_APPROVED, .id_start = "shutdown",
     .title = "Shutdown requested", .details = {AT(reason)}},
    {PROTOCOL_SHUTDOWN_APPROVED, .name = "shutdown_approved", .fields = shutdown_approved_fields,
     .checked = true, .routed = true, .title = "Shutdown approved"},
    {PROTOCOL_SHUTDOWN_REJECTED, .name = "shutdown_rejected", .fields = shutdown_rejected_fields,
     .checked = true, .title = "Shutdown rejected", .details = {AT(reason)}},
    {PROTOCOL_TASK_ASSIGNMENT, .name = "task_assignment", .fields = task_fields, .title = "Task",
     .which = AT(task_id), .details = {AT(subject)}},
    {PROTOCOL_TEAM_PERMISSION_UPDATE, .name = "team_permission_update",
     .fields = team_update_fields, .routed = true, .title = "Team permission",
     .which = AT(behavior), .details = {AT(tool_name), AT(directory)}},
    {PROTOCOL_MODE_SET_REQUEST, .name = "mode_set_request", .fields = mode_fields, .checked = true,
     .routed = true, .title = "Mode", .details = {AT(mode)}},
};

enum { FORM_COUNT = sizeof forms / sizeof *forms };

const struct protocol_form *protocol_form(enum protocol_kind kind, bool denied)
{
    for (size_t i = 0; i < FORM_COUNT; i++)
        if (forms[i].kind == kind && forms[i].denied == denied)
            return &forms[i];
    return NULL;
}

const char *protocol_kind_name(enum protocol_kind kind)
{
    const struct protocol_form *form = protocol_form(kind, false);

    return form ? form->name : "";
}

enum protocol_kind protocol_kind_find(struct span name)
{
    for (size_t i = 0; i < FORM_COUNT; i++)
        if (span_is(name, forms[i].name))
            return forms[i].kind;
    return PROTOCOL_UNKNOWN;
}

bool protocol_is_routed(enum protocol_kind kind)
{
    const struct protocol_form *form = protocol_form(kind, false);

    return form && form->routed;
}

enum protocol_kind protocol_answer_kind(enum protocol_kind kind)
{
    const struct protocol_form *form = protocol_form(kind, false);

    return form ? form->answer : PROTOCOL_NONE;
}

bool protocol_wants_answer(enum protocol_kind kind)
{
    return protocol_answer_kind(kind) != PROTOCOL_NONE;
}
