/* The protocol messages of Claude Code teams: made, and understood. */
#include "demo/clock.h"
#include "demo/json.h"
#include "demo/layouts/claude.h"

#include <cjson/cJSON.h>
#include <string.h>

static void add_time(cJSON *object, const char *key, int64_t when_us)
{
    struct text time = {0};

    clock_add_node(&time, when_us);
    cJSON_AddStringToObject(object, key, text_c(&time));
    text_free(&time);
}

static void name_request(struct post *post, struct letter *letter)
{
    struct text id = {0};
    long long ms = letter->when_us / 1000;
    const char *from = letter_get(letter, PART_FROM), *to = letter_get(letter, PART_TO);

    if (letter->part[PART_REQUEST])
        return;
    if (letter->act == ACT_PLAN)
        text_addf(&id, "plan_approval-%lld@%s@%s", ms, from, post->layout->team);
    else if (letter->act == ACT_STOP)
        text_addf(&id, "shutdown-%lld@%s", ms, to);
    else
        text_addf(&id, "perm-%lld-", ms);
    if (letter->act == ACT_PERMIT || letter->act == ACT_HOST)
        dice_add_base36(&id, post->dice, 7);
    letter_set(letter, PART_REQUEST, text_c(&id));
    text_free(&id);
}

static void make_permission(cJSON *object, struct post *post, const struct letter *letter)
{
    struct text text = {0};
    const char *from = letter_get(letter, PART_FROM);

    cJSON_AddStringToObject(object, "request_id", letter_get(letter, PART_REQUEST));
    cJSON_AddStringToObject(object, "agent_id", from);
    cJSON_AddStringToObject(object, "tool_name", "Bash");
    text_puts(&text, "toolu_01");
    dice_add_base36(&text, post->dice, 22);
    cJSON_AddStringToObject(object, "tool_use_id", text_c(&text));
    cJSON_AddStringToObject(object, "description", letter_get(letter, PART_REASON));
    cJSON *input = cJSON_AddObjectToObject(object, "input");
    cJSON_AddStringToObject(input, "command", letter_get(letter, PART_COMMAND));
    cJSON_AddStringToObject(input, "description", letter_get(letter, PART_REASON));
    cJSON_AddArrayToObject(object, "permission_suggestions");
    text_free(&text);
}

static void make_host(cJSON *object, struct post *post, const struct letter *letter)
{
    cJSON_AddStringToObject(object, "requestId", letter_get(letter, PART_REQUEST));
    struct text worker = {0};
    text_addf(&worker, "%s@%s", letter_get(letter, PART_FROM), post->layout->team);
    cJSON_AddStringToObject(object, "workerId", text_c(&worker));
    cJSON_AddStringToObject(object, "workerName", letter_get(letter, PART_FROM));
    if (post->color)
        cJSON_AddStringToObject(object, "workerColor", post->color);
    cJSON *pattern = cJSON_AddObjectToObject(object, "hostPattern");
    cJSON_AddStringToObject(pattern, "host", letter_get(letter, PART_HOST));
    cJSON_AddNumberToObject(object, "createdAt", (double)(letter->when_us / 1000));
    text_free(&worker);
}

static void make_plan(cJSON *object, struct post *post, const struct letter *letter)
{
    struct text path = {0};

    cJSON_AddStringToObject(object, "from", letter_get(letter, PART_FROM));
    add_time(object, "timestamp", letter->when_us);
    text_addf(&path, "%s/.claude/plans/%s.md", post->dir, letter_get(letter, PART_FROM));
    cJSON_AddStringToObject(object, "planFilePath", text_c(&path));
    cJSON_AddStringToObject(object, "planContent", letter_get(letter, PART_BODY));
    cJSON_AddStringToObject(object, "requestId", letter_get(letter, PART_REQUEST));
    text_free(&path);
}

/* What a lead says to a request, and an agent to the wish that it ends. */
static const char *make_answer(cJSON *object, const struct letter *letter)
{
    const char *id = letter_get(letter, PART_REQUEST);
    cJSON *response;

    switch (letter->about) {
    case ACT_PLAN:
        cJSON_AddStringToObject(object, "requestId", id);
        cJSON_AddBoolToObject(object, "approved", letter->yes);
        if (!letter->yes)
            cJSON_AddStringToObject(object, "feedback", letter_get(letter, PART_REASON));
        add_time(object, "timestamp", letter->when_us);
        if (letter->yes)
            cJSON_AddStringToObject(object, "permissionMode", "default");
        return "plan_approval_response";
    case ACT_PERMIT:
        cJSON_AddStringToObject(object, "request_id", id);
        cJSON_AddStringToObject(object, "subtype", letter->yes ? "success" : "error");
        if (!letter->yes) {
            cJSON_AddStringToObject(object, "error", letter_get(letter, PART_REASON));
            return "permission_response";
        }
        response = cJSON_AddObjectToObject(object, "response");
        cJSON_AddStringToObject(cJSON_AddObjectToObject(response, "updated_input"), "command",
                                letter_get(letter, PART_COMMAND));
        cJSON_AddArrayToObject(response, "permission_updates");
        return "permission_response";
    default:
        cJSON_AddStringToObject(object, "requestId", id);
        cJSON_AddStringToObject(object, "from", letter_get(letter, PART_FROM));
        if (!letter->yes)
            cJSON_AddStringToObject(object, "reason", letter_get(letter, PART_REASON));
        add_time(object, "timestamp", letter->when_us);
        if (letter->yes) {
            cJSON_AddStringToObject(object, "paneId", "in-process");
            cJSON_AddStringToObject(object, "backendType", "in-process");
        }
        return letter->yes ? "shutdown_approved" : "shutdown_rejected";
    }
}

