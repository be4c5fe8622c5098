/* The ADR-003 agent mailbox, reading: from the bytes of a file to a message.
 *
 * A message is damaged here when the Python loader would skip its file. */
#include "base/json/json.h"
#include "base/json/python_str.h"
#include "mail/handoff/work.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"
#include "store/layouts/adr_private.h"
#include "store/layouts/fields.h"

#include <stdlib.h>

const struct adr_field adr_fields[KEY_COUNT] = {
    [KEY_ID] = {"id", true},
    [KEY_FROM] = {"from_agent", true},
    [KEY_TO] = {"to_agent", true},
    [KEY_SWARM] = {"swarm_name", false},
    [KEY_TYPE] = {"type", true},
    [KEY_SUBJECT] = {"subject", true},
    [KEY_BODY] = {"body", true},
    [KEY_PAYLOAD] = {"payload", false},
    [KEY_PRIORITY] = {"priority", true},
    [KEY_CREATED] = {"created_at", true},
    [KEY_EXPIRES] = {"expires_at", false},
    [KEY_STATUS] = {"status", false},
    [KEY_READ] = {"read_at", false},
    [KEY_COMPLETED] = {"completed_at", false},
    [KEY_REPLY_TO] = {"reply_to", false},
    [KEY_THREAD] = {"thread_id", false},
    [KEY_CONTEXT] = {"context", false},
    [KEY_ATTACHMENTS] = {"attachments", false},
    [KEY_TAGS] = {"tags", false},
};

/* As spans, so that a message can point to the word itself. */
static const struct span types[] = {
    {"request", 7}, {"response", 8}, {"notification", 12}, {"handoff", 7}, {"escalation", 10}};

enum { TYPE_COUNT = sizeof types / sizeof *types };

static struct span find_type(struct span word)
{
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (span_eq(word, types[i]))
            return types[i];
    return (struct span){0};
}

bool adr_is_type(struct span word)
{
    return find_type(word).at;
}

bool adr_type_wants_response(struct span type)
{
    return span_is(type, "request") || span_is(type, "handoff") || span_is(type, "escalation");
}

/* A file's fields on their way into a message, with the first thing found wrong. */
struct reading {
    struct json values[KEY_COUNT];
    struct batch *batch;
    struct arena scratch;
    struct message *message;
    const struct zone *zone; /* of times that name none */
    const char *damaged;
};

static void damage(struct reading *in, const char *format, enum adr_key key)
{
    struct str text = {0};

    if (in->damaged)
        return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    str_addf(&text, format, adr_fields[key].name);
#pragma GCC diagnostic pop
    in->damaged = arena_strdup(&in->batch->arena, str_c(&text));
    str_free(&text);
}

/* Python takes these for "not given" wherever it asks `if value`. */
static bool is_nothing(struct json value)
{
    struct json_walk walk;
    struct json key, item;
    struct err ignored;

    switch (value.kind) {
    case JSON_STRING:
        return value.raw.len == 2;
    case JSON_NUMBER:
        return strtod(value.raw.at, NULL) == 0; /* which ends at what follows a number */
    case JSON_OBJECT:
    case JSON_ARRAY:
        return json_open(&walk, value.raw, JSON_PYTHON, &ignored) && !json_next(&walk, &key, &item);
    case JSON_TRUE:
        return false;
    default:
        return true;
    }
}

/* The loader asks only whether a required field is there. What is no text is shown as the agents'
 * own program would print it, and flagged. */
static struct span read_text(struct reading *in, enum adr_key key)
{
    struct json value = in->values[key];
    struct str text = {0};

    if (value.kind == JSON_STRING)
        return json_text(&in->scratch, value);
    if (value.kind == JSON_ABSENT && adr_fields[key].required)
        damage(in, "\"%s\" is missing", key);
    if (value.kind == JSON_ABSENT || (!adr_fields[key].required && value.kind == JSON_NULL))
        return (struct span){0};
    in->message->flags |= MESSAGE_ODD_TYPE;
    if (!adr_fields[key].required && is_nothing(value))
        return (struct span){0};
    python_str(&text, value);
    struct span kept = arena_copy(&in->scratch, str_span(&text));
    str_free(&text);
    return kept;
}

