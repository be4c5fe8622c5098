/* Claude Code teams: one JSON array per agent, changed in place under a lock directory. */
#include "demo/files.h"
#include "demo/layouts/layout.h"
#include "demo/random.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The protocol messages of Claude Code teams: making and reading them. */

static void add_time(cJSON *object, const char *key, int64_t time_us)
{
    CLEANUP(text_free) struct text time = {0};

    clock_add_node(&time, time_us);
    cJSON_AddStringToObject(object, key, text_c(&time));
}

static void name_request(struct post *post, struct message *message)
{
    CLEANUP(text_free) struct text id = {0};
    long long ms = message->time_us / 1000;
    const char *from = message_get(message, PART_FROM), *to = message_get(message, PART_TO);

    if (message->part[PART_REQUEST])
        return;
    if (message->act == ACT_PLAN)
        text_addf(&id, "plan_approval-%lld@%s@%s", ms, from, post->layout->team);
    else if (message->act == ACT_STOP)
        text_addf(&id, "shutdown-%lld@%s", ms, to);
    else
        text_addf(&id, "perm-%lld-", ms);
    if (message->act == ACT_PERMIT || message->act == ACT_HOST)
        dice_add_base36(&id, post->dice, 7);
    message_set(message, PART_REQUEST, text_c(&id));
}

static void make_permission(cJSON *object, struct post *post, const struct message *message)
{
    CLEANUP(text_free) struct text text = {0};
    const char *from = message_get(message, PART_FROM);

    cJSON_AddStringToObject(object, "request_id", message_get(message, PART_REQUEST));
    cJSON_AddStringToObject(object, "agent_id", from);
    cJSON_AddStringToObject(object, "tool_name", "Bash");
    text_puts(&text, "toolu_01");
    dice_add_base36(&text, post->dice, 22);
    cJSON_AddStringToObject(object, "tool_use_id", text_c(&text));
    cJSON_AddStringToObject(object, "description", message_get(message, PART_REASON));
    cJSON *input = cJSON_AddObjectToObject(object, "input");
    cJSON_AddStringToObject(input, "command", message_get(message, PART_COMMAND));
    cJSON_AddStringToObject(input, "description", message_get(message, PART_REASON));
    cJSON_AddArrayToObject(object, "permission_suggestions");
}

static void make_host(cJSON *object, struct post *post, const struct message *message)
{
    cJSON_AddStringToObject(object, "requestId", message_get(message, PART_REQUEST));
    CLEANUP(text_free) struct text worker = {0};
    text_addf(&worker, "%s@%s", message_get(message, PART_FROM), post->layout->team);
    cJSON_AddStringToObject(object, "workerId", text_c(&worker));
    cJSON_AddStringToObject(object, "workerName", message_get(message, PART_FROM));
    if (post->color)
        cJSON_AddStringToObject(object, "workerColor", post->color);
    cJSON *pattern = cJSON_AddObjectToObject(object, "hostPattern");
    cJSON_AddStringToObject(pattern, "host", message_get(message, PART_HOST));
    cJSON_AddNumberToObject(object, "createdAt", (double)(message->time_us / 1000));
}

static void make_plan(cJSON *object, struct post *post, const struct message *message)
{
    CLEANUP(text_free) struct text path = {0};

    cJSON_AddStringToObject(object, "from", message_get(message, PART_FROM));
    add_time(object, "timestamp", message->time_us);
    text_addf(&path, "%s/.claude/plans/%s.md", post->dir, message_get(message, PART_FROM));
    cJSON_AddStringToObject(object, "planFilePath", text_c(&path));
    cJSON_AddStringToObject(object, "planContent", message_get(message, PART_BODY));
    cJSON_AddStringToObject(object, "requestId", message_get(message, PART_REQUEST));
}

