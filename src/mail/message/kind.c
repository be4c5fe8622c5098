/* Kinds: found by the type field of a layout, or by the words in a subject. */
#include "mail/message/kind.h"

#include "mail/protocol/protocol.h"
#include "mail/thread/thread.h"

static const char *const names[] = {
    [KIND_MESSAGE] = "message", [KIND_QUESTION] = "question",
    [KIND_HANDOFF] = "handoff", [KIND_ESCALATION] = "escalation",
    [KIND_PLAN] = "plan",       [KIND_PERMISSION] = "permission",
    [KIND_HOST] = "host",       [KIND_SHUTDOWN] = "shutdown",
    [KIND_TASK] = "task",       [KIND_MODE] = "mode",
    [KIND_RULES] = "rules",     [KIND_IDLE] = "idle",
};

static const char *const words[] = {
    [KIND_MESSAGE] = "msg",    [KIND_QUESTION] = "ASK",  [KIND_HANDOFF] = "HANDOFF",
    [KIND_ESCALATION] = "ESC", [KIND_PLAN] = "PLAN",     [KIND_PERMISSION] = "PERM",
    [KIND_HOST] = "HOST",      [KIND_SHUTDOWN] = "STOP", [KIND_TASK] = "TASK",
    [KIND_MODE] = "mode",      [KIND_RULES] = "rules",   [KIND_IDLE] = "idle",
};

static const uint8_t of_protocol[PROTOCOL_KIND_COUNT] = {
    [PROTOCOL_IDLE_NOTIFICATION] = KIND_IDLE,
    [PROTOCOL_PERMISSION_REQUEST] = KIND_PERMISSION,
    [PROTOCOL_PERMISSION_RESPONSE] = KIND_PERMISSION,
    [PROTOCOL_SANDBOX_PERMISSION_REQUEST] = KIND_HOST,
    [PROTOCOL_SANDBOX_PERMISSION_RESPONSE] = KIND_HOST,
    [PROTOCOL_PLAN_APPROVAL_REQUEST] = KIND_PLAN,
    [PROTOCOL_PLAN_APPROVAL_RESPONSE] = KIND_PLAN,
    [PROTOCOL_SHUTDOWN_REQUEST] = KIND_SHUTDOWN,
    [PROTOCOL_SHUTDOWN_APPROVED] = KIND_SHUTDOWN,
    [PROTOCOL_SHUTDOWN_REJECTED] = KIND_SHUTDOWN,
    [PROTOCOL_TASK_ASSIGNMENT] = KIND_TASK,
    [PROTOCOL_TEAM_PERMISSION_UPDATE] = KIND_RULES,
    [PROTOCOL_MODE_SET_REQUEST] = KIND_MODE,
};

/* Values of the type field in layouts that have one, and in the conventions for those layouts. */
static const struct {
    const char *type;
    enum kind kind;
} of_type[] = {
    {"handoff", KIND_HANDOFF},    {"escalation", KIND_ESCALATION}, {"plan-approval", KIND_PLAN},
    {"plan_approval", KIND_PLAN}, {"permission", KIND_PERMISSION}, {"shutdown", KIND_SHUTDOWN},
};

/* Starts of subjects, for layouts that have no type. */
static const struct {
    const char *start;
    enum kind kind;
} written[] = {
    {"Handoff: ", KIND_HANDOFF},
    {"Work handoff from ", KIND_HANDOFF},
    {"Shutdown requested", KIND_SHUTDOWN},
};

const char *kind_name(enum kind kind)
{
    return names[kind];
}

const char *kind_word(enum kind kind)
{
    return words[kind];
}

bool kind_parse(struct span word, enum kind *kind)
{
    for (unsigned i = 0; i < KIND_COUNT; i++) {
        if (span_is(word, names[i])) {
            *kind = i;
            return true;
        }
    }
    return false;
}

enum kind kind_of_type(struct span type)
{
    for (size_t i = 0; i < sizeof of_type / sizeof *of_type; i++)
        if (span_is(type, of_type[i].type))
            return of_type[i].kind;
    return of_protocol[protocol_kind_find(type)];
}

static enum kind kind_of_words(struct span subject)
{
    bool answer; /* an answer to such a message is not one itself; a priority may precede the words
                  */
    struct span start = thread_subject(subject, &answer);

    for (size_t i = 0; !answer && i < sizeof written / sizeof *written; i++)
        if (span_starts(start, span_of(written[i].start)))
            return written[i].kind;
    return KIND_MESSAGE;
}

void message_classify(struct message *message)
{
    if (message->kind != KIND_MESSAGE || message->damaged)
        return;
    message->kind = (uint8_t)kind_of_type(message->type);
    if (message->kind == KIND_MESSAGE)
        message->kind = (uint8_t)kind_of_words(message->subject);
    if (message->kind == KIND_MESSAGE && message->requires_response)
        message->kind = KIND_QUESTION;
}
