/* The OpenClaw teams mailbox: plans, reading, new messages, marking as read, and the table. */
#include "store/layouts/openclaw.h"

#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/uuid.h"
#include "mail/handoff/handoff.h"
#include "mail/message/kind.h"
#include "store/layouts/json5.h"
#include "store/layouts/json_fields.h"

#include <ctype.h>

/* Plans: one file per teammate, which only the gateway writes.
 *
 * A plan is read as a request of the teammate to the lead. The gateway keeps its approval in
 * memory, so we never write a plan. */

enum plan_key { TEAMMATE, STATUS, PLAN, SUBMITTED, FEEDBACK, KEY_COUNT };

static const char *const plan_keys[KEY_COUNT] = {
    [TEAMMATE] = "teammateId",   [STATUS] = "status",     [PLAN] = "plan",
    [SUBMITTED] = "submittedAt", [FEEDBACK] = "feedback",
};

static const struct span type = {"plan", 4};

static const char *openclaw_decided_by(const struct message *message)
{
    return span_eq(message->type, type)
               ? "the OpenClaw gateway decides it: its lead uses the tool plan_review, and nothing "
                 "that is written here would reach it"
               : NULL;
}

/* Appends an array of texts, or of objects with a description. */
static void add_items(struct str *out, const char *title, struct json array, bool numbered)
{
    struct json_walk walk;
    struct json none, item;
    CLEANUP(arena_free) struct arena arena = {0};
    unsigned number = 0;

    if (array.kind != JSON_ARRAY || !json_open(&walk, array.raw, JSON_STRICT, NULL))
        return;
    while (json_next(&walk, &none, &item)) {
        struct json text = item.kind == JSON_OBJECT ? fields_member(item, "description") : item;
        if (!number++)
            str_addf(out, "\n\n%s:", title);
        if (numbered)
            str_addf(out, "\n%u. ", number);
        else
            str_puts(out, "\n- ");
        str_add_span(out, json_text(&arena, text));
    }
}

static void add_body(struct str *out, const struct json *values, struct arena *scratch)
{
    struct json plan = values[PLAN];
    struct span feedback = json_text(scratch, values[FEEDBACK]);

    str_add_span(out, json_text(scratch, fields_member(plan, "summary")));
    add_items(out, "Steps", fields_member(plan, "steps"), true);
    add_items(out, "Risks", fields_member(plan, "risks"), false);
    add_items(out, "Alternatives", fields_member(plan, "alternatives"), false);
    str_puts(out, "\n\nStatus: ");
    str_add_span(out, json_text(scratch, values[STATUS]));
    str_puts(out, "\nDecided by: the OpenClaw gateway");
    if (feedback.len) {
        str_puts(out, "\nFeedback: ");
        str_add_span(out, feedback);
    }
}

static void name_plan(struct message *message, struct span teammate, struct arena *arena)
{
    CLEANUP(str_free) struct str id = {0};

    str_puts(&id, "plan:");
    str_add_span(&id, teammate);
    message->id = arena_copy(arena, str_span(&id));
}

static void set_times(struct message *message, struct json submitted, struct span body,
                      int64_t written_us)
{
    double ms;
    bool told = fields_number(submitted, &ms) && ms > 0 && ms < 8.64e15;
    int64_t claimed_us = told ? (int64_t)(ms * 1000) : TIME_NONE;

    message_set_time(message, claimed_us, written_us);
    message_set_content(message, claimed_us, map_hash_wide(body, 0));
    if (told)
        return;
    message->created_us = written_us;
    message->flags |= MESSAGE_NO_TIME;
}