static int64_t read_time(struct reading *in, enum adr_key key)
{
    struct json value = in->values[key];
    enum when_zone zone;

    if (!adr_fields[key].required && is_nothing(value))
        return WHEN_NONE;
    if (value.kind != JSON_STRING) {
        damage(in, value.kind == JSON_ABSENT ? "\"%s\" is missing" : "\"%s\" is not a string", key);
        return WHEN_NONE;
    }
    int64_t when_us = when_parse_in(in->zone, json_text(&in->scratch, value), &zone);
    if (when_us == WHEN_NONE || zone == WHEN_NAMED) /* Python reads no names of zones */
        damage(in, "\"%s\" is not a date and time", key);
    else if (zone == WHEN_ZONED)
        in->message->flags |= MESSAGE_ZONED_TIME;
    return when_us;
}

static void read_priority(struct reading *in)
{
    struct json value = in->values[KEY_PRIORITY];

    if (value.kind == JSON_ABSENT) {
        in->message->priority = PRIORITY_NONE;
        damage(in, "\"%s\" is missing", KEY_PRIORITY);
        return;
    }
    if (value.kind == JSON_TRUE) { /* equals 1 in Python */
        in->message->priority = PRIORITY_LOW;
        return;
    }
    if (value.raw.len == 1 && value.raw.at[0] >= '1' && value.raw.at[0] <= '4') {
        in->message->priority = (uint8_t)(value.raw.at[0] - '0');
        return;
    }
    double number = 0;
    if (value.kind == JSON_NUMBER)
        number = strtod(arena_copy(&in->scratch, value.raw).at, NULL);
    for (enum priority p = PRIORITY_LOW; p <= PRIORITY_URGENT; p++) {
        if (number == p) {
            in->message->priority = (uint8_t)p;
            return;
        }
    }
    in->message->priority = PRIORITY_NONE;
    damage(in, "\"%s\" is not a number from 1 to 4", KEY_PRIORITY);
}

static void read_status(struct reading *in)
{
    enum status status = STATUS_UNREAD;

    if (in->values[KEY_STATUS].kind != JSON_ABSENT &&
        !status_parse(json_text(&in->scratch, in->values[KEY_STATUS]), &status)) {
        status = STATUS_NONE;
        damage(in, "\"%s\" is none of the six statuses", KEY_STATUS);
    }
    in->message->status = (uint8_t)status;
}

/* A JSON value that is handed on as it is, if it is of its kind: the loader takes any. */
static struct span read_raw(struct reading *in, enum adr_key key, enum json_kind kind)
{
    struct json value = in->values[key];

    if (value.kind == kind)
        return arena_copy(&in->batch->arena, value.raw);
    if (value.kind != JSON_NULL && value.kind != JSON_ABSENT)
        in->message->flags |= MESSAGE_ODD_TYPE;
    return (struct span){0};
}

/* The time that the agents' program shows: by its author's clock, whatever the zone. */
static struct span sent_by_clock(struct reading *in)
{
    enum { DATE = 10, CLOCK = 5 };
    struct span text = json_text(&in->scratch, in->values[KEY_CREATED]);
    enum when_zone zone;
    struct str clock = {0};

    if (when_parse(text, &zone) == WHEN_NONE || zone == WHEN_NAMED)
        return (struct span){0};
    while (zone == WHEN_ZONED && text.len && !strchr("+-Z", text.at[--text.len]))
        ;
    str_add_span(&clock, text);
    str_puts(&clock, text.len > DATE ? "Z" : "T00:00Z");
    int64_t when_us = when_parse(str_span(&clock), &zone);
    str_clear(&clock);
    when_add_utc_ms(&clock, when_us);
    clock.at[DATE] = ' ';
    struct span sent = arena_copy(&in->batch->arena, (struct span){clock.at, DATE + 1 + CLOCK});
    str_free(&clock);
    return sent;
}

/* Requests and answers of people travel inside the payload: the layout has no field for them. */
static struct span find_protocol(struct span payload)
{
    struct json_walk walk;
    struct json key, value;
    struct span found = {0};
    struct err ignored;

    if (!payload.at || !json_open(&walk, payload, JSON_PYTHON, &ignored) ||
        walk.kind != JSON_OBJECT)
        return found;
    while (json_next(&walk, &key, &value))
        if (json_is(key, "x_protocol"))
            found = value.raw;
    return found;
}

