/* The layouts with one JSON file per message: OpenClaw teams, Agent Inbox and ADR-003. */
#include "demo/files.h"
#include "demo/layouts/layout.h"
#include "demo/random.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a layout writes its messages; shapes as message_json() takes them. */
struct box {
    const char *shape;
    const char *dir;             /* of all mailboxes */
    const char *inbox, *archive; /* below the directory of an agent */
    bool shared;                 /* one directory for all agents, where "all" reads too */
    bool addressed;              /* an agent reads only what is addressed to it */
    bool python;                 /* written by Python, and replaced by renaming */
    bool slug;                   /* files are named by time, sender and subject, not by id */
    mode_t mode;
    const char *mark;                /* around the subject in the text; NULL: not there */
    const char *state;               /* the member that says that a message is unread, or NULL */
    const char *read, *begun, *done; /* what changes in each state; NULL: nothing */
    const char *normal, *urgent;     /* priorities */
    const char *types[ACTS];
    enum act (*find_act)(const struct message *message, const cJSON *tree);
};

/* Writing. */

static bool save_message(const struct box *box, const char *path, const cJSON *tree, bool replace)
{
    CLEANUP(text_free) struct text bytes = {0};

    if (box->python)
        json_python(&bytes, tree);
    else
        json_node(&bytes, tree, 2);
    if (!box->python)
        text_putc(&bytes, '\n');
    return replace && box->python ? files_replace(path, bytes.at, bytes.len)
                                  : files_write(path, bytes.at, bytes.len, box->mode);
}

/* Changes the members that the shape of a state names. */
static void set_state(cJSON *tree, const char *shape, int64_t time_us)
{
    CLEANUP(json_free)
    cJSON *state = message_json(&(const struct message){.time_us = time_us}, shape);

    for (const cJSON *item = state->child; item; item = item->next)
        cJSON_ReplaceItemInObjectCaseSensitive(tree, item->string, cJSON_Duplicate(item, true));
}

/* Returns the path of a file in the inbox or archive of an agent. */
static char *box_path(const struct post *post, const char *who, bool archived, const char *file)
{
    const struct box *box = post->layout->box;

    if (box->shared)
        return text_format("%s%s/%s", post->dir, box->dir, file);
    return text_format("%s%s/%s%s/%s", post->dir, box->dir, who,
                       archived ? box->archive : box->inbox, file);
}