/* Adds the plan in the file. Returns false without an error if the file is not a plan. */
static bool openclaw_parse_plan(const struct mail_file *file, unsigned want, struct batch *batch)
{
    struct json values[KEY_COUNT] = {0};
    struct fields_found found;
    CLEANUP(arena_free) struct arena scratch = {0};
    CLEANUP(str_free) struct str body = {0};

    if (!fields_read(file->bytes, JSON_STRICT, plan_keys, KEY_COUNT, values, &found, NULL) ||
        found.kind != JSON_OBJECT || values[TEAMMATE].kind != JSON_STRING ||
        values[PLAN].kind != JSON_OBJECT)
        return false;
    struct message *message = batch_add(batch);
    struct arena *arena = &batch->arena;
    struct span teammate = json_text(&scratch, values[TEAMMATE]);
    add_body(&body, values, &scratch);
    message->place = file->place;
    message->file = arena_copy(arena, file->name);
    message->flags = (uint16_t)found.flags;
    name_plan(message, teammate, arena);
    message->from = batch_name(batch, teammate);
    message->to = span_of("lead");
    message->type = type;
    message->kind = KIND_PLAN;
    message->subject =
        arena_copy(arena, span_trim_end(span_first_line(span_trim(str_span(&body)))));
    message->status = json_is(values[STATUS], "pending") ? STATUS_UNREAD : STATUS_COMPLETED;
    message->read_unsaid = message->status == STATUS_UNREAD;
    set_times(message, values[SUBMITTED], str_span(&body), file->mtime_us);
    if (want) {
        message->data = arena_alloc(arena, sizeof *message->data);
        message->data->read_us = message->data->completed_us = TIME_NONE;
    }
    if (want & WANT_BODY)
        message->data->body = arena_copy(arena, str_span(&body));
    return true;
}

/* Reading: messages, the registry of the team, and the gateway's settings.
 *
 * Three generations of the gateway differ in the field `read`: the first writes and requires it,
 * the second omits it. A message is damaged if any of them would skip or misplace it. */

/* The range of dates in JavaScript; it fits in microseconds. */
#define DATE_MS_MAX 8.64e15
#define HOUR_US 3600e6
#define LASTS_HOURS_MAX (100 * 366 * 24.0) /* a century, which cannot overflow */

const char *const openclaw_keys[OPENCLAW_KEY_COUNT] = {
    [OPENCLAW_ID] = "messageId", [OPENCLAW_TEAM] = "teamId",       [OPENCLAW_FROM] = "from",
    [OPENCLAW_TO] = "to",        [OPENCLAW_MESSAGE] = "message",   [OPENCLAW_PRIORITY] = "priority",
    [OPENCLAW_READ] = "read",    [OPENCLAW_CREATED] = "createdAt",
};

/* The fields of a file being read, and the first problem found. */
struct reading {
    struct json values[OPENCLAW_KEY_COUNT];
    struct batch *batch;
    struct arena scratch;
    struct message *message;
    struct span text;
    const char *damaged;
};

static void set_damage(struct reading *in, enum openclaw_key key, const char *problem)
{
    CLEANUP(str_free) struct str text = {0};

    if (in->damaged)
        return;
    str_addf(&text, "\"%s\" %s", openclaw_keys[key], problem);
    in->damaged = arena_strdup(&in->batch->arena, str_c(&text));
}

static struct span read_text(struct reading *in, enum openclaw_key key)
{
    struct json value = in->values[key];

    if (value.kind != JSON_STRING)
        set_damage(in, key, value.kind == JSON_ABSENT ? "is missing" : "is not a string");
    return json_text(&in->scratch, value);
}

/* Returns true if the gateway may remove the message some day. It keeps unread mail, and mail
 * without this field. */
static bool is_read(const struct reading *in)
{
    return in->values[OPENCLAW_READ].kind == JSON_TRUE;
}

