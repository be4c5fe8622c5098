/* Claude Code teams: one JSON array an agent, changed in place under a lock directory. */
#include "demo/layouts/claude.h"
#include "demo/clock.h"
#include "demo/files.h"
#include "demo/json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEAM "checkout"
#define TEAM_DIR "/.claude/teams/" TEAM
#define TASK_DIR "/.claude/tasks/" TEAM

enum { RETRIES = 30, STALE_S = 10 };

/* As the agents' lock library: a directory, waited for with growing patience. */
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
    struct text bytes = {0};

    json_node(&bytes, tree, 2);
    bool ok = files_write(path, bytes.at, bytes.len, 0666);
    text_free(&bytes);
    return ok;
}

/* Reads a file, lets somebody change it, and writes it in place: all of it under its lock. */
static bool change(const char *path, bool (*edit)(cJSON *tree, void *context), void *context)
{
    char *lock = text_format("%s.lock", path);
    bool ok = take_lock(lock);

    if (ok) {
        cJSON *tree = json_load(path);
        ok = tree && edit(tree, context) && write_json(path, tree);
        cJSON_Delete(tree);
        rmdir(lock);
    }
    free(lock);
    return ok;
}

/* --- the team --- */

static cJSON *make_member(const char *name, const struct member *member, const char *dir,
                          int64_t when_us)
{
    cJSON *one = cJSON_CreateObject();
    char *id = text_format("%s@" TEAM, name), *cwd = text_format("%s/shop", dir);

    cJSON_AddStringToObject(one, "agentId", id);
    cJSON_AddStringToObject(one, "name", name);
    cJSON_AddStringToObject(one, "agentType", member ? member->role : "team-lead");
    cJSON_AddStringToObject(one, "model", "demo");
    if (member) {
        cJSON_AddStringToObject(one, "prompt", "You are part of the team that builds the shop.");
        cJSON_AddStringToObject(one, "color", member->color);
        cJSON_AddBoolToObject(one, "planModeRequired", true);
    }
    cJSON_AddNumberToObject(one, "joinedAt", (double)(when_us / 1000));
    cJSON_AddStringToObject(one, "tmuxPaneId", member ? "in-process" : "");
    cJSON_AddStringToObject(one, "cwd", cwd);
    cJSON_AddArrayToObject(one, "subscriptions");
    if (member)
        cJSON_AddStringToObject(one, "backendType", "in-process");
    free(id);
    free(cwd);
    return one;
}

static bool make_inbox(const char *dir, const char *name)
{
    char *path = text_format("%s" TEAM_DIR "/inboxes/%s.json", dir, name);
    bool ok = files_create(path, "[]", 2, 0666) || errno == EEXIST;

    free(path);
    return ok;
}