/* Makes the lead's answer to a request, or an agent's answer to a shutdown request. */
static const char *make_answer(cJSON *object, const struct message *message)
{
    const char *id = message_get(message, PART_REQUEST);
    cJSON *response;

    switch (message->about) {
    case ACT_PLAN:
        cJSON_AddStringToObject(object, "requestId", id);
        cJSON_AddBoolToObject(object, "approved", message->yes);
        if (!message->yes)
            cJSON_AddStringToObject(object, "feedback", message_get(message, PART_REASON));
        add_time(object, "timestamp", message->time_us);
        if (message->yes)
            cJSON_AddStringToObject(object, "permissionMode", "default");
        return "plan_approval_response";
    case ACT_PERMIT:
        cJSON_AddStringToObject(object, "request_id", id);
        cJSON_AddStringToObject(object, "subtype", message->yes ? "success" : "error");
        if (!message->yes) {
            cJSON_AddStringToObject(object, "error", message_get(message, PART_REASON));
            return "permission_response";
        }
        response = cJSON_AddObjectToObject(object, "response");
        cJSON_AddStringToObject(cJSON_AddObjectToObject(response, "updated_input"), "command",
                                message_get(message, PART_COMMAND));
        cJSON_AddArrayToObject(response, "permission_updates");
        return "permission_response";
    default:
        cJSON_AddStringToObject(object, "requestId", id);
        cJSON_AddStringToObject(object, "from", message_get(message, PART_FROM));
        if (!message->yes)
            cJSON_AddStringToObject(object, "reason", message_get(message, PART_REASON));
        add_time(object, "timestamp", message->time_us);
        if (message->yes) {
            cJSON_AddStringToObject(object, "paneId", "in-process");
            cJSON_AddStringToObject(object, "backendType", "in-process");
        }
        return message->yes ? "shutdown_approved" : "shutdown_rejected";
    }
}

static void make_stop(cJSON *object, const struct message *message)
{
    cJSON_AddStringToObject(object, "requestId", message_get(message, PART_REQUEST));
    cJSON_AddStringToObject(object, "from", message_get(message, PART_FROM));
    cJSON_AddStringToObject(object, "reason", message_get(message, PART_REASON));
    add_time(object, "timestamp", message->time_us);
}

static void make_idle(cJSON *object, const struct message *message)
{
    cJSON_AddStringToObject(object, "from", message_get(message, PART_FROM));
    add_time(object, "timestamp", message->time_us);
    cJSON_AddStringToObject(object, "idleReason", message->yes ? "available" : "failed");
    if (message->part[PART_REASON])
        cJSON_AddStringToObject(object, message->yes ? "summary" : "failureReason",
                                message_get(message, PART_REASON));
}

