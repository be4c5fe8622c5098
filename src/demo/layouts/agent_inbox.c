/* Agent Inbox: one JSON file per message in the recipient's directory, written like a shell script
 * does and moved to archive/ when it is finished. */
#include "demo/files.h"
#include "demo/layouts/layout.h"
#include "demo/random.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INBOXES "/clawd/scheduler/inboxes"

static bool make_box(const char *dir, const char *name)
{
    CLEANUP(demo_free) char *path = text_format("%s" INBOXES "/%s/archive", dir, name);

    return files_make_dir(path, 0777);
}

static bool inbox_found(const char *dir, const struct member *members, size_t count,
                        int64_t time_us)
{
    bool ok = make_box(dir, "coordinator");

    (void)time_us;
    for (size_t i = 0; ok && i < count; i++)
        if (members[i].layout == &layout_inbox)
            ok = make_box(dir, members[i].name);
    return ok;
}

static void add_slug(struct text *out, const char *text)
{
    enum { SLUG_MAX = 32 };
    size_t start = out->len;

    for (; *text && out->len - start < SLUG_MAX; text++) {
        char c = *text >= 'A' && *text <= 'Z' ? (char)(*text | 0x20) : *text;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            text_putc(out, c);
        else if (out->len > start && out->at[out->len - 1] != '-')
            text_putc(out, '-');
    }
    if (out->len > start && out->at[out->len - 1] == '-')
        out->at[--out->len] = '\0';
}

/* Makes an object for a handoff: models answer with objects if there is more to say. */
static cJSON *make_content(const struct message *message)
{
    if (message->act != ACT_HANDOFF)
        return cJSON_CreateString(message_get(message, PART_BODY));
    cJSON *content = cJSON_CreateObject();
    message_add_context(message, content);
    return content;
}

static const char *type_of(const struct message *message)
{
    switch (message->act) {
    case ACT_PLAN:
        return "plan-approval";
    case ACT_PERMIT:
    case ACT_HOST:
        return "permission";
    case ACT_HANDOFF:
        return "handoff";
    case ACT_ESCALATE:
        return "escalation";
    case ACT_IDLE:
        return "status-update";
    default:
        return NULL;
    }
}

static bool wants_answer(const struct message *message)
{
    return message->act == ACT_ASK || message->act == ACT_PLAN || message->act == ACT_PERMIT ||
           message->act == ACT_HOST || message->act == ACT_HANDOFF ||
           message->act == ACT_ESCALATE || message->act == ACT_STOP;
}

static void add_id(struct text *out, const struct message *message, struct dice *dice)
{
    text_addf(out, "%s-%lld-", message_get(message, PART_FROM),
              (long long)(message->time_us / 1000));
    dice_add_hex(out, dice, 4);
}

static void add_bytes(struct text *out, const struct message *message)
{
    CLEANUP(text_free) struct text time = {0};
    CLEANUP(json_free) cJSON *tree = cJSON_CreateObject();

    clock_add_shell(&time, message->time_us);
    cJSON_AddStringToObject(tree, "id", message_get(message, PART_ID));
    cJSON_AddStringToObject(tree, "timestamp", text_c(&time));
    cJSON_AddStringToObject(tree, "from", message_get(message, PART_FROM));
    cJSON_AddStringToObject(tree, "to", message_get(message, PART_TO));
    if (type_of(message))
        cJSON_AddStringToObject(tree, "type", type_of(message));
    cJSON_AddStringToObject(tree, "subject", message_get(message, PART_SUBJECT));
    cJSON_AddItemToObject(tree, "content", make_content(message));
    cJSON_AddStringToObject(tree, "conversationId", message_get(message, PART_THREAD));
    if (message->urgent)
        cJSON_AddStringToObject(tree, "priority", "urgent");
    if (wants_answer(message))
        cJSON_AddTrueToObject(tree, "requiresResponse");
    if (message->part[PART_REPLY_TO])
        cJSON_AddStringToObject(tree, "replyTo", message_get(message, PART_REPLY_TO));
    json_node(out, tree, 2);
    text_putc(out, '\n');
}

