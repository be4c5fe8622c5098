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

#define TEAM "checkout"
#define TEAM_DIR "/.claude/teams/" TEAM
#define TASK_DIR "/.claude/tasks/" TEAM

/* The protocol messages of Claude Code teams: making and reading them. */

/* Gives a protocol message the ids that the program makes up. */
static void name_request(struct post *post, struct message *message)
{
    CLEANUP(text_free) struct text id = {0}, tool = {0};
    long long ms = message->time_us / 1000;
    const char *from = message_get(message, PART_FROM), *to = message_get(message, PART_TO);

    if (!message->part[PART_REQUEST] && message->act != ACT_ANSWER) {
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
    if (message->act == ACT_PERMIT) {
        text_puts(&tool, "toolu_01");
        dice_add_base36(&tool, post->dice, 22);
        message_set(message, PART_TOOL, text_c(&tool));
    }
    if (message->act == ACT_PLAN)
        message_setf(message, PART_FILE, "%s/.claude/plans/%s.md", post->dir, from);
}

/* The JSON that each protocol message has as its text. */
static const struct {
    enum act act, about;
    bool no;
    const char *shape;
} shapes[] = {
    {ACT_PLAN, ACT_PLAN, false,
     "{'type':'plan_approval_request','from':'$from','timestamp':'$node','planFilePath':'$file',"
     "'planContent':'$body','requestId':'$request'}"},
    {ACT_PERMIT, ACT_PERMIT, false,
     "{'type':'permission_request','request_id':'$request','agent_id':'$from','tool_name':'Bash',"
     "'tool_use_id':'$tool','description':'$reason',"
     "'input':{'command':'$command','description':'$reason'},'permission_suggestions':[]}"},
    {ACT_HOST, ACT_HOST, false,
     "{'type':'sandbox_permission_request','requestId':'$request','workerId':'$from@" TEAM "',"
     "'workerName':'$from','workerColor':'$color?','hostPattern':{'host':'$host'},"
     "'createdAt':'$ms'}"},
    {ACT_STOP, ACT_STOP, false,
     "{'type':'shutdown_request','requestId':'$request','from':'$from','reason':'$reason',"
     "'timestamp':'$node'}"},
    {ACT_IDLE, ACT_IDLE, false,
     "{'type':'idle_notification','from':'$from','timestamp':'$node','idleReason':'available'}"},
    {ACT_ANSWER, ACT_PLAN, true,
     "{'type':'plan_approval_response','requestId':'$request','approved':false,"
     "'feedback':'$reason','timestamp':'$node'}"},
    {ACT_ANSWER, ACT_STOP, false,
     "{'type':'shutdown_approved','requestId':'$request','from':'$from','timestamp':'$node',"
     "'paneId':'in-process','backendType':'in-process'}"},
    {ACT_ANSWER, ACT_STOP, true,
     "{'type':'shutdown_rejected','requestId':'$request','from':'$from','reason':'$reason',"
     "'timestamp':'$node'}"},
};

/* Returns the shape of a protocol message; NULL: the message has words only. */
static const char *find_shape(const struct message *message)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].act == message->act && shapes[i].about == message->about &&
            (message->act != ACT_ANSWER || shapes[i].no == !message->yes))
            return shapes[i].shape;
    return NULL;
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