static void read_times(struct reading *in, const struct mail_file *file)
{
    struct json value = in->values[OPENCLAW_CREATED];
    struct message *message = in->message;
    double ms;

    if (!fields_number(value, &ms)) {
        set_damage(in, OPENCLAW_CREATED,
                   value.kind == JSON_ABSENT ? "is missing" : "is not a number");
    } else if (ms < -DATE_MS_MAX || ms > DATE_MS_MAX) {
        set_damage(in, OPENCLAW_CREATED, "is further from now than any date");
    } else {
        int64_t claimed_us = (int64_t)(ms * 1000);
        message_set_time(message, claimed_us, file->mtime_us);
        message_set_content(message, claimed_us, map_hash_wide(in->text, 0));
        if (memchr(value.raw.at, '.', value.raw.len) || memchr(value.raw.at, 'e', value.raw.len) ||
            memchr(value.raw.at, 'E', value.raw.len))
            message->flags |= MESSAGE_ODD_TYPE; /* the gateway writes whole numbers */
        if (is_read(in) && file->lasts_us > 0 && claimed_us <= INT64_MAX - file->lasts_us)
            message->expires_us = claimed_us + file->lasts_us;
    }
}

/* Reads the status as the gateway does, which compares with false. */
static void read_status(struct reading *in)
{
    enum json_kind read = in->values[OPENCLAW_READ].kind;
    bool unread = read == JSON_FALSE || read == JSON_ABSENT;

    in->message->read_unsaid = read == JSON_ABSENT;
    in->message->status = unread ? STATUS_UNREAD : STATUS_READ;
    if (!unread && read != JSON_TRUE)
        in->message->flags |= MESSAGE_ODD_TYPE;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Returns the id in "Re 550e8400: ...", the start of answers. */
static struct span find_answered(struct span text)
{
    enum { START = 3, DIGITS = 8 };

    if (text.len < START + DIGITS + 2 || memcmp(text.at, "Re ", START) != 0 ||
        memcmp(text.at + START + DIGITS, ": ", 2) != 0)
        return (struct span){0};
    for (size_t i = START; i < START + DIGITS; i++)
        if (!is_hex(text.at[i]))
            return (struct span){0};
    return (struct span){text.at + START, DIGITS};
}

static struct span without_answered(struct span text)
{
    struct span id = find_answered(text);

    return id.at ? (struct span){id.at + id.len + 1,
                                 text.len - (size_t)(id.at - text.at) - id.len - 1}
                 : text;
}

/* Returns the id. It is nearly always the start of the file name; then both share one copy. */
static struct span keep_id(struct reading *in, struct span id)
{
    struct span file = in->message->file;

    if (!id.len)
        return span_without_end(file, ".json");
    return span_starts(file, id) ? (struct span){file.at, id.len}
                                 : arena_copy(&in->batch->arena, id);
}

static void read_message(struct reading *in, unsigned want)
{
    static const struct span direct = {"message", 7}, broadcast = {"broadcast", 9};
    struct message *message = in->message;
    struct arena *arena = &in->batch->arena;
    struct json team = in->values[OPENCLAW_TEAM], priority = in->values[OPENCLAW_PRIORITY];

    message->id = keep_id(in, read_text(in, OPENCLAW_ID));
    message->from = batch_name(in->batch, read_text(in, OPENCLAW_FROM));
    message->to = batch_name(in->batch, read_text(in, OPENCLAW_TO));
    message->type = span_is(message->to, "all") ? broadcast : direct;
    struct span text = in->text = read_text(in, OPENCLAW_MESSAGE);
    message->subject = arena_copy(arena, span_trim_end(span_first_line(span_trim(text))));
    message->reply_to = arena_copy(arena, find_answered(text));
    handoff_words_read_text(message, span_trim(without_answered(text)), arena);
    if (json_is(priority, "urgent"))
        message->priority = PRIORITY_URGENT;
    if ((priority.kind != JSON_ABSENT && priority.kind != JSON_STRING) ||
        (team.kind != JSON_ABSENT && team.kind != JSON_STRING))
        message->flags |= MESSAGE_ODD_TYPE;
    if (!want)
        return;
    message->data = arena_alloc(arena, sizeof *message->data);
    message->data->read_us = message->data->completed_us = TIME_NONE;
    if (want & WANT_BODY)
        message->data->body = arena_copy(arena, text);
}

/* See struct format. */
static bool openclaw_parse(const struct mail_file *file, unsigned want, struct batch *batch,
                           struct err *err)
{
    struct reading in = {.batch = batch};
    struct fields_found found;

    if (!fields_read(file->bytes, JSON_STRICT, openclaw_keys, OPENCLAW_KEY_COUNT, in.values, &found,
                     err))
        return false;
    if (in.values[OPENCLAW_ID].kind == JSON_ABSENT && openclaw_parse_plan(file, want, batch))
        return true;
    struct message *message = in.message = batch_add(batch);
    message->place = file->place;
    message->file = arena_copy(&batch->arena, file->name);
    message->flags = (uint16_t)found.flags;
    if (found.kind != JSON_OBJECT)
        in.damaged = "it is a JSON array, not an object";
    else if (in.values[OPENCLAW_ID].kind == JSON_ABSENT && span_ends(file->place->dir, "/plans"))
        in.damaged = "it is no plan: \"teammateId\" has to be a text, and \"plan\" an object";
    read_message(&in, want);
    read_status(&in);
    read_times(&in, file);
    message->damaged = in.damaged;
    arena_free(&in.scratch);
    return true;
}

static struct span member_text(struct json object, const char *name, struct arena *arena)
{
    return arena_copy(arena, json_text(arena, fields_member(object, name)));
}

static void set_member(struct member *member, struct json teammate, struct arena *arena)
{
    struct span status = member_text(teammate, "status", arena);

    member->role = member_text(teammate, "role", arena);
    member->status = status;
    member->idle = span_is(status, "idle");
    member->gone =
        span_is(status, "completed") || span_is(status, "failed") || span_is(status, "interrupted");
}

static struct member *add_member(struct members *members, struct span name)
{
    struct member *member = mem_push(members->items, members->count, members->cap);

    *member = (struct member){.name = name};
    return member;
}

static void add_teammates(struct json teammates, struct members *members, struct arena *arena)
{
    struct json_walk walk;
    struct json key, value;
    CLEANUP(map_free) struct map known = {0};
    bool fresh;

    add_member(members, span_of("lead"))->lead = true;
    *map_put(&known, span_of("lead"), &fresh) = (uint32_t)members->count - 1;
    json_open(&walk, teammates.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value)) {
        struct span name = arena_copy(arena, json_text(arena, key));
        if (!name.len)
            continue; /* cannot be addressed */
        uint32_t *index = map_put(&known, name, &fresh);
        if (fresh) {
            *index = (uint32_t)members->count;
            add_member(members, name);
        }
        set_member(&members->items[*index], value, arena);
    }
}