static bool inbox_send(struct post *post, struct message *message)
{
    CLEANUP(text_free) struct text path = {0}, bytes = {0};

    layout_name(post->layout, message, post->dice);
    add_bytes(&bytes, message);
    text_addf(&path, "%s" INBOXES "/%s/%s%lld-", post->dir, message_get(message, PART_TO),
              message->dealt ? "archive/" : "", (long long)(message->time_us / SECOND_US));
    add_slug(&path, message_get(message, PART_FROM));
    text_putc(&path, '-');
    add_slug(&path, message_get(message, PART_SUBJECT));
    text_puts(&path, ".json");
    bool ok = files_write(text_c(&path), bytes.at, bytes.len, 0666);
    files_age(text_c(&path), message->time_us);
    return ok;
}

static enum act act_of(const cJSON *tree)
{
    const char *type = json_text(tree, "type");

    return strcmp(type, "handoff") == 0      ? ACT_HANDOFF
           : strcmp(type, "escalation") == 0 ? ACT_ESCALATE
           : cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "requiresResponse")) &&
                   strncmp(json_text(tree, "subject"), "Shutdown", 8) != 0
               ? ACT_ASK
               : ACT_SAY;
}

static struct message *read_letter(const struct post *post, const cJSON *tree, const char *file)
{
    const cJSON *content = cJSON_GetObjectItemCaseSensitive(tree, "content");
    struct message *message = message_new(act_of(tree), json_text(tree, "from"), post->who);

    message_set(message, PART_ID, json_text(tree, "id"));
    message_set(message, PART_SUBJECT, json_text(tree, "subject"));
    message_set(message, PART_THREAD, json_text(tree, "conversationId"));
    message_set(message, PART_REPLY_TO, json_text(tree, "replyTo"));
    message_set(message, PART_BODY, json_text(tree, "content"));
    message_set(message, PART_FILE, file);
    if (cJSON_IsObject(content))
        message_set(message, PART_BODY, json_text(content, "current_state"));
    message_understand(message);
    return message;
}

static void inbox_read(struct post *post, void (*got)(void *context, struct message *message),
                       void *context)
{
    CLEANUP(demo_free) char *dir = text_format("%s" INBOXES "/%s", post->dir, post->who);
    CLEANUP(text_free) struct text bytes = {0};
    size_t count;
    char **names = files_names(dir, ".json", &count);

    for (size_t i = 0; i < count; i++) {
        CLEANUP(demo_free) char *path = text_format("%s/%s", dir, names[i]);
        bool fresh = !post_has_seen(post, names[i]) && files_read(path, &bytes);
        CLEANUP(json_free) cJSON *tree = fresh ? cJSON_Parse(text_c(&bytes)) : NULL;
        if (tree && post_wants(post, json_text(tree, "from"))) {
            post_note(post, names[i]);
            got(context, read_letter(post, tree, names[i]));
        }
    }
    files_free_names(names, count);
}

/* Archives a message: mv FILE archive/ */
static void inbox_archive(struct post *post, const struct message *message)
{
    CLEANUP(demo_free)
    char *from =
        text_format("%s" INBOXES "/%s/%s", post->dir, post->who, message_get(message, PART_FILE));
    CLEANUP(demo_free)
    char *to = text_format("%s" INBOXES "/%s/archive/%s", post->dir, post->who,
                           message_get(message, PART_FILE));

    rename(from, to);
}

const struct layout layout_inbox = {.name = "inbox",
                                    .lead = "coordinator",
                                    .team = "release",
                                    .weight = 3,
                                    .requests = true,
                                    .conversations = true,
                                    .found = inbox_found,
                                    .add_id = add_id,
                                    .send = inbox_send,
                                    .take = inbox_read,
                                    .done = inbox_archive};