/* Makes the mailboxes of the lead and of all agents. */
static bool make_boxes(const char *dir, const struct layout *layout, const struct member *members,
                       size_t count)
{
    struct post post = {.layout = layout, .dir = dir};
    mode_t mode = layout->box->shared ? 0700 : 0777;
    bool ok = true;

    for (size_t i = 0; ok && i <= count; i++) {
        const char *who = i < count ? members[i].name : layout->lead;
        if (i < count && members[i].layout != layout)
            continue;
        CLEANUP(demo_free) char *inbox = box_path(&post, who, false, "");
        CLEANUP(demo_free) char *archive = box_path(&post, who, true, "");
        inbox[strlen(inbox) - 1] = archive[strlen(archive) - 1] = '\0';
        ok = files_make_dir(inbox, mode) && files_make_dir(archive, mode);
    }
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

static void add_file_name(struct text *out, const struct box *box, const struct message *message)
{
    if (box->slug) {
        text_addf(out, "%lld-", (long long)(message->time_us / SECOND_US));
        add_slug(out, message_get(message, PART_FROM));
        text_putc(out, '-');
        add_slug(out, message_get(message, PART_SUBJECT));
    } else {
        text_puts(out, message_get(message, PART_ID));
    }
    text_puts(out, ".json");
}

/* Returns the payload of ADR-003: what an escalation or a request of a program is about. */
static cJSON *make_payload(const struct message *message)
{
    static const char *const words[ACTS] = {[ACT_PLAN] = "plan_approval",
                                            [ACT_PERMIT] = "permission",
                                            [ACT_HOST] = "sandbox_permission",
                                            [ACT_STOP] = "shutdown",
                                            [ACT_HANDOFF] = "handoff"};
    cJSON *payload = cJSON_CreateObject();

    if (message->act == ACT_ESCALATE) {
        CLEANUP(text_free) struct text day = {0};
        clock_add_python(&day, message->time_us);
        CLEANUP(demo_free)
        char *id = text_format("ESC-%.4s%.2s%.2s-%04d", day.at, day.at + 5, day.at + 8,
                               (int)(message->time_us / SECOND_US % 10000));
        cJSON_AddStringToObject(payload, "escalation_id", id);
        cJSON_AddStringToObject(payload, "reason", message_get(message, PART_REASON));
    } else if (message->act != ACT_HANDOFF && words[message->about]) {
        cJSON_AddStringToObject(payload, "x_protocol", words[message->about]);
        if (message->act == ACT_ANSWER)
            cJSON_AddBoolToObject(payload, "approved", message->yes);
    }
    return payload;
}

static cJSON *make_tree(const struct layout *layout, struct message *message)
{
    const struct box *box = layout->box;
    const char *answers = box->types[message->part[PART_REPLY_TO] ? ACT_ANSWER : ACT_SAY];
    const char *type =
        message->act == ACT_SAY || message->act == ACT_ANSWER ? NULL : box->types[message->act];
    CLEANUP(text_free) struct text words = {0};

    message_set(message, PART_TYPE, type ? type : answers);
    message_set(message, PART_PRIORITY, message->urgent ? box->urgent : box->normal);
    if (box->shared && message->part[PART_REPLY_TO])
        text_addf(&words, "Re %.8s: ", message_get(message, PART_REPLY_TO));
    message_add_words(&words, message, box->mark);
    message_set(message, PART_WORDS, text_c(&words));
    cJSON *tree = message_json(message, box->shape);
    if (box->python) {
        cJSON_ReplaceItemInObjectCaseSensitive(tree, "payload", make_payload(message));
        int priority = message->urgent ? 4 : message->act == ACT_SAY ? 2 : 3;
        cJSON_ReplaceItemInObjectCaseSensitive(tree, "priority", cJSON_CreateNumber(priority));
        if (message->act == ACT_HANDOFF)
            cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(tree, "tags"),
                                 cJSON_CreateString("handoff"));
    }
    return tree;
}

static bool send_file(struct post *post, struct message *message)
{
    const struct box *box = post->layout->box;
    CLEANUP(text_free) struct text name = {0};

    layout_name(post->layout, message, post->dice);
    CLEANUP(json_free) cJSON *tree = make_tree(post->layout, message);
    if (message->dealt && box->done) {
        set_state(tree, box->read, message->time_us + 20 * SECOND_US);
        set_state(tree, box->done, message->time_us + 40 * SECOND_US);
    }
    add_file_name(&name, box, message);
    CLEANUP(demo_free)
    char *path = box_path(post, message_get(message, PART_TO), message->dealt, text_c(&name));
    bool ok = save_message(box, path, tree, true);
    if (box->slug || (box->shared && message->dealt))
        files_age(path, message->time_us);
    return ok;
}

/* Reading. */

static enum act find_adr_act(const struct message *message, const cJSON *tree)
{
    const cJSON *payload = cJSON_GetObjectItemCaseSensitive(tree, "payload");

    if (!message_is(message, PART_TYPE, "request"))
        return ACT_SAY;
    return strcmp(json_text(payload, "x_protocol"), "shutdown") == 0 ? ACT_STOP : ACT_ASK;
}

static enum act find_inbox_act(const struct message *message, const cJSON *tree)
{
    bool asks = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(tree, "requiresResponse"));

    return asks && strncmp(message_get(message, PART_SUBJECT), "Shutdown", 8) != 0 ? ACT_ASK
                                                                                   : ACT_SAY;
}