static bool openclaw_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                                  struct err *err)
{
    enum { ID, NAME, SESSION, TEAMMATES, COUNT };
    static const char *const keys[COUNT] = {"teamId", "teamName", "leadSessionKey", "teammates"};
    struct json values[COUNT] = {0};
    struct fields_found found;

    if (!fields_read(bytes, JSON_STRICT, keys, COUNT, values, &found, err))
        return false;
    if (found.kind != JSON_OBJECT)
        return err_set(err, ERR_BOX, "it is a JSON array, not a team's object");
    for (int i = ID; i < TEAMMATES; i++)
        if (values[i].kind != JSON_STRING || values[i].raw.len == 2)
            return err_set(err, ERR_BOX, "\"%s\" is not a text; the gateway rejects such a team",
                           keys[i]);
    if (values[TEAMMATES].kind != JSON_OBJECT)
        return err_set(err, ERR_BOX, "\"%s\" is not an object; the gateway rejects such a team",
                       keys[TEAMMATES]);
    members->team = arena_copy(arena, json_text(arena, values[NAME]));
    add_teammates(values[TEAMMATES], members, arena);
    return true;
}

static bool read_settings(struct span json, struct settings *settings, struct arena *arena,
                          struct err *err)
{
    struct json value;
    double hours;

    if (!json_scan(json, JSON_STRICT, &value, err))
        return false;
    value = fields_member(fields_member(fields_member(value, "gateway"), "teams"), "storage");
    struct json base = fields_member(value, "basePath");
    struct json lasts = fields_member(value, "mailboxTTLHours");
    bool lasts_ok = fields_number(lasts, &hours) && hours > 0 && hours <= LASTS_HOURS_MAX;
    if (lasts.kind != JSON_ABSENT && !lasts_ok)
        return err_set(err, ERR_SOURCE,
                       "gateway.teams.storage.mailboxTTLHours is not a number of hours above 0");
    if (base.kind != JSON_ABSENT && base.kind != JSON_STRING)
        return err_set(err, ERR_SOURCE, "gateway.teams.storage.basePath is not a text");
    if (lasts_ok)
        settings->lasts_us = (int64_t)(hours * HOUR_US + 0.5);
    if (base.kind == JSON_STRING && base.raw.len > 2)
        settings->base_path = arena_copy(arena, json_text(arena, base));
    return true;
}