/* What the message tells of work that is handed over. */
static void read_work(struct reading *in)
{
    struct arena *arena = &in->batch->arena;
    struct json body = in->values[KEY_BODY], payload = in->values[KEY_PAYLOAD];
    struct json context = in->values[KEY_CONTEXT];

    if (body.kind == JSON_STRING && work_may_tell(json_content(body)))
        work_read_text(in->message, json_text(&in->scratch, body), arena);
    if (payload.kind == JSON_OBJECT)
        work_read_payload(in->message, payload.raw);
    if (!span_is(in->message->type, "handoff"))
        return;
    if (context.kind == JSON_OBJECT)
        work_read_context(in->message, context.raw, arena);
    work_read_times(in->message, read_time(in, KEY_READ), read_time(in, KEY_COMPLETED), arena);
}

/* What such a request or answer is about, and what it decides. */
static void read_convention(struct reading *in)
{
    static const struct {
        const char *word;
        enum kind kind;
    } words[] = {{"plan_approval", KIND_PLAN},
                 {"permission", KIND_PERMISSION},
                 {"sandbox_permission", KIND_HOST},
                 {"shutdown", KIND_SHUTDOWN}};
    struct json payload = in->values[KEY_PAYLOAD], key, value;
    struct json_walk walk;
    struct err ignored;

    if (payload.kind != JSON_OBJECT || !memmem(payload.raw.at, payload.raw.len, "x_protocol", 10) ||
        !json_open(&walk, payload.raw, JSON_PYTHON, &ignored))
        return;
    while (json_next(&walk, &key, &value)) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (json_is(key, "x_protocol") && json_is(value, words[i].word))
                in->message->kind = (uint8_t)words[i].kind;
        if (json_is(key, "approved") && value.kind == JSON_TRUE)
            in->message->verdict = VERDICT_YES;
        if (json_is(key, "approved") && value.kind == JSON_FALSE)
            in->message->verdict = VERDICT_NO;
    }
}

/* Of whatever kind: the agents' program shows any that is not empty. */
static struct span read_payload(struct reading *in)
{
    struct json value = in->values[KEY_PAYLOAD];
    struct span payload = read_raw(in, KEY_PAYLOAD, JSON_OBJECT);

    return payload.at || is_nothing(value) ? payload : arena_copy(&in->batch->arena, value.raw);
}

static void read_data(struct reading *in, unsigned want)
{
    struct message_data *data = arena_alloc(&in->batch->arena, sizeof *data);

    in->message->data = data;
    data->payload = read_payload(in);
    data->protocol = find_protocol(data->payload);
    data->context = read_raw(in, KEY_CONTEXT, JSON_OBJECT);
    data->attachments = read_raw(in, KEY_ATTACHMENTS, JSON_ARRAY);
    data->tags = read_raw(in, KEY_TAGS, JSON_ARRAY);
    data->sent = sent_by_clock(in);
    data->swarm = batch_name(in->batch, read_text(in, KEY_SWARM));
    data->read_us = read_time(in, KEY_READ);
    data->completed_us = read_time(in, KEY_COMPLETED);
    if (want & WANT_BODY)
        data->body = arena_copy(&in->batch->arena, read_text(in, KEY_BODY));
}

/* The checks of read_data() without keeping anything: a head must know that it is damaged. */
static void check_data(struct reading *in)
{
    static const struct {
        enum adr_key key;
        enum json_kind kind;
    } raws[] = {{KEY_PAYLOAD, JSON_OBJECT},
                {KEY_CONTEXT, JSON_OBJECT},
                {KEY_ATTACHMENTS, JSON_ARRAY},
                {KEY_TAGS, JSON_ARRAY}};

    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
        struct json value = in->values[raws[i].key];
        if (value.kind != raws[i].kind && value.kind != JSON_NULL && value.kind != JSON_ABSENT)
            read_raw(in, raws[i].key, raws[i].kind);
    }
    if (in->values[KEY_SWARM].kind != JSON_STRING)
        read_text(in, KEY_SWARM);
    if (!is_nothing(in->values[KEY_READ]))
        read_time(in, KEY_READ);
    if (!is_nothing(in->values[KEY_COMPLETED]))
        read_time(in, KEY_COMPLETED);
}