static void make_stop(cJSON *object, const struct letter *letter)
{
    cJSON_AddStringToObject(object, "requestId", letter_get(letter, PART_REQUEST));
    cJSON_AddStringToObject(object, "from", letter_get(letter, PART_FROM));
    cJSON_AddStringToObject(object, "reason", letter_get(letter, PART_REASON));
    add_time(object, "timestamp", letter->when_us);
}

static void make_idle(cJSON *object, const struct letter *letter)
{
    cJSON_AddStringToObject(object, "from", letter_get(letter, PART_FROM));
    add_time(object, "timestamp", letter->when_us);
    cJSON_AddStringToObject(object, "idleReason", letter->yes ? "available" : "failed");
    if (letter->part[PART_REASON])
        cJSON_AddStringToObject(object, letter->yes ? "summary" : "failureReason",
                                letter_get(letter, PART_REASON));
}

bool claude_add_text(struct text *out, struct post *post, struct letter *letter)
{
    const char *type = NULL;
    cJSON *object = cJSON_CreateObject();

    if (letter->act == ACT_HANDOFF) {
        letter_add_handoff(out, letter);
    } else if (letter->act == ACT_SAY || letter->act == ACT_ASK || letter->act == ACT_ESCALATE) {
        text_puts(out, letter_get(letter, PART_BODY));
    } else {
        if (letter->act != ACT_ANSWER)
            name_request(post, letter);
        cJSON_AddStringToObject(object, "type", "");
        switch (letter->act) {
        case ACT_PLAN:
            type = "plan_approval_request";
            make_plan(object, post, letter);
            break;
        case ACT_PERMIT:
            type = "permission_request";
            make_permission(object, post, letter);
            break;
        case ACT_HOST:
            type = "sandbox_permission_request";
            make_host(object, post, letter);
            break;
        case ACT_STOP:
            type = "shutdown_request";
            make_stop(object, letter);
            break;
        case ACT_ANSWER:
            type = make_answer(object, letter);
            break;
        default:
            type = "idle_notification";
            make_idle(object, letter);
            break;
        }
        cJSON_ReplaceItemInObjectCaseSensitive(object, "type", cJSON_CreateString(type));
        json_node(out, object, 0);
    }
    cJSON_Delete(object);
    return type != NULL;
}

static const struct {
    const char *type;
    enum act act, about;
} types[] = {
    {"plan_approval_response", ACT_ANSWER, ACT_PLAN},
    {"permission_response", ACT_ANSWER, ACT_PERMIT},
    {"sandbox_permission_response", ACT_ANSWER, ACT_HOST},
    {"shutdown_request", ACT_STOP, ACT_STOP},
    {"task_assignment", ACT_TASK, ACT_TASK},
    {"mode_set_request", ACT_MODE, ACT_MODE},
    {"team_permission_update", ACT_RULES, ACT_RULES},
    {"idle_notification", ACT_IDLE, ACT_IDLE},
};

/* The first of some members that is there and not empty. */
static const char *one_of(const cJSON *object, const char *const *keys)
{
    const char *text = "";

    for (; *keys && !*text; keys++)
        text = json_text(object, *keys);
    return text;
}

static void read_protocol(struct letter *letter, const cJSON *object)
{
    static const char *const ids[] = {"requestId", "request_id", "taskId", NULL};
    static const char *const reasons[] = {"feedback", "error", "reason",   "mode",
                                          "subject",  "host",  "toolName", NULL};
    const char *type = json_text(object, "type");

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, type) != 0)
            continue;
        letter->act = types[i].act;
        letter->about = types[i].about;
    }
    letter->yes = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "approved")) ||
                  cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "allow")) ||
                  strcmp(json_text(object, "subtype"), "success") == 0;
    letter_set(letter, PART_REQUEST, one_of(object, ids));
    letter_set(letter, PART_REASON, one_of(object, reasons));
    const cJSON *response = cJSON_GetObjectItemCaseSensitive(object, "response");
    const char *command =
        json_text(cJSON_GetObjectItemCaseSensitive(response, "updated_input"), "command");
    if (*command) /* the person may have changed it */
        letter_set(letter, PART_COMMAND, command);
}

void claude_read_text(struct letter *letter, const char *text)
{
    cJSON *object = text[0] == '{' ? cJSON_Parse(text) : NULL;

    letter_set(letter, PART_BODY, text);
    if (cJSON_IsObject(object) && *json_text(object, "type"))
        read_protocol(letter, object);
    else
        letter_understand(letter);
    cJSON_Delete(object);
}