static bool openclaw_parse_settings(struct span bytes, struct settings *settings,
                                    struct arena *arena, struct err *err)
{
    CLEANUP(str_free) struct str json = {0};

    return json5_to_json(&json, bytes, err) && read_settings(str_span(&json), settings, arena, err);
}

enum { NAME_BYTES_MAX = 255, ANSWERED_CHARS = 8 };

#define DAY_US (INT64_C(24) * 3600 * 1000000)

static bool openclaw_box_name(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    if (variant)
        return false;
    if (!agent.len)
        return err_set(err, ERR_REFUSED, "the name of a teammate is empty");
    if (agent.len > NAME_BYTES_MAX)
        return err_set(err, ERR_REFUSED, "the name of a teammate is longer than %d bytes",
                       NAME_BYTES_MAX);
    if (memchr(agent.at, '/', agent.len) || memchr(agent.at, '\0', agent.len))
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of a teammate",
                       (int)agent.len, agent.at);
    str_add_span(out, agent);
    return true;
}

static void openclaw_new_id(struct str *out, const struct draft *draft)
{
    (void)draft;
    uuid_add(out);
}

/* Returns true for an id that the gateway accepts: it finds a message by its file name alone, and
 * cleans up only files with such names. */
static bool can_be_id(struct span id)
{
    for (size_t i = 0; i < id.len; i++)
        if (isupper((unsigned char)id.at[i]))
            return false;
    return uuid_is(id);
}

/* Returns true for names that the gateway cleans up; upper case is allowed. */
static bool is_gateway_name(struct span name)
{
    return span_ends(name, ".json") && uuid_is(span_without_end(name, ".json"));
}

static bool check_draft(const struct draft *draft, struct err *err)
{
    CLEANUP(str_free) struct str box = {0};
    struct span team = draft->team;

    if (!openclaw_box_name(&box, draft->from, 0, err) ||
        !openclaw_box_name(&box, draft->to, 0, err))
        return false;
    if (!team.len)
        return err_set(err, ERR_REFUSED,
                       "a message of OpenClaw belongs to a team, and none is named");
    if (team.len > NAME_BYTES_MAX || team.at[0] == '.' || memchr(team.at, '/', team.len) ||
        memchr(team.at, '\0', team.len))
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of a team",
                       (int)(team.len < NAME_BYTES_MAX ? team.len : NAME_BYTES_MAX), team.at);
    if (!can_be_id(draft->id))
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" cannot be the id of a message of OpenClaw: a UUID in small "
                       "letters can",
                       (int)(draft->id.len < NAME_BYTES_MAX ? draft->id.len : NAME_BYTES_MAX),
                       draft->id.at);
    return true;
}

