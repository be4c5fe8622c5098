/* ADR-003: one JSON file per message, as Python dumps it, always with all nineteen keys; replaced
 * by renaming. */
#include "demo/files.h"
#include "demo/layouts/layout.h"
#include "demo/random.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SWARM "billing"
#define BOXES "/project/workspace/mailboxes"

static bool make_box(const char *dir, const char *name)
{
    CLEANUP(demo_free) char *inbox = text_format("%s" BOXES "/%s/inbox", dir, name);
    CLEANUP(demo_free) char *archive = text_format("%s" BOXES "/%s/archive", dir, name);

    return files_make_dir(inbox, 0777) && files_make_dir(archive, 0777);
}

static bool is_there(const char *dir, const struct member *members, size_t count, int64_t time_us)
{
    CLEANUP(demo_free) char *agents = text_format("%s/project/swarms/" SWARM "/agents", dir);
    bool ok = files_make_dir(agents, 0777) && make_box(dir, "user");

    (void)time_us;
    for (size_t i = 0; ok && i < count; i++) {
        if (members[i].layout != &layout_adr)
            continue;
        CLEANUP(demo_free) char *path = text_format("%s/%s.md", agents, members[i].name);
        CLEANUP(demo_free)
        char *about = text_format("# %s\n\nThe %s of the swarm " SWARM ".\n", members[i].name,
                                  members[i].role);
        ok = files_write(path, about, strlen(about), 0666) && make_box(dir, members[i].name);
    }
    return ok;
}

static const char *type_of(const struct message *message)
{
    switch (message->act) {
    case ACT_ASK:
    case ACT_PLAN:
    case ACT_PERMIT:
    case ACT_HOST:
    case ACT_STOP:
        return "request";
    case ACT_HANDOFF:
        return "handoff";
    case ACT_ESCALATE:
        return "escalation";
    default:
        return message->part[PART_REPLY_TO] ? "response" : "notification";
    }
}

static void add_payload(cJSON *tree, const struct message *message)
{
    static const char *const words[] = {[ACT_PLAN] = "plan_approval",
                                        [ACT_PERMIT] = "permission",
                                        [ACT_HOST] = "sandbox_permission",
                                        [ACT_STOP] = "shutdown",
                                        [ACT_HANDOFF] = "handoff"};
    bool known = message->about < sizeof words / sizeof *words && words[message->about];
    cJSON *payload = cJSON_AddObjectToObject(tree, "payload");

    if (message->act == ACT_ESCALATE) {
        CLEANUP(text_free) struct text day = {0};
        clock_add_python(&day, message->time_us);
        CLEANUP(demo_free)
        char *id = text_format("ESC-%.4s%.2s%.2s-%04d", day.at, day.at + 5, day.at + 8,
                               (int)(message->time_us / SECOND_US % 10000));
        cJSON_AddStringToObject(payload, "escalation_id", id);
        cJSON_AddStringToObject(payload, "reason", message_get(message, PART_REASON));
    } else if (known && message->act != ACT_HANDOFF) {
        cJSON_AddStringToObject(payload, "x_protocol", words[message->about]);
        if (message->act == ACT_ANSWER)
            cJSON_AddBoolToObject(payload, "approved", message->yes);
    }
}

static void add_context(cJSON *tree, const struct message *message)
{
    cJSON *context = cJSON_AddObjectToObject(tree, "context");

    if (message->act == ACT_HANDOFF)
        message_add_context(message, context);
}

static void add_time(cJSON *tree, const char *key, int64_t time_us)
{
    CLEANUP(text_free) struct text time = {0};

    clock_add_python(&time, time_us);
    cJSON_AddStringToObject(tree, key, text_c(&time));
}

static void set_time(cJSON *tree, const char *key, int64_t time_us)
{
    CLEANUP(text_free) struct text time = {0};

    clock_add_python(&time, time_us);
    cJSON_ReplaceItemInObjectCaseSensitive(tree, key, cJSON_CreateString(text_c(&time)));
}

static void set_status(cJSON *tree, const char *status)
{
    cJSON_ReplaceItemInObjectCaseSensitive(tree, "status", cJSON_CreateString(status));
}

static void add_or_null(cJSON *tree, const char *key, const char *text)
{
    if (text && *text)
        cJSON_AddStringToObject(tree, key, text);
    else
        cJSON_AddNullToObject(tree, key);
}

static cJSON *make_message(const struct message *message)
{
    CLEANUP(text_free) struct text body = {0};
    cJSON *tree = cJSON_CreateObject();

    if (message->act == ACT_HANDOFF)
        message_add_handoff(&body, message);
    else
        text_puts(&body, message_get(message, PART_BODY));
    cJSON_AddStringToObject(tree, "id", message_get(message, PART_ID));
    cJSON_AddStringToObject(tree, "from_agent", message_get(message, PART_FROM));
    cJSON_AddStringToObject(tree, "to_agent", message_get(message, PART_TO));
    cJSON_AddStringToObject(tree, "swarm_name", SWARM);
    cJSON_AddStringToObject(tree, "type", type_of(message));
    cJSON_AddStringToObject(tree, "subject", message_get(message, PART_SUBJECT));
    cJSON_AddStringToObject(tree, "body", text_c(&body));
    add_payload(tree, message);
    cJSON_AddNumberToObject(tree, "priority",
                            message->urgent           ? 4
                            : message->act == ACT_SAY ? 2
                                                      : 3);
    add_time(tree, "created_at", message->time_us);
    cJSON_AddNullToObject(tree, "expires_at");
    cJSON_AddStringToObject(tree, "status", "unread");
    cJSON_AddNullToObject(tree, "read_at");
    cJSON_AddNullToObject(tree, "completed_at");
    add_or_null(tree, "reply_to", message->part[PART_REPLY_TO]);
    add_or_null(tree, "thread_id", message->part[PART_THREAD]);
    add_context(tree, message);
    message_add_lines(message, PART_FILES, tree, "attachments");
    cJSON *tags = cJSON_AddArrayToObject(tree, "tags");
    if (message->act == ACT_HANDOFF)
        cJSON_AddItemToArray(tags, cJSON_CreateString("handoff"));
    return tree;
}

