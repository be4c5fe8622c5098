/* The OpenClaw teams mailbox, reading: messages, the team's registry, and the gateway's settings.
 *
 * Three generations of the gateway differ in the field `read`: the first writes and asks for it,
 * the second leaves it out. A message is damaged when either would skip or misplace it. */
#include "store/layouts/openclaw.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/handoff/work.h"
#include "store/layouts/fields.h"
#include "store/layouts/json5.h"

/* The range of dates in JavaScript; microseconds of it fit. */
#define DATE_MS_MAX 8.64e15
#define HOUR_US 3600e6
#define LASTS_HOURS_MAX (100 * 366 * 24.0) /* a century: enough, and far from overflow */

const char *const openclaw_keys[OPENCLAW_KEY_COUNT] = {
    [OPENCLAW_ID] = "messageId", [OPENCLAW_TEAM] = "teamId",       [OPENCLAW_FROM] = "from",
    [OPENCLAW_TO] = "to",        [OPENCLAW_MESSAGE] = "message",   [OPENCLAW_PRIORITY] = "priority",
    [OPENCLAW_READ] = "read",    [OPENCLAW_CREATED] = "createdAt",
};

/* A file's fields on their way into a message, with the first thing found wrong. */
struct reading {
    struct json values[OPENCLAW_KEY_COUNT];
    struct batch *batch;
    struct arena scratch;
    struct message *message;
    struct span text;
    const char *damaged;
};

static void damage(struct reading *in, enum openclaw_key key, const char *problem)
{
    struct str text = {0};

    if (in->damaged)
        return;
    str_addf(&text, "\"%s\" %s", openclaw_keys[key], problem);
    in->damaged = arena_strdup(&in->batch->arena, str_c(&text));
    str_free(&text);
}

static struct span read_text(struct reading *in, enum openclaw_key key)
{
    struct json value = in->values[key];

    if (value.kind != JSON_STRING)
        damage(in, key, value.kind == JSON_ABSENT ? "is missing" : "is not a string");
    return json_text(&in->scratch, value);
}

/* Whether the gateway may remove it some day. Unread mail stays, and so does what says neither. */
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
        damage(in, OPENCLAW_CREATED, value.kind == JSON_ABSENT ? "is missing" : "is not a number");
    } else if (ms < -DATE_MS_MAX || ms > DATE_MS_MAX) {
        damage(in, OPENCLAW_CREATED, "is further from now than any date");
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

/* The gateway asks whether it is exactly false. */
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

/* The id in "Re 550e8400: ...", which answers start with. */
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

/* The id is nearly always the start of the file's name: then one copy serves both. */
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
    work_read_text(message, span_trim(without_answered(text)), arena);
    if (json_is(priority, "urgent"))
        message->priority = PRIORITY_URGENT;
    if ((priority.kind != JSON_ABSENT && priority.kind != JSON_STRING) ||
        (team.kind != JSON_ABSENT && team.kind != JSON_STRING))
        message->flags |= MESSAGE_ODD_TYPE;
    if (!want)
        return;
    message->data = arena_alloc(arena, sizeof *message->data);
    message->data->read_us = message->data->completed_us = WHEN_NONE;
    if (want & WANT_BODY)
        message->data->body = arena_copy(arena, text);
}

bool openclaw_parse(const struct mail_file *file, unsigned want, struct batch *batch,
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
    members->items =
        mem_grow(members->items, &members->cap, members->count + 1, sizeof *members->items);
    members->items[members->count] = (struct member){.name = name};
    return &members->items[members->count++];
}

static void add_teammates(struct json teammates, struct members *members, struct arena *arena)
{
    struct json_walk walk;
    struct json key, value;
    struct err ignored;
    struct map known = {0};
    bool fresh;

    add_member(members, span_of("lead"))->lead = true;
    *map_put(&known, span_of("lead"), &fresh) = (uint32_t)members->count - 1;
    json_open(&walk, teammates.raw, JSON_STRICT, &ignored);
    while (json_next(&walk, &key, &value)) {
        struct span name = arena_copy(arena, json_text(arena, key));
        if (!name.len)
            continue; /* nobody can be addressed by it */
        uint32_t *index = map_put(&known, name, &fresh);
        if (fresh) {
            *index = (uint32_t)members->count;
            add_member(members, name);
        }
        set_member(&members->items[*index], value, arena);
    }
    map_free(&known);
}

bool openclaw_parse_roster(struct span bytes, struct members *members, struct arena *arena,
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

bool openclaw_parse_settings(struct span bytes, struct settings *settings, struct arena *arena,
                             struct err *err)
{
    struct str json = {0};
    bool ok =
        json5_to_json(&json, bytes, err) && read_settings(str_span(&json), settings, arena, err);

    str_free(&json);
    return ok;
}