/* Appends subject and body as one text, because the layout has no subject. */
static void add_message(struct str *out, const struct draft *draft)
{
    struct span subject = draft->subject, body = draft->body;

    if (draft->handoff) {
        if (subject.len)
            str_addf(out, "%s%.*s\n\n", handoff_title, (int)subject.len, subject.at);
        handoff_body(out, draft->handoff, draft_giver(draft), draft->to, true);
        return;
    }
    if (draft->reply_to.len) {
        str_puts(out, "Re ");
        str_add_span(out, utf8_start(draft->reply_to, ANSWERED_CHARS));
        str_puts(out, ": ");
    }
    bool repeats = span_eq(span_trim_end(span_first_line(body)), span_trim_end(subject));
    if (subject.len && !repeats) {
        str_add_span(out, subject);
        str_puts(out, body.len ? "\n\n" : "");
    }
    str_add_span(out, body);
}

static bool openclaw_compose(const struct draft *draft, struct str *name, struct str *bytes,
                             struct err *err)
{
    CLEANUP(str_free) struct str message = {0}, created = {0};
    const char *const *keys = openclaw_keys;

    if (!check_draft(draft, err))
        return false;
    cJSON *tree = cJSON_CreateObject();
    add_message(&message, draft);
    str_addf(&created, "%lld", (long long)(draft->created_us / 1000));
    json_add_text(tree, keys[OPENCLAW_ID], draft->id);
    json_add_text(tree, keys[OPENCLAW_TEAM], draft->team);
    json_add_text(tree, keys[OPENCLAW_FROM], draft->from);
    json_add_text(tree, keys[OPENCLAW_TO], draft->to);
    json_add_text(tree, keys[OPENCLAW_MESSAGE], str_span(&message));
    json_add_text(tree, keys[OPENCLAW_PRIORITY],
                  span_of(draft->priority == PRIORITY_URGENT ? "urgent" : "normal"));
    cJSON_AddFalseToObject(tree, keys[OPENCLAW_READ]);
    json_add_raw(tree, keys[OPENCLAW_CREATED], str_span(&created));
    json_put_tree(bytes, tree, &json_style_node);
    str_putc(bytes, '\n');
    str_add_span(name, draft->id);
    str_puts(name, ".json");
    cJSON_Delete(tree);
    return true;
}

static void openclaw_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    (void)arena;
    draft->to = original->from;
    draft->team = original->place->team;
    draft->reply_to = original->id;
    if (original->priority == PRIORITY_URGENT)
        draft->priority = PRIORITY_URGENT;
}

static void openclaw_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    (void)arena;
    draft->to = span_of("all");
    if (!draft->team.at)
        draft->team = swarm;
}

static bool openclaw_edit(struct span bytes, const struct change *change, struct str *out,
                          struct err *err)
{
    const struct json_set set = {openclaw_keys[OPENCLAW_READ], {"true", 4}};
    CLEANUP(batch_free) struct batch batch = {0};
    struct place nowhere = {0};
    struct mail_file file = {.place = &nowhere, .name = span_of(""), .bytes = bytes};
    bool ok = openclaw_parse(&file, WANT_HEAD, &batch, err);

    const char *owner = ok ? openclaw_decided_by(&batch.items[0]) : NULL;
    if (owner)
        ok = err_set(err, ERR_REFUSED, "%s", owner);
    else if (ok && batch.items[0].damaged)
        ok = err_set(err, ERR_REFUSED, "it is damaged and is left alone: %s",
                     batch.items[0].damaged);
    else if (ok && change->status != STATUS_READ)
        ok = err_set(err, ERR_REFUSED, "a message of OpenClaw can only become read, not %s",
                     status_name(change->status));
    else if (ok && span_is(batch.items[0].to, "all"))
        ok = err_set(err, ERR_REFUSED,
                     "it is for all of the team, who share one mark: marked as read, it would be "
                     "hidden from everybody else");
    ok = ok && json_set_members(out, bytes, JSON_STRICT, &set, 1, err);
    return ok;
}