/* Of what lists do without they need to know since when a message is worked on. */
static void keep_begun(struct reading *in)
{
    int64_t read_us =
        in->message->status == STATUS_PROCESSING ? read_time(in, KEY_READ) : WHEN_NONE;

    if (read_us == WHEN_NONE)
        return;
    in->message->data = arena_alloc(&in->batch->arena, sizeof *in->message->data);
    in->message->data->read_us = read_us;
    in->message->data->completed_us = WHEN_NONE;
}

/* The id is nearly always the start of the file's name: then one copy serves both. */
static void keep_id(struct reading *in, struct span id)
{
    struct message *message = in->message;

    if (!id.len) {
        message->id = span_without_end(message->file, ".json");
    } else if (span_starts(message->file, id)) {
        message->id = (struct span){message->file.at, id.len};
    } else {
        message->id = arena_copy(&in->batch->arena, id);
    }
}

static bool collect(struct reading *in, struct span bytes, struct err *err)
{
    const char *names[KEY_COUNT];
    struct fields_found found;

    for (size_t i = 0; i < KEY_COUNT; i++)
        names[i] = adr_fields[i].name;
    if (!fields_read(bytes, JSON_PYTHON, names, KEY_COUNT, in->values, &found, err))
        return false;
    in->message->flags |= (uint16_t)found.flags;
    if (found.kind != JSON_OBJECT)
        in->damaged = "it is a JSON array, not an object";
    return true;
}

/* What its author wrote, without what agents note on it. */
static void read_content(struct reading *in, int64_t claimed_us)
{
    static const enum adr_key keys[] = {KEY_BODY, KEY_PAYLOAD, KEY_CONTEXT};
    uint64_t hash = 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        hash = fields_hash(in->values[keys[i]], hash + i);
    message_set_content(in->message, claimed_us, hash);
}

/* Its address leads to another box than the one it lies in. */
static bool is_stray(const struct message *message)
{
    struct str box = {0};
    struct err ignored;
    struct span here = message->place->box;

    if (!here.at || !message->to.at || span_eq(here, message->to))
        return false;
    bool stray = adr_box_name(&box, message->to, 0, &ignored) && !span_eq(here, str_span(&box));
    str_free(&box);
    return stray;
}

bool adr_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err)
{
    struct message *message = batch_add(batch);
    struct reading in = {.batch = batch, .message = message, .zone = file->place->zone};
    bool ok = collect(&in, file->bytes, err);

    if (!ok) {
        batch->count--;
        return false;
    }
    message->place = file->place;
    message->file = arena_copy(&batch->arena, file->name);
    struct span id = read_text(&in, KEY_ID);
    keep_id(&in, in.values[KEY_ID].kind == JSON_STRING ? id : (struct span){0});
    message->from = batch_name(batch, read_text(&in, KEY_FROM));
    message->to = batch_name(batch, read_text(&in, KEY_TO));
    struct span type = read_text(&in, KEY_TYPE);
    message->type = find_type(type);
    if (type.at && !message->type.at) {
        message->type = batch_name(batch, type);
        damage(&in, "\"%s\" is none of the five types", KEY_TYPE);
    }
    message->subject = arena_copy(&batch->arena, read_text(&in, KEY_SUBJECT));
    if (in.values[KEY_BODY].kind != JSON_STRING) /* a text is only read where it is wanted */
        read_text(&in, KEY_BODY);
    read_priority(&in);
    int64_t claimed_us = read_time(&in, KEY_CREATED);
    message_set_time(message, claimed_us, file->mtime_us);
    read_content(&in, claimed_us);
    message->expires_us = read_time(&in, KEY_EXPIRES);
    read_status(&in);
    message->thread = arena_copy(&batch->arena, read_text(&in, KEY_THREAD));
    message->reply_to = arena_copy(&batch->arena, read_text(&in, KEY_REPLY_TO));
    read_convention(&in);
    read_work(&in);
    if (is_stray(message))
        message->flags |= MESSAGE_STRAY;
    message->requires_response = adr_type_wants_response(message->type);
    message->wants_none = !message->requires_response;
    if (want) {
        read_data(&in, want);
    } else {
        check_data(&in);
        keep_begun(&in);
    }
    if (!span_starts(file->name, span_of("MSG-")) && !in.damaged)
        in.damaged = "its name does not start with MSG-: the agent's loader never opens it";
    message->damaged = in.damaged;
    arena_free(&in.scratch);
    return true;
}