static cJSON *make_member(const struct member *member, const char *dir, int64_t time_us)
{
    CLEANUP(demo_free) char *cwd = text_format("%s/shop", dir);
    cJSON *one = json_format("{'agentId':'%s@" TEAM "','name':'%s','agentType':'%s',"
                             "'model':'demo','prompt':'You are part of the team that builds the "
                             "shop.','color':'%s','planModeRequired':true,'joinedAt':%lld,"
                             "'tmuxPaneId':'in-process','cwd':'','subscriptions':[],"
                             "'backendType':'in-process'}",
                             member->name, member->name, member->role,
                             member->color ? member->color : "", (long long)(time_us / 1000));

    cJSON_ReplaceItemInObjectCaseSensitive(one, "cwd", cJSON_CreateString(cwd));
    if (member->color)
        return one;
    cJSON_ReplaceItemInObjectCaseSensitive(one, "tmuxPaneId", cJSON_CreateString(""));
    static const char *const agents_only[] = {"prompt", "color", "planModeRequired", "backendType"};
    for (size_t i = 0; i < sizeof agents_only / sizeof *agents_only; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(one, agents_only[i]);
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
    CLEANUP(json_free)
    cJSON *team = json_format("{'name':'" TEAM "','description':'The checkout of the shop',"
                              "'createdAt':%lld,'leadAgentId':'team-lead@" TEAM "',"
                              "'leadSessionId':'5d0f4a7e-21c3-4b0e-9b1d-0d2f6c1e8a90',"
                              "'members':[]}",
                              (long long)(time_us / 1000));
    cJSON *list = cJSON_GetObjectItemCaseSensitive(team, "members");
    bool ok = files_make_dir(inboxes, 0777) && files_make_dir(tasks, 0777) &&
              files_write(lock, "", 0, 0666) && make_inbox(dir, "team-lead");

    cJSON_AddItemToArray(
        list,
        make_member(&(struct member){.name = "team-lead", .role = "team-lead"}, dir, time_us));
    for (size_t i = 0; i < count; i++) {
        int64_t joined_us = time_us + (int64_t)(i + 1) * 7 * SECOND_US;
        if (members[i].layout != &layout_claude)
            continue;
        cJSON_AddItemToArray(list, make_member(&members[i], dir, joined_us));
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
    CLEANUP(json_free)
    cJSON *one = json_format("{'id':'%u','subject':'%s','description':'%s','activeForm':'%s',"
                             "'owner':'%s','status':'%s','blocks':[],'blockedBy':[]}",
                             number, subject, subject, subject, post->who, status);

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
    const char *shape = find_shape(message), *to = message_get(message, PART_TO);
    CLEANUP(text_free) struct text words = {0};
    CLEANUP(demo_free) char *path = inbox_path(post->dir, to);

    if (!message_is(message, PART_FROM, post->layout->lead))
        message_set(message, PART_COLOR, post->color);
    if (shape) {
        name_request(post, message);
        CLEANUP(json_free) cJSON *object = message_json(message, shape);
        json_node(&words, object, 0);
    } else {
        message_add_words(&words, message, NULL);
    }
    message_set(message, PART_WORDS, text_c(&words));
    CLEANUP(json_free)
    cJSON *entry = message_json(message, shape ? "{'from':'$from','text':'$words',"
                                                 "'timestamp':'$node','color':'$color?',"
                                                 "'read':'$dealt'}"
                                               : "{'from':'$from','text':'$words',"
                                                 "'summary':'$subject','timestamp':'$node',"
                                                 "'color':'$color?','read':'$dealt'}");
    return make_inbox(post->dir, to) && change_inbox(path, append, entry);
}

/* Marks and takes all new entries under one lock. */
static bool mark_all(cJSON *list, void *context)
{
    const struct post *post = context;
    cJSON *entry;

    cJSON_ArrayForEach(entry, list)
    {
        cJSON *read = cJSON_GetObjectItemCaseSensitive(entry, "read");
        const char *from = json_text(entry, "from");
        if (cJSON_IsTrue(read))
            continue;
        struct message *message = message_new(ACT_SAY, from, post->who);
        message_set(message, PART_SUBJECT, json_text(entry, "summary"));
        claude_read_text(message, json_text(entry, "text"));
        cJSON_ReplaceItemInObjectCaseSensitive(entry, "read", cJSON_CreateTrue());
        post->got(post->context, message);
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

static void claude_read(struct post *post)
{
    CLEANUP(demo_free) char *path = inbox_path(post->dir, post->who);

    if (post_has_changed(post, path) && has_news(post, path) && !change_inbox(path, mark_all, post))
        post->changed = (struct timespec){0};
}

const struct layout layout_claude = {
    .name = "claude",
    .lead = "team-lead",
    .team = TEAM,
    .roles = {"builder", "tester", "infra", "docs", "reviewer", "designer"},
    .weight = 6,
    .programs = true,
    .requests = true,
    .found = claude_found,
    .send = claude_send,
    .take = claude_read,
    .leave = claude_leave,
    .task = task};
