/* OpenClaw teams: one JSON file per message in the team's mailbox, written in place. */
#include "demo/files.h"
#include "demo/layouts/layout.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define TEAM "search"
#define TEAM_DIR "/.openclaw/teams/" TEAM

static bool save_message(const char *path, const cJSON *tree)
{
    CLEANUP(text_free) struct text bytes = {0};

    json_node(&bytes, tree, 2);
    text_putc(&bytes, '\n');
    return files_write(path, bytes.at, bytes.len, 0600);
}

static void add_teammate(cJSON *all, const struct member *member, int64_t time_us)
{
    cJSON *one = cJSON_AddObjectToObject(all, member->name);
    CLEANUP(demo_free) char *session = text_format("agent:main:%s", member->name);

    cJSON_AddStringToObject(one, "teammateId", member->name);
    cJSON_AddStringToObject(one, "role", member->role);
    cJSON_AddStringToObject(one, "sessionKey", session);
    cJSON_AddStringToObject(one, "status", "active");
    cJSON_AddBoolToObject(one, "requirePlanApproval", false);
    cJSON_AddBoolToObject(one, "planApproved", false);
    cJSON_AddArrayToObject(one, "claimedTasks");
    cJSON_AddArrayToObject(one, "completedTasks");
    cJSON_AddNumberToObject(one, "createdAt", (double)(time_us / 1000));
}

static bool openclaw_found(const char *dir, const struct member *members, size_t count,
                           int64_t time_us)
{
    CLEANUP(demo_free) char *mailbox = text_format("%s" TEAM_DIR "/mailbox", dir);
    CLEANUP(demo_free) char *config = text_format("%s" TEAM_DIR "/config.json", dir);
    CLEANUP(json_free) cJSON *team = cJSON_CreateObject();

    cJSON_AddStringToObject(team, "teamId", TEAM);
    cJSON_AddStringToObject(team, "teamName", TEAM);
    cJSON_AddStringToObject(team, "leadSessionKey", "agent:main:lead");
    cJSON_AddStringToObject(team, "status", "active");
    cJSON_AddNumberToObject(team, "createdAt", (double)(time_us / 1000));
    cJSON_AddNumberToObject(team, "updatedAt", (double)(time_us / 1000));
    cJSON *all = cJSON_AddObjectToObject(team, "teammates");
    for (size_t i = 0; i < count; i++)
        if (members[i].layout == &layout_openclaw)
            add_teammate(all, &members[i], time_us);
    cJSON_AddObjectToObject(team, "config");
    return files_make_dir(mailbox, 0700) && save_message(config, team);
}

static void openclaw_leave(struct post *post)
{
    CLEANUP(demo_free) char *config = text_format("%s" TEAM_DIR "/config.json", post->dir);
    CLEANUP(json_free) cJSON *team = json_load(config);
    cJSON *one = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(team, "teammates"), post->who);

    if (one) {
        cJSON_ReplaceItemInObjectCaseSensitive(one, "status", cJSON_CreateString("completed"));
        save_message(config, team);
    }
}

static void add_message(struct text *out, const struct message *message)
{
    const char *subject = message_get(message, PART_SUBJECT),
               *body = message_get(message, PART_BODY);

    if (message->part[PART_REPLY_TO])
        text_addf(out, "Re %.8s: ", message_get(message, PART_REPLY_TO));
    if (message->act == ACT_HANDOFF)
        message_add_handoff(out, message);
    else if (message->part[PART_REPLY_TO] || message_repeats(message))
        text_puts(out, body);
    else
        text_addf(out, "%s\n\n%s", subject, body);
}

static void add_id(struct text *out, const struct message *message, struct dice *dice)
{
    (void)message;
    dice_add_uuid(out, dice);
}

static bool openclaw_send(struct post *post, struct message *message)
{
    CLEANUP(text_free) struct text words = {0};
    CLEANUP(json_free) cJSON *tree = cJSON_CreateObject();

    layout_name(post->layout, message, post->dice);
    add_message(&words, message);
    cJSON_AddStringToObject(tree, "messageId", message_get(message, PART_ID));
    cJSON_AddStringToObject(tree, "teamId", TEAM);
    cJSON_AddStringToObject(tree, "from", message_get(message, PART_FROM));
    cJSON_AddStringToObject(tree, "to", message_get(message, PART_TO));
    cJSON_AddStringToObject(tree, "message", text_c(&words));
    cJSON_AddStringToObject(tree, "priority", message->urgent ? "urgent" : "normal");
    cJSON_AddBoolToObject(tree, "read", message->dealt);
    cJSON_AddNumberToObject(tree, "createdAt", (double)(message->time_us / 1000));
    CLEANUP(demo_free)
    char *path =
        text_format("%s" TEAM_DIR "/mailbox/%s.json", post->dir, message_get(message, PART_ID));
    bool ok = save_message(path, tree);
    if (message->dealt)
        files_age(path, message->time_us);
    return ok;
}

static struct message *read_letter(const struct post *post, const cJSON *tree, bool to_all)
{
    struct message *message = message_new(ACT_SAY, json_text(tree, "from"), post->who);
    const char *words = json_text(tree, "message");

    message->to_all = to_all;
    message_set(message, PART_ID, json_text(tree, "messageId"));
    if (strncmp(words, "Re ", 3) == 0 && strlen(words) > 13 && words[11] == ':') {
        message_setf(message, PART_REPLY_TO, "%.8s", words + 3);
        words += 13;
    }
    message_set(message, PART_BODY, words);
    message_understand(message);
    return message;
}

/* Handles a file that was not read yet; returns false if it cannot be read now. */
static bool take_file(struct post *post, const char *name,
                      void (*got)(void *context, struct message *message), void *context)
{
    CLEANUP(demo_free) char *path = text_format("%s" TEAM_DIR "/mailbox/%s", post->dir, name);
    CLEANUP(json_free) cJSON *tree = json_load(path);
    bool to_all = strcmp(json_text(tree, "to"), "all") == 0;
    bool mine = to_all || strcmp(json_text(tree, "to"), post->who) == 0;
    bool settled = tree != NULL;

    if (mine && !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "read"))) {
        settled = post_wants(post, json_text(tree, "from"));
        if (settled) {
            struct message *message = read_letter(post, tree, to_all);
            if (!to_all) { /* marking a message to all would hide it from the others */
                cJSON_ReplaceItemInObjectCaseSensitive(tree, "read", cJSON_CreateTrue());
                save_message(path, tree);
            }
            got(context, message);
        }
        settled |= strcmp(json_text(tree, "from"), post->who) == 0;
    }
    if (settled)
        post_note(post, name);
    return settled;
}

static void openclaw_read(struct post *post, void (*got)(void *context, struct message *message),
                          void *context)
{
    CLEANUP(demo_free) char *dir = text_format("%s" TEAM_DIR "/mailbox", post->dir);
    bool all = true;
    size_t count = 0;
    char **names = post_has_changed(post, dir) ? files_names(dir, ".json", &count) : NULL;

    for (size_t i = 0; i < count; i++)
        if (!post_has_seen(post, names[i]))
            all &= take_file(post, names[i], got, context);
    if (!all)
        post->changed = (struct timespec){0};
    files_free_names(names, count);
}

const struct layout layout_openclaw = {.name = "openclaw",
                                       .lead = "lead",
                                       .team = TEAM,
                                       .weight = 3,
                                       .found = openclaw_found,
                                       .add_id = add_id,
                                       .send = openclaw_send,
                                       .take = openclaw_read,
                                       .leave = openclaw_leave};