static bool found(const char *dir, const struct member *members, size_t count, int64_t when_us)
{
    char *inboxes = text_format("%s" TEAM_DIR "/inboxes", dir);
    char *tasks = text_format("%s" TASK_DIR, dir), *lock = text_format("%s/.lock", tasks);
    char *config = text_format("%s" TEAM_DIR "/config.json", dir);
    cJSON *team = cJSON_CreateObject();
    bool ok = files_make_dir(inboxes, 0777) && files_make_dir(tasks, 0777) &&
              files_write(lock, "", 0, 0666) && make_inbox(dir, "team-lead");

    cJSON_AddStringToObject(team, "name", TEAM);
    cJSON_AddStringToObject(team, "description", "The checkout of the shop");
    cJSON_AddNumberToObject(team, "createdAt", (double)(when_us / 1000));
    cJSON_AddStringToObject(team, "leadAgentId", "team-lead@" TEAM);
    cJSON_AddStringToObject(team, "leadSessionId", "5d0f4a7e-21c3-4b0e-9b1d-0d2f6c1e8a90");
    cJSON *list = cJSON_AddArrayToObject(team, "members");
    cJSON_AddItemToArray(list, make_member("team-lead", NULL, dir, when_us));
    for (size_t i = 0; i < count; i++) {
        int64_t joined_us = when_us + (int64_t)(i + 1) * 7 * SECOND_US;
        if (members[i].layout != &layout_claude)
            continue;
        cJSON_AddItemToArray(list, make_member(members[i].name, &members[i], dir, joined_us));
        ok = ok && make_inbox(dir, members[i].name);
    }
    ok = ok && write_json(config, team);
    cJSON_Delete(team);
    free(inboxes);
    free(tasks);
    free(lock);
    free(config);
    return ok;
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

static void leave(struct post *post)
{
    char *config = text_format("%s" TEAM_DIR "/config.json", post->dir);
    char *who = demo_copy(post->who);

    change(config, remove_member, who);
    free(config);
    free(who);
}

static void task(struct post *post, unsigned number, const char *subject, const char *status)
{
    char *path = text_format("%s" TASK_DIR "/%u.json", post->dir, number);
    char *mark = text_format("%s" TASK_DIR "/.highwatermark", post->dir);
    char *digits = text_format("%u", number);
    cJSON *one = cJSON_CreateObject();

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
    cJSON_Delete(one);
    free(path);
    free(mark);
    free(digits);
}

/* --- mail --- */

static bool append(cJSON *list, void *context)
{
    cJSON_AddItemReferenceToArray(list, context);
    return true;
}

static bool send(struct post *post, struct letter *letter)
{
    struct text text = {0}, time = {0};
    char *path =
        text_format("%s" TEAM_DIR "/inboxes/%s.json", post->dir, letter_get(letter, PART_TO));
    cJSON *entry = cJSON_CreateObject();
    bool protocol = claude_add_text(&text, post, letter);

    clock_add_node(&time, letter->when_us);
    cJSON_AddStringToObject(entry, "from", letter_get(letter, PART_FROM));
    cJSON_AddStringToObject(entry, "text", text_c(&text));
    if (!protocol)
        cJSON_AddStringToObject(entry, "summary", letter_get(letter, PART_SUBJECT));
    cJSON_AddStringToObject(entry, "timestamp", text_c(&time));
    if (post->color && !letter_is(letter, PART_FROM, post->layout->lead))
        cJSON_AddStringToObject(entry, "color", post->color);
    cJSON_AddBoolToObject(entry, "read", letter->dealt);
    bool ok = make_inbox(post->dir, letter_get(letter, PART_TO)) && change(path, append, entry);
    cJSON_Delete(entry);
    text_free(&text);
    text_free(&time);
    free(path);
    return ok;
}

struct taking {
    struct post *post;
    void (*got)(void *context, struct letter *letter);
    void *context;
};

/* All that is new is marked and taken under one lock. */
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
        struct letter *letter = letter_new(ACT_SAY, from, taking->post->who);
        letter_set(letter, PART_SUBJECT, json_text(entry, "summary"));
        claude_read_text(letter, json_text(entry, "text"));
        cJSON_ReplaceItemInObjectCaseSensitive(entry, "read", cJSON_CreateTrue());
        taking->got(taking->context, letter);
    }
    return true;
}

/* Whether something unread is there that the agent would look at. */
static bool has_news(struct post *post, const char *path)
{
    cJSON *list = json_load(path), *entry;
    bool news = false;

    if (!list)
        post->changed = (struct timespec){0}; /* half written: look again */
    cJSON_ArrayForEach(entry,
                       list) if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "read")))
        news |= post_wants(post, json_text(entry, "from"));
    cJSON_Delete(list);
    return news;
}

static void take(struct post *post, void (*got)(void *context, struct letter *letter),
                 void *context)
{
    struct taking taking = {post, got, context};
    char *path = text_format("%s" TEAM_DIR "/inboxes/%s.json", post->dir, post->who);

    if (post_has_changed(post, path) && has_news(post, path) && !change(path, mark_all, &taking))
        post->changed = (struct timespec){0};
    free(path);
}

const struct layout layout_claude = {.name = "claude",
                                     .lead = "team-lead",
                                     .team = TEAM,
                                     .weight = 6,
                                     .programs = true,
                                     .requests = true,
                                     .found = found,
                                     .send = send,
                                     .take = take,
                                     .leave = leave,
                                     .task = task};