/* Appends the text of the entry for a message. Returns true if it is a protocol message. */
static bool claude_add_text(struct text *out, struct post *post, struct message *message)
{
    const char *type = NULL;
    CLEANUP(json_free) cJSON *object = cJSON_CreateObject();

    if (message->act == ACT_HANDOFF) {
        message_add_handoff(out, message);
    } else if (message->act == ACT_SAY || message->act == ACT_ASK || message->act == ACT_ESCALATE) {
        text_puts(out, message_get(message, PART_BODY));
    } else {
        if (message->act != ACT_ANSWER)
            name_request(post, message);
        cJSON_AddStringToObject(object, "type", "");
        switch (message->act) {
        case ACT_PLAN:
            type = "plan_approval_request";
            make_plan(object, post, message);
            break;
        case ACT_PERMIT:
            type = "permission_request";
            make_permission(object, post, message);
            break;
        case ACT_HOST:
            type = "sandbox_permission_request";
            make_host(object, post, message);
            break;
        case ACT_STOP:
            type = "shutdown_request";
            make_stop(object, message);
            break;
        case ACT_ANSWER:
            type = make_answer(object, message);
            break;
        default:
            type = "idle_notification";
            make_idle(object, message);
            break;
        }
        cJSON_ReplaceItemInObjectCaseSensitive(object, "type", cJSON_CreateString(type));
        json_node(out, object, 0);
    }
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

/* Returns the first member that exists and is not empty. */
static const char *one_of(const cJSON *object, const char *const *keys)
{
    const char *text = "";

    for (; *keys && !*text; keys++)
        text = json_text(object, *keys);
    return text;
}

static void read_protocol(struct message *message, const cJSON *object)
{
    static const char *const ids[] = {"requestId", "request_id", "taskId", NULL};
    static const char *const reasons[] = {"feedback", "error", "reason",   "mode",
                                          "subject",  "host",  "toolName", NULL};
    const char *type = json_text(object, "type");

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, type) != 0)
            continue;
        message->act = types[i].act;
        message->about = types[i].about;
    }
    message->yes = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "approved")) ||
                   cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "allow")) ||
                   strcmp(json_text(object, "subtype"), "success") == 0;
    message_set(message, PART_REQUEST, one_of(object, ids));
    message_set(message, PART_REASON, one_of(object, reasons));
    const cJSON *response = cJSON_GetObjectItemCaseSensitive(object, "response");
    const char *command =
        json_text(cJSON_GetObjectItemCaseSensitive(response, "updated_input"), "command");
    if (*command) /* the person may have changed it */
        message_set(message, PART_COMMAND, command);
}

/* Fills in a message from the text of an entry. */
static void claude_read_text(struct message *message, const char *text)
{
    CLEANUP(json_free) cJSON *object = text[0] == '{' ? cJSON_Parse(text) : NULL;

    message_set(message, PART_BODY, text);
    if (cJSON_IsObject(object) && *json_text(object, "type"))
        read_protocol(message, object);
    else
        message_understand(message);
}

#define TEAM "checkout"
#define TEAM_DIR "/.claude/teams/" TEAM
#define TASK_DIR "/.claude/tasks/" TEAM

enum { RETRIES = 30, STALE_S = 10 };

/* Takes the lock like the agents' lock library: a directory, retried with growing pauses. */
static bool take_lock(const char *lock)
{
    int pause_ms = 5;

    for (int i = 0; i <= RETRIES; i++) {
        struct stat st;
        if (mkdir(lock, 0777) == 0)
            return true;
        if (errno != EEXIST)
            return false;
        if (stat(lock, &st) == 0 && st.st_mtim.tv_sec < time(NULL) - STALE_S)
            rmdir(lock);
        usleep((useconds_t)pause_ms * 1000);
        pause_ms = pause_ms * 2 < 100 ? pause_ms * 2 : 100;
    }
    return false;
}

static bool write_json(const char *path, const cJSON *tree)
{
    CLEANUP(text_free) struct text bytes = {0};

    json_node(&bytes, tree, 2);
    return files_write(path, bytes.at, bytes.len, 0666);
}

/* Reads a file, edits it, and writes it in place, all under its lock. */
static bool change_inbox(const char *path, bool (*edit)(cJSON *tree, void *context), void *context)
{
    CLEANUP(demo_free) char *lock = text_format("%s.lock", path);
    bool ok = take_lock(lock);

    if (ok) {
        cJSON *tree = json_load(path);
        ok = tree && edit(tree, context) && write_json(path, tree);
        cJSON_Delete(tree);
        rmdir(lock);
    }
    return ok;
}

/* The team. */