/* Returns the message of a file, with its addressee as the file names it. */
static struct message *read_message(const struct post *post, const cJSON *tree, const char *file)
{
    const struct box *box = post->layout->box;
    const cJSON *content = cJSON_GetObjectItemCaseSensitive(tree, "content"), *tag;
    struct message *message = message_new(ACT_SAY, "", "");

    message_read(message, box->shape, tree);
    const char *words = message_get(message, PART_WORDS);
    if (box->shared && strncmp(words, "Re ", 3) == 0 && strlen(words) > 13 && words[11] == ':') {
        message_setf(message, PART_REPLY_TO, "%.8s", words + 3);
        words += 13;
    }
    if (content)
        words = cJSON_IsObject(content) ? json_text(content, "current_state")
                                        : json_text(tree, "content");
    message_set(message, PART_BODY, words);
    message->to_all = box->shared && message_is(message, PART_TO, "all");
    cJSON_ArrayForEach(tag, cJSON_GetObjectItemCaseSensitive(tree, "tags")) message->to_all |=
        box->addressed && cJSON_IsString(tag) && strcmp(tag->valuestring, "broadcast") == 0;
    if (box->find_act)
        message->act = message_is(message, PART_TYPE, "handoff") ? ACT_HANDOFF
                       : message_is(message, PART_TYPE, "escalation")
                           ? ACT_ESCALATE
                           : box->find_act(message, tree);
    message->about = message->act;
    message_set(message, PART_FILE, file);
    message_understand(message);
    return message;
}

static bool is_for(const struct post *post, const struct message *message, const cJSON *tree)
{
    const struct box *box = post->layout->box;
    const cJSON *state = box->state ? cJSON_GetObjectItemCaseSensitive(tree, box->state) : NULL;
    bool unread =
        cJSON_IsString(state) ? strcmp(state->valuestring, "unread") == 0 : !cJSON_IsTrue(state);

    return unread && (!box->addressed || message_is(message, PART_TO, post->who) ||
                      (box->shared && message->to_all));
}

/* Handles a file that was not read yet; returns false if it cannot be read now. */
static bool take_file(struct post *post, const char *name)
{
    const struct box *box = post->layout->box;
    CLEANUP(demo_free) char *path = box_path(post, post->who, false, name);
    CLEANUP(json_free) cJSON *tree = json_load(path);
    struct message *message = tree ? read_message(post, tree, name) : NULL;
    bool settled = tree && box->shared, wanted = false;

    if (message && is_for(post, message, tree)) {
        wanted = post_wants(post, message_get(message, PART_FROM));
        settled = wanted || message_is(message, PART_FROM, post->who);
    }
    if (settled)
        post_note(post, name);
    if (!wanted) {
        message_free(message);
        return settled;
    }
    /* marking a message to all would hide it from the others in a shared directory */
    if (box->read && !(box->shared && message->to_all)) {
        set_state(tree, box->read, clock_now());
        save_message(box, path, tree, true);
    }
    message_set(message, PART_TO, post->who);
    post->got(post->context, message);
    return true;
}

static int is_json(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && end && strcmp(end, ".json") == 0;
}