static const char *const state_keys[] = {"read", NULL};

static const struct place_rule rules[] = {
    {"{team}/mailbox/*.json", false},
    {"{team}/plans/*.json", false},
};

static const char *const markers[] = {"*/mailbox", NULL};

static const char *const homes[] = {"$OPENCLAW_STATE_DIR/teams",
                                    "$CLAWDBOT_STATE_DIR/teams",
                                    "~/.openclaw/teams",
                                    "~/.clawdbot/teams",
                                    "~/.moltbot/teams",
                                    "~/.moldbot/teams",
                                    NULL};

const struct format openclaw_format = {
    .name = "openclaw",
    .title = "OpenClaw teams",
    .identity = "lead",
    .storage = STORAGE_FILES,
    .archiving = ARCHIVE_LOCAL,
    .cleaning = CLEANING_READ,
    .home = "teams",
    .homes = homes,
    .markers = markers,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .roster_pattern = "{team}/config.json",
    .roster_home = ".",
    .parse_roster = openclaw_parse_roster,
    .settings_file = "../openclaw.json",
    .parse_settings = openclaw_parse_settings,
    .lasts_us = DAY_US,
    .cleans = is_gateway_name,
    .file_mode = 0600,
    .dir_mode = 0700,
    .verbs =
        {
            [VERB_SEND] = {ABILITY_NATIVE, "a new file in the team's mailbox; nobody is told"},
            [VERB_REPLY] = {ABILITY_CONVENTION, "a message to the sender, \"Re ID: ...\""},
            [VERB_HANDOFF] = {ABILITY_CONVENTION, "the whole handoff as the message's text"},
            [VERB_BROADCAST] = {ABILITY_NATIVE, "one file, addressed to all"},
            [VERB_READ] = {ABILITY_NATIVE, "read: true, only in one's own; never for all"},
            [VERB_PROCESSING] = {ABILITY_NONE, "kept here only"},
            [VERB_COMPLETED] = {ABILITY_NONE, "kept here only"},
            [VERB_FAILED] = {ABILITY_NONE, "kept here only"},
            [VERB_ARCHIVE] = {ABILITY_NONE, "hidden here, with a copy of our own"},
            [VERB_EXPIRE] = {ABILITY_CONVENTION, "createdAt and the gateway's time to live"},
            [VERB_CLEANUP] = {ABILITY_NATIVE, "removes what is read and older than its time"},
            [VERB_PLAN] = {ABILITY_CONVENTION, "a message; the gateway alone can approve"},
            [VERB_PERMISSION] = {ABILITY_NONE, "the gateway has no such file"},
            [VERB_SHUTDOWN] = {ABILITY_CONVENTION, "a message in words"},
            [VERB_MODE] = {ABILITY_NONE, "the gateway has no such file"},
            [VERB_ASSIGN] = {ABILITY_NONE, "tasks belong to the gateway"},
            [VERB_RULES] = {ABILITY_NONE, "the gateway has no such file"},
            [VERB_ESCALATE] = {ABILITY_NONE, "no message is one"},
        },
    .fields = FIELD_REPLY_TO | FIELD_ID,
    .priorities = {0, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_NORMAL, PRIORITY_URGENT},
    .short_replies = true,
    .one_for_all = true,
    .caveat = "the gateway tells nobody about it: it waits until the recipient's program looks",
    .box_name = openclaw_box_name,
    .new_id = openclaw_new_id,
    .parse = openclaw_parse,
    .compose = openclaw_compose,
    .reply = openclaw_reply,
    .broadcast = openclaw_broadcast,
    .state_keys = state_keys,
    .edit = openclaw_edit,
    .decided_by = openclaw_decided_by,
};