static cJSON *make_member(const char *name, const struct member *member, const char *dir,
                          int64_t time_us)
{
    cJSON *one = cJSON_CreateObject();
    CLEANUP(demo_free) char *id = text_format("%s@" TEAM, name), *cwd = text_format("%s/shop", dir);

    cJSON_AddStringToObject(one, "agentId", id);
    cJSON_AddStringToObject(one, "name", name);
    cJSON_AddStringToObject(one, "agentType", member ? member->role : "team-lead");
    cJSON_AddStringToObject(one, "model", "demo");
    if (member) {
        cJSON_AddStringToObject(one, "prompt", "You are part of the team that builds the shop.");
        cJSON_AddStringToObject(one, "color", member->color);
        cJSON_AddBoolToObject(one, "planModeRequired", true);
    }
    cJSON_AddNumberToObject(one, "joinedAt", (double)(time_us / 1000));
    cJSON_AddStringToObject(one, "tmuxPaneId", member ? "in-process" : "");
    cJSON_AddStringToObject(one, "cwd", cwd);
    cJSON_AddArrayToObject(one, "subscriptions");
    if (member)
        cJSON_AddStringToObject(one, "backendType", "in-process");
    return one;
}

static char *inbox_path(const char *dir, const char *name)
{
    return text_format("%s" TEAM_DIR "/inboxes/%s.json", dir, name);
}

static bool make_inbox(const char *dir, const char *name)
{
    CLEANUP(demo_free) char *path = inbox_path(dir, name);

    return files_create(path, "[]", 2, 0666) || errno == EEXIST;
}

static bool claude_found(const char *dir, const struct member *members, size_t count,
                         int64_t time_us)
{
    CLEANUP(demo_free) char *inboxes = text_format("%s" TEAM_DIR "/inboxes", dir);
    CLEANUP(demo_free) char *tasks = text_format("%s" TASK_DIR, dir);
    CLEANUP(demo_free) char *lock = text_format("%s/.lock", tasks);
    CLEANUP(demo_free) char *config = text_format("%s" TEAM_DIR "/config.json", dir);
    CLEANUP(json_free) cJSON *team = cJSON_CreateObject();
    bool ok = files_make_dir(inboxes, 0777) && files_make_dir(tasks, 0777) &&
              files_write(lock, "", 0, 0666) && make_inbox(dir, "team-lead");

    cJSON_AddStringToObject(team, "name", TEAM);
    cJSON_AddStringToObject(team, "description", "The checkout of the shop");
    cJSON_AddNumberToObject(team, "createdAt", (double)(time_us / 1000));
    cJSON_AddStringToObject(team, "leadAgentId", "team-lead@" TEAM);
    cJSON_AddStringToObject(team, "leadSessionId", "5d0f4a7e-21c3-4b0e-9b1d-0d2f6c1e8a90");
    cJSON *list = cJSON_AddArrayToObject(team, "members");
    cJSON_AddItemToArray(list, make_member("team-lead", NULL, dir, time_us));
    for (size_t i = 0; i < count; i++) {
        int64_t joined_us = time_us + (int64_t)(i + 1) * 7 * SECOND_US;
        if (members[i].layout != &layout_claude)
            continue;
        cJSON_AddItemToArray(list, make_member(members[i].name, &members[i], dir, joined_us));
        ok = ok && make_inbox(dir, members[i].name);
    }
    return ok && write_json(config, team);
}

static bool remove_member(cJSON *team, void *context)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(team, "members"), *one = NULL;

    cJSON_ArrayForEach(one, list)
    {
        if (strcmp(json_text(one, "name"), context) == 0) {
            cJSON_Delete(cJSON_DetachItemViaPointer(list, one));
            return true;
        }
    }
    return false;
}

static void claude_leave(struct post *post)
{
    CLEANUP(demo_free) char *config = text_format("%s" TEAM_DIR "/config.json", post->dir);
    CLEANUP(demo_free) char *who = demo_copy(post->who);

    change_inbox(config, remove_member, who);
}