static void take_files(struct post *post)
{
    CLEANUP(demo_free) char *dir = box_path(post, post->who, false, "");
    bool all = true, changed = !post->layout->box->shared || post_has_changed(post, dir);
    struct dirent **entries = NULL;
    int count = changed ? scandir(dir, &entries, is_json, alphasort) : 0;

    for (int i = 0; i < count; i++) {
        if (!post_has_seen(post, entries[i]->d_name))
            all &= take_file(post, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (!all)
        post->changed = (struct timespec){0};
}

static void begin_file(struct post *post, const struct message *message)
{
    const struct box *box = post->layout->box;
    CLEANUP(demo_free)
    char *path = box_path(post, post->who, false, message_get(message, PART_FILE));
    CLEANUP(json_free) cJSON *tree = json_load(path);

    if (tree) {
        set_state(tree, box->begun, clock_now());
        save_message(box, path, tree, true);
    }
}

/* Archives a message like a shell script, which moves it, or like the Python program, which removes
 * it first and then writes it into the archive. */
static void archive_file(struct post *post, const struct message *message)
{
    const struct box *box = post->layout->box;
    const char *file = message_get(message, PART_FILE);
    CLEANUP(demo_free) char *path = box_path(post, post->who, false, file);
    CLEANUP(demo_free) char *kept = box_path(post, post->who, true, file);
    CLEANUP(json_free) cJSON *tree = box->done ? json_load(path) : NULL;

    if (!box->done) {
        rename(path, kept);
    } else if (tree && unlink(path) == 0) {
        set_state(tree, box->done, clock_now());
        save_message(box, kept, tree, false);
    }
}

/* OpenClaw teams: written in place, into the mailbox of the team. */

#define OPENCLAW_TEAM "search"
#define OPENCLAW_DIR "/.openclaw/teams/" OPENCLAW_TEAM

static const struct box openclaw_box = {
    .shape = "{'messageId':'$id','teamId':'" OPENCLAW_TEAM "','from':'$from','to':'$to',"
             "'message':'$words','priority':'$priority','read':'$dealt','createdAt':'$ms'}",
    .dir = OPENCLAW_DIR "/mailbox",
    .shared = true,
    .addressed = true,
    .mode = 0600,
    .mark = "",
    .state = "read",
    .read = "{'read':true}",
    .normal = "normal",
    .urgent = "urgent"};

static bool openclaw_found(const char *dir, const struct member *members, size_t count,
                           int64_t time_us)
{
    CLEANUP(demo_free) char *config = text_format("%s" OPENCLAW_DIR "/config.json", dir);
    long long ms = time_us / 1000;
    CLEANUP(json_free)
    cJSON *team = json_format("{'teamId':'" OPENCLAW_TEAM "','teamName':'" OPENCLAW_TEAM "',"
                              "'leadSessionKey':'agent:main:lead','status':'active',"
                              "'createdAt':%lld,'updatedAt':%lld,'teammates':{},'config':{}}",
                              ms, ms);
    cJSON *all = cJSON_GetObjectItemCaseSensitive(team, "teammates");

    for (size_t i = 0; i < count; i++)
        if (members[i].layout == &layout_openclaw)
            cJSON_AddItemToObject(
                all, members[i].name,
                json_format("{'teammateId':'%s','role':'%s','sessionKey':'agent:main:%s',"
                            "'status':'active','requirePlanApproval':false,'planApproved':false,"
                            "'claimedTasks':[],'completedTasks':[],'createdAt':%lld}",
                            members[i].name, members[i].role, members[i].name, ms));
    return make_boxes(dir, &layout_openclaw, members, count) &&
           save_message(&openclaw_box, config, team, true);
}

static void openclaw_leave(struct post *post)
{
    CLEANUP(demo_free) char *config = text_format("%s" OPENCLAW_DIR "/config.json", post->dir);
    CLEANUP(json_free) cJSON *team = json_load(config);
    cJSON *one = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(team, "teammates"), post->who);

    if (one) {
        set_state(one, "{'status':'completed'}", 0);
        save_message(&openclaw_box, config, team, true);
    }
}

const struct layout layout_openclaw = {
    .name = "openclaw",
    .lead = "lead",
    .team = OPENCLAW_TEAM,
    .roles = {"indexer", "crawler", "ranker", "tester", "data", "support"},
    .weight = 3,
    .box = &openclaw_box,
    .found = openclaw_found,
    .id = "@",
    .send = send_file,
    .take = take_files,
    .leave = openclaw_leave};

/* Agent Inbox: written as a shell script does; models write objects if there is more to say. */

static const struct box inbox_box = {
    .shape = "{'id':'$id','timestamp':'$shell','from':'$from','to':'$to','type':'$type?',"
             "'subject':'$subject','content':'$content','conversationId':'$thread',"
             "'priority':'$priority?','requiresResponse':'$asks','replyTo':'$reply_to?'}",
    .dir = "/clawd/scheduler/inboxes",
    .inbox = "",
    .archive = "/archive",
    .slug = true,
    .mode = 0666,
    .urgent = "urgent",
    .types = {[ACT_PLAN] = "plan-approval",
              [ACT_PERMIT] = "permission",
              [ACT_HOST] = "permission",
              [ACT_HANDOFF] = "handoff",
              [ACT_ESCALATE] = "escalation",
              [ACT_IDLE] = "status-update"},
    .find_act = find_inbox_act};

static bool inbox_found(const char *dir, const struct member *members, size_t count,
                        int64_t time_us)
{
    (void)time_us;
    return make_boxes(dir, &layout_inbox, members, count);
}

const struct layout layout_inbox = {
    .name = "inbox",
    .lead = "coordinator",
    .team = "release",
    .roles = {"release", "validator", "worker", "planner", "notes", "watcher"},
    .weight = 3,
    .requests = true,
    .conversations = true,
    .box = &inbox_box,
    .found = inbox_found,
    .id = "^-####",
    .send = send_file,
    .take = take_files,
    .done = archive_file};

/* ADR-003: as Python dumps it, always with all nineteen keys. */

#define ADR_SWARM "billing"

static const struct box adr_box = {
    .shape = "{'id':'$id','from_agent':'$from','to_agent':'$to','swarm_name':'" ADR_SWARM "',"
             "'type':'$type','subject':'$subject','body':'$words','payload':{},'priority':0,"
             "'created_at':'$python','expires_at':null,'status':'unread','read_at':null,"
             "'completed_at':null,'reply_to':'$reply_to|','thread_id':'$thread|',"
             "'context':'$context','attachments':'$files[]','tags':[]}",
    .dir = "/project/workspace/mailboxes",
    .inbox = "/inbox",
    .archive = "/archive",
    .addressed = true,
    .python = true,
    .mode = 0666,
    .state = "status",
    .read = "{'status':'read','read_at':'$python'}",
    .begun = "{'status':'processing'}",
    .done = "{'status':'archived','completed_at':'$python'}",
    .types = {[ACT_SAY] = "notification",
              [ACT_ANSWER] = "response",
              [ACT_ASK] = "request",
              [ACT_PLAN] = "request",
              [ACT_PERMIT] = "request",
              [ACT_HOST] = "request",
              [ACT_STOP] = "request",
              [ACT_HANDOFF] = "handoff",
              [ACT_ESCALATE] = "escalation"},
    .find_act = find_adr_act};

static bool adr_found(const char *dir, const struct member *members, size_t count, int64_t time_us)
{
    CLEANUP(demo_free) char *agents = text_format("%s/project/swarms/" ADR_SWARM "/agents", dir);
    bool ok = files_make_dir(agents, 0777) && make_boxes(dir, &layout_adr, members, count);

    (void)time_us;
    for (size_t i = 0; ok && i < count; i++) {
        if (members[i].layout != &layout_adr)
            continue;
        CLEANUP(demo_free) char *path = text_format("%s/%s.md", agents, members[i].name);
        CLEANUP(demo_free)
        char *about = text_format("# %s\n\nThe %s of the swarm " ADR_SWARM ".\n", members[i].name,
                                  members[i].role);
        ok = files_write(path, about, strlen(about), 0666);
    }
    return ok;
}

const struct layout layout_adr = {
    .name = "adr",
    .lead = "user",
    .team = ADR_SWARM,
    .roles = {"importer", "auditor", "ledger", "exporter", "reviewer", "tester"},
    .weight = 4,
    .requests = true,
    .box = &adr_box,
    .found = adr_found,
    .id = "MSG-############",
    .send = send_file,
    .take = take_files,
    .begin = begin_file,
    .done = archive_file};