static bool save_message(const char *path, const cJSON *tree)
{
    CLEANUP(text_free) struct text bytes = {0};

    json_python(&bytes, tree);
    return files_replace(path, bytes.at, bytes.len);
}

static void add_id(struct text *out, const struct message *message, struct dice *dice)
{
    (void)message;
    text_puts(out, "MSG-");
    dice_add_hex(out, dice, 12);
}

static bool adr_send(struct post *post, struct message *message)
{
    layout_name(post->layout, message, post->dice);
    CLEANUP(json_free) cJSON *tree = make_message(message);
    if (message->dealt) {
        set_time(tree, "read_at", message->time_us + 20 * SECOND_US);
        set_time(tree, "completed_at", message->time_us + 40 * SECOND_US);
        set_status(tree, "archived");
    }
    CLEANUP(demo_free)
    char *path = text_format("%s" BOXES "/%s/%s/%s.json", post->dir, message_get(message, PART_TO),
                             message->dealt ? "archive" : "inbox", message_get(message, PART_ID));
    return save_message(path, tree);
}

static char *inbox_path(const struct post *post, const char *file)
{
    return text_format("%s" BOXES "/%s/inbox/%s", post->dir, post->who, file);
}

static struct message *read_letter(const struct post *post, const cJSON *tree, const char *file)
{
    const char *type = json_text(tree, "type");
    const cJSON *payload = cJSON_GetObjectItemCaseSensitive(tree, "payload");
    bool stops = strcmp(json_text(payload, "x_protocol"), "shutdown") == 0;
    enum act act = strcmp(type, "handoff") == 0      ? ACT_HANDOFF
                   : strcmp(type, "escalation") == 0 ? ACT_ESCALATE
                   : strcmp(type, "request") != 0    ? ACT_SAY
                   : stops                           ? ACT_STOP
                                                     : ACT_ASK;
    struct message *message = message_new(act, json_text(tree, "from_agent"), post->who);
    const cJSON *tag;

    cJSON_ArrayForEach(tag, cJSON_GetObjectItemCaseSensitive(tree, "tags")) message->to_all |=
        cJSON_IsString(tag) && strcmp(tag->valuestring, "broadcast") == 0;
    message_set(message, PART_ID, json_text(tree, "id"));
    message_set(message, PART_SUBJECT, json_text(tree, "subject"));
    message_set(message, PART_BODY, json_text(tree, "body"));
    message_set(message, PART_REPLY_TO, json_text(tree, "reply_to"));
    message_set(message, PART_THREAD, json_text(tree, "thread_id"));
    message_set(message, PART_FILE, file);
    message_understand(message);
    return message;
}

static void adr_read(struct post *post, void (*got)(void *context, struct message *message),
                     void *context)
{
    CLEANUP(demo_free) char *dir = text_format("%s" BOXES "/%s/inbox", post->dir, post->who);
    size_t count;
    char **names = files_names(dir, ".json", &count);

    for (size_t i = 0; i < count; i++) {
        CLEANUP(demo_free) char *path = inbox_path(post, names[i]);
        CLEANUP(json_free) cJSON *tree = post_has_seen(post, names[i]) ? NULL : json_load(path);
        bool mine = tree && strcmp(json_text(tree, "to_agent"), post->who) == 0;
        if (mine && strcmp(json_text(tree, "status"), "unread") == 0 &&
            post_wants(post, json_text(tree, "from_agent"))) {
            set_status(tree, "read");
            set_time(tree, "read_at", clock_now());
            save_message(path, tree);
            post_note(post, names[i]);
            got(context, read_letter(post, tree, names[i]));
        }
    }
    files_free_names(names, count);
}

static void adr_begin(struct post *post, const struct message *message)
{
    CLEANUP(demo_free) char *path = inbox_path(post, message_get(message, PART_FILE));
    CLEANUP(json_free) cJSON *tree = json_load(path);

    if (tree) {
        set_status(tree, "processing");
        save_message(path, tree);
    }
}

/* Archives a message like the Python program: removes it first, then writes it into the archive. */
static void adr_archive(struct post *post, const struct message *message)
{
    const char *file = message_get(message, PART_FILE);
    CLEANUP(demo_free) char *path = inbox_path(post, file);
    CLEANUP(demo_free)
    char *kept = text_format("%s" BOXES "/%s/archive/%s", post->dir, post->who, file);
    CLEANUP(json_free) cJSON *tree = json_load(path);

    if (tree && unlink(path) == 0) {
        CLEANUP(text_free) struct text bytes = {0};
        set_time(tree, "completed_at", clock_now());
        set_status(tree, "archived");
        json_python(&bytes, tree);
        files_write(kept, bytes.at, bytes.len, 0666);
    }
}

const struct layout layout_adr = {.name = "adr",
                                  .lead = "user",
                                  .team = SWARM,
                                  .weight = 4,
                                  .requests = true,
                                  .found = is_there,
                                  .add_id = add_id,
                                  .send = adr_send,
                                  .take = adr_read,
                                  .begin = adr_begin,
                                  .done = adr_archive};