static void task(struct post *post, unsigned number, const char *subject, const char *status)
{
    CLEANUP(demo_free) char *path = text_format("%s" TASK_DIR "/%u.json", post->dir, number);
    CLEANUP(demo_free) char *mark = text_format("%s" TASK_DIR "/.highwatermark", post->dir);
    CLEANUP(demo_free) char *digits = text_format("%u", number);
    CLEANUP(json_free) cJSON *one = cJSON_CreateObject();

    cJSON_AddStringToObject(one, "id", digits);
    cJSON_AddStringToObject(one, "subject", subject);
    cJSON_AddStringToObject(one, "description", subject);
    cJSON_AddStringToObject(one, "activeForm", subject);
    cJSON_AddStringToObject(one, "owner", post->who);
    cJSON_AddStringToObject(one, "status", status);
    cJSON_AddArrayToObject(one, "blocks");
    cJSON_AddArrayToObject(one, "blockedBy");
    write_json(path, one);
    files_write(mark, digits, strlen(digits), 0666);
}

/* Mail. */

static bool append(cJSON *list, void *context)
{
    cJSON_AddItemReferenceToArray(list, context);
    return true;
}

static bool claude_send(struct post *post, struct message *message)
{
    CLEANUP(text_free) struct text text = {0}, time = {0};
    CLEANUP(demo_free) char *path = inbox_path(post->dir, message_get(message, PART_TO));
    CLEANUP(json_free) cJSON *entry = cJSON_CreateObject();
    bool protocol = claude_add_text(&text, post, message);

    clock_add_node(&time, message->time_us);
    cJSON_AddStringToObject(entry, "from", message_get(message, PART_FROM));
    cJSON_AddStringToObject(entry, "text", text_c(&text));
    if (!protocol)
        cJSON_AddStringToObject(entry, "summary", message_get(message, PART_SUBJECT));
    cJSON_AddStringToObject(entry, "timestamp", text_c(&time));
    if (post->color && !message_is(message, PART_FROM, post->layout->lead))
        cJSON_AddStringToObject(entry, "color", post->color);
    cJSON_AddBoolToObject(entry, "read", message->dealt);
    return make_inbox(post->dir, message_get(message, PART_TO)) &&
           change_inbox(path, append, entry);
}

struct taking {
    struct post *post;
    void (*got)(void *context, struct message *message);
    void *context;
};

/* Marks and takes all new entries under one lock. */
static bool mark_all(cJSON *list, void *context)
{
    const struct taking *taking = context;
    cJSON *entry;

    cJSON_ArrayForEach(entry, list)
    {
        cJSON *read = cJSON_GetObjectItemCaseSensitive(entry, "read");
        const char *from = json_text(entry, "from");
        if (cJSON_IsTrue(read))
            continue;
        struct message *message = message_new(ACT_SAY, from, taking->post->who);
        message_set(message, PART_SUBJECT, json_text(entry, "summary"));
        claude_read_text(message, json_text(entry, "text"));
        cJSON_ReplaceItemInObjectCaseSensitive(entry, "read", cJSON_CreateTrue());
        taking->got(taking->context, message);
    }
    return true;
}

/* True if there is an unread entry that the agent would read. */
static bool has_news(struct post *post, const char *path)
{
    cJSON *list = json_load(path), *entry;
    bool news = false;

    if (!list)
        post->changed = (struct timespec){0}; /* incomplete: check again */
    cJSON_ArrayForEach(entry,
                       list) if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "read")))
        news |= post_wants(post, json_text(entry, "from"));
    cJSON_Delete(list);
    return news;
}

static void claude_read(struct post *post, void (*got)(void *context, struct message *message),
                        void *context)
{
    struct taking taking = {post, got, context};
    CLEANUP(demo_free) char *path = inbox_path(post->dir, post->who);

    if (post_has_changed(post, path) && has_news(post, path) &&
        !change_inbox(path, mark_all, &taking))
        post->changed = (struct timespec){0};
}

const struct layout layout_claude = {.name = "claude",
                                     .lead = "team-lead",
                                     .team = TEAM,
                                     .weight = 6,
                                     .programs = true,
                                     .requests = true,
                                     .found = claude_found,
                                     .send = claude_send,
                                     .take = claude_read,
                                     .leave = claude_leave,
                                     .task = task};
