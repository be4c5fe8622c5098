/* The ADR-003 agent mailbox: reading, new messages, changes of state, and the table. */
#include "store/layouts/adr.h"

#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/uuid.h"
#include "mail/handoff/handoff.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"
#include "store/layouts/json_fields.h"

#include <stdlib.h>

static bool adr_box_name(struct str *out, struct span agent, unsigned variant, struct err *err);

/* Reading: from the bytes of a file to a message.
 *
 * A message is damaged if the Python loader would skip its file. */

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

/* Spans, so that a message can point to the word. */
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

static bool adr_is_type(struct span word)
{
    return find_type(word).at;
}

/* Returns true for types whose sender waits for a response. */
static bool adr_type_wants_response(struct span type)
{
    return span_is(type, "request") || span_is(type, "handoff") || span_is(type, "escalation");
}

/* The fields of a file being read, and the first problem found. */
struct reading {
    struct json values[KEY_COUNT];
    struct batch *batch;
    struct arena scratch;
    struct message *message;
    const struct zone *zone; /* for times without a zone */
    const char *damaged;
};

static void set_damage(struct reading *in, const char *format, enum adr_key key)
{
    CLEANUP(str_free) struct str text = {0};

    if (in->damaged)
        return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    str_addf(&text, format, adr_fields[key].name);
#pragma GCC diagnostic pop
    in->damaged = arena_strdup(&in->batch->arena, str_c(&text));
}

/* Returns true for values that are false in a Python condition. */
static bool is_nothing(struct json value)
{
    struct json_walk walk;
    struct json key, item;

    switch (value.kind) {
    case JSON_STRING:
        return value.raw.len == 2;
    case JSON_NUMBER:
        return strtod(value.raw.at, NULL) == 0; /* ends before the character after the number */
    case JSON_OBJECT:
    case JSON_ARRAY:
        return json_open(&walk, value.raw, JSON_PYTHON, NULL) && !json_next(&walk, &key, &item);
    case JSON_TRUE:
        return false;
    default:
        return true;
    }
}

/* Reads a field as text. The loader only requires that a required field exists; a value that is not
 * a string is shown as the agents' own program would print it, and flagged. */
static struct span read_text(struct reading *in, enum adr_key key)
{
    struct json value = in->values[key];
    CLEANUP(str_free) struct str text = {0};

    if (value.kind == JSON_STRING)
        return json_text(&in->scratch, value);
    if (value.kind == JSON_ABSENT && adr_fields[key].required)
        set_damage(in, "\"%s\" is missing", key);
    if (value.kind == JSON_ABSENT || (!adr_fields[key].required && value.kind == JSON_NULL))
        return (struct span){0};
    in->message->flags |= MESSAGE_ODD_TYPE;
    if (!adr_fields[key].required && is_nothing(value))
        return (struct span){0};
    python_str(&text, value);
    return arena_copy(&in->scratch, str_span(&text));
}

static int64_t read_time(struct reading *in, enum adr_key key)
{
    struct json value = in->values[key];
    enum time_zone zone;

    if (!adr_fields[key].required && is_nothing(value))
        return TIME_NONE;
    if (value.kind != JSON_STRING) {
        set_damage(in, value.kind == JSON_ABSENT ? "\"%s\" is missing" : "\"%s\" is not a string",
                   key);
        return TIME_NONE;
    }
    int64_t time_us = time_parse_in(in->zone, json_text(&in->scratch, value), &zone);
    if (time_us == TIME_NONE || zone == TIME_NAMED) /* Python reads no zone names */
        set_damage(in, "\"%s\" is not a date and time", key);
    else if (zone == TIME_ZONED)
        in->message->flags |= MESSAGE_ZONED_TIME;
    return time_us;
}

static void read_priority(struct reading *in)
{
    struct json value = in->values[KEY_PRIORITY];

    if (value.kind == JSON_ABSENT) {
        in->message->priority = PRIORITY_NONE;
        set_damage(in, "\"%s\" is missing", KEY_PRIORITY);
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
    set_damage(in, "\"%s\" is not a number from 1 to 4", KEY_PRIORITY);
}

static void read_status(struct reading *in)
{
    enum status status = STATUS_UNREAD;

    if (in->values[KEY_STATUS].kind != JSON_ABSENT &&
        !status_parse(json_text(&in->scratch, in->values[KEY_STATUS]), &status)) {
        status = STATUS_NONE;
        set_damage(in, "\"%s\" is none of the six statuses", KEY_STATUS);
    }
    in->message->status = (uint8_t)status;
}

/* Copies a JSON value if it has the expected kind. The loader accepts any; others are flagged. */
static struct span read_raw(struct reading *in, enum adr_key key, enum json_kind kind)
{
    struct json value = in->values[key];

    if (value.kind == kind)
        return arena_copy(&in->batch->arena, value.raw);
    if (value.kind != JSON_NULL && value.kind != JSON_ABSENT)
        in->message->flags |= MESSAGE_ODD_TYPE;
    return (struct span){0};
}

/* Returns the time that the agents' program shows: that of the author's clock, whatever the
 * zone. */
static struct span sent_by_clock(struct reading *in)
{
    enum { DATE = 10, CLOCK = 5 };
    struct span text = json_text(&in->scratch, in->values[KEY_CREATED]);
    enum time_zone zone;
    CLEANUP(str_free) struct str clock = {0};

    if (time_parse(text, &zone) == TIME_NONE || zone == TIME_NAMED)
        return (struct span){0};
    while (zone == TIME_ZONED && text.len && !strchr("+-Z", text.at[--text.len]))
        ;
    str_add_span(&clock, text);
    str_puts(&clock, text.len > DATE ? "Z" : "T00:00Z");
    int64_t time_us = time_parse(str_span(&clock), &zone);
    str_clear(&clock);
    time_add_utc_ms(&clock, time_us);
    clock.at[DATE] = ' ';
    return arena_copy(&in->batch->arena, (struct span){clock.at, DATE + 1 + CLOCK});
}

/* Returns the x_protocol member of the payload, which carries requests and answers because the
 * layout has no field for them. */
static struct span find_protocol(struct span payload)
{
    struct json_walk walk;
    struct json key, value;
    struct span found = {0};

    if (!payload.at || !json_open(&walk, payload, JSON_PYTHON, NULL) || walk.kind != JSON_OBJECT)
        return found;
    while (json_next(&walk, &key, &value))
        if (json_is(key, "x_protocol"))
            found = value.raw;
    return found;
}

/* Reads what the message says about a handoff and its progress. */
static void read_work(struct reading *in)
{
    struct arena *arena = &in->batch->arena;
    struct json body = in->values[KEY_BODY], payload = in->values[KEY_PAYLOAD];
    struct json context = in->values[KEY_CONTEXT];

    if (body.kind == JSON_STRING && handoff_words_may_report(json_content(body)))
        handoff_words_read_text(in->message, json_text(&in->scratch, body), arena);
    if (payload.kind == JSON_OBJECT)
        handoff_words_read_payload(in->message, payload.raw);
    if (!span_is(in->message->type, "handoff"))
        return;
    if (context.kind == JSON_OBJECT)
        handoff_words_read_context(in->message, context.raw, arena);
    handoff_words_read_times(in->message, read_time(in, KEY_READ), read_time(in, KEY_COMPLETED),
                             arena);
}

/* Reads the kind of an x_protocol message, and its decision. */
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

    if (payload.kind != JSON_OBJECT || !memmem(payload.raw.at, payload.raw.len, "x_protocol", 10) ||
        !json_open(&walk, payload.raw, JSON_PYTHON, NULL))
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

/* Returns the payload. The agents' program shows one of any kind if it is not empty. */
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

/* Does the checks of read_data() without keeping the values, because a head needs to know whether
 * the message is damaged. */
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

/* Keeps the start of the work on a message, which lists need, in a head. */
static void keep_begun(struct reading *in)
{
    int64_t read_us =
        in->message->status == STATUS_PROCESSING ? read_time(in, KEY_READ) : TIME_NONE;

    if (read_us == TIME_NONE)
        return;
    in->message->data = arena_alloc(&in->batch->arena, sizeof *in->message->data);
    in->message->data->read_us = read_us;
    in->message->data->completed_us = TIME_NONE;
}

/* Keeps the id. It is nearly always the start of the file name; then both share one copy. */
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

static bool collect_fields(struct reading *in, struct span bytes, struct err *err)
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

/* Hashes what the author wrote, without the notes of agents. */
static void read_content(struct reading *in, int64_t claimed_us)
{
    static const enum adr_key keys[] = {KEY_BODY, KEY_PAYLOAD, KEY_CONTEXT};
    uint64_t hash = 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        hash = fields_hash(in->values[keys[i]], hash + i);
    message_set_content(in->message, claimed_us, hash);
}

/* Returns true if the message is addressed to another box than the one that it is in. */
static bool is_stray(const struct message *message)
{
    CLEANUP(str_free) struct str box = {0};
    struct span here = message->place->box;

    if (!here.at || !message->to.at || span_eq(here, message->to))
        return false;
    return adr_box_name(&box, message->to, 0, NULL) && !span_eq(here, str_span(&box));
}

static bool adr_parse(const struct mail_file *file, unsigned want, struct batch *batch,
                      struct err *err)
{
    struct message *message = batch_add(batch);
    struct reading in = {.batch = batch, .message = message, .zone = file->place->zone};
    bool ok = collect_fields(&in, file->bytes, err);

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
        set_damage(&in, "\"%s\" is none of the five types", KEY_TYPE);
    }
    message->subject = arena_copy(&batch->arena, read_text(&in, KEY_SUBJECT));
    if (in.values[KEY_BODY].kind != JSON_STRING) /* the body is only decoded if it is wanted */
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

enum { NAME_BYTES_MAX = 255 };

/* See struct format. */
static bool adr_box_name(struct str *out, struct span agent, unsigned variant, struct err *err)
{
    if (variant)
        return false;
    if (!agent.len)
        return err_set(err, ERR_REFUSED, "the name of an agent is empty");
    if (agent.len > NAME_BYTES_MAX)
        return err_set(err, ERR_REFUSED, "the name of an agent is longer than %d bytes",
                       NAME_BYTES_MAX);
    if (span_is(agent, ".") || span_is(agent, "..") || memchr(agent.at, '\0', agent.len))
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of an agent", (int)agent.len,
                       agent.at);
    for (size_t i = 0; i < agent.len; i++)
        str_putc(out, agent.at[i] == '/' || agent.at[i] == '\\' ? '_' : agent.at[i]);
    return true;
}

static void adr_new_id(struct str *out, const struct draft *draft)
{
    (void)draft;
    str_puts(out, "MSG-");
    uuid_add_hex(out, 6);
}

static void add_time(cJSON *tree, enum adr_key key, const struct draft *draft, int64_t time_us)
{
    CLEANUP(str_free) struct str text = {0};

    if (time_us != TIME_NONE)
        time_add_local_in(draft->zone, &text, time_us);
    json_add_text(tree, adr_fields[key].name,
                  time_us != TIME_NONE ? str_span(&text) : (struct span){0});
}

static void add_object(cJSON *tree, enum adr_key key, struct span raw)
{
    json_add_raw(tree, adr_fields[key].name, raw.at ? raw : span_of("{}"));
}

static bool check_draft(const struct draft *draft, struct span type, struct err *err)
{
    CLEANUP(str_free) struct str box = {0};

    if (!adr_box_name(&box, draft->from, 0, err) || !adr_box_name(&box, draft->to, 0, err))
        return false;
    if (!adr_is_type(type))
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is no message type of ADR-003: request, response, notification, "
                       "handoff and escalation are",
                       (int)type.len, type.at) ||
               err_about(err, "type");
    if (draft->requires_response && !adr_type_wants_response(type))
        return err_set(err, ERR_REFUSED,
                       "ADR-003 asks for a response by the type of the message: use the type "
                       "request, handoff or escalation");
    return true;
}

/* Returns the type. The default is request, as in the Python program, unless the sender expects no
 * answer. */
static struct span type_of(const struct draft *draft)
{
    if (draft->type.at)
        return draft->type;
    if (draft->handoff)
        return span_of("handoff");
    return span_of(draft->expects_no_response ? "notification" : "request");
}

static bool adr_compose(const struct draft *draft, struct str *name, struct str *bytes,
                        struct err *err)
{
    struct span type = type_of(draft);
    CLEANUP(str_free) struct str body = {0};

    if (!check_draft(draft, type, err))
        return false;
    cJSON *tree = cJSON_CreateObject();
    if (draft->handoff)
        handoff_body(&body, draft->handoff, draft_giver(draft), draft->to, false);
    else
        str_add_span(&body, draft->body);

    json_add_text(tree, adr_fields[KEY_ID].name, draft->id);
    json_add_text(tree, adr_fields[KEY_FROM].name, draft->from);
    json_add_text(tree, adr_fields[KEY_TO].name, draft->to);
    json_add_text(tree, adr_fields[KEY_SWARM].name, draft->swarm);
    json_add_text(tree, adr_fields[KEY_TYPE].name, type);
    json_add_text(tree, adr_fields[KEY_SUBJECT].name,
                  draft->subject.at ? draft->subject : span_of(""));
    json_add_text(tree, adr_fields[KEY_BODY].name, str_span(&body));
    add_object(tree, KEY_PAYLOAD, draft->payload);
    cJSON_AddNumberToObject(tree, adr_fields[KEY_PRIORITY].name, draft->priority);
    add_time(tree, KEY_CREATED, draft, draft->created_us);
    add_time(tree, KEY_EXPIRES, draft, draft->expires_us);
    json_add_text(tree, adr_fields[KEY_STATUS].name, span_of("unread"));
    add_time(tree, KEY_READ, draft, TIME_NONE);
    add_time(tree, KEY_COMPLETED, draft, TIME_NONE);
    json_add_text(tree, adr_fields[KEY_REPLY_TO].name, draft->reply_to);
    json_add_text(tree, adr_fields[KEY_THREAD].name, draft->thread);
    if (draft->handoff) {
        cJSON_AddItemToObject(tree, adr_fields[KEY_CONTEXT].name, handoff_context(draft->handoff));
        cJSON_AddItemToObject(tree, adr_fields[KEY_ATTACHMENTS].name,
                              handoff_attachments(draft->handoff));
    } else {
        add_object(tree, KEY_CONTEXT, draft->context);
        cJSON_AddItemToObject(tree, adr_fields[KEY_ATTACHMENTS].name,
                              span_list_json(&draft->attachments));
    }
    cJSON *tags = span_list_json(&draft->tags);
    if (draft->handoff)
        cJSON_InsertItemInArray(tags, 0, cJSON_CreateString("handoff"));
    cJSON_AddItemToObject(tree, adr_fields[KEY_TAGS].name, tags);

    json_put_tree(bytes, tree, &json_style_python);
    str_add_span(name, draft->id);
    str_puts(name, ".json");
    cJSON_Delete(tree);
    return true;
}

static void adr_reply(const struct message *original, struct draft *draft, struct arena *arena)
{
    CLEANUP(str_free) struct str subject = {0};

    str_puts(&subject, "Re: ");
    str_add_span(&subject, original->subject);
    draft->to = original->from;
    draft->subject = arena_copy(arena, str_span(&subject));
    draft->type = span_of(draft->requires_response ? "request" : "response");
    draft->priority = original->priority;
    draft->swarm = original->data->swarm;
    draft->reply_to = original->id;
    draft->thread = original->thread.len ? original->thread : original->id;
}

static void adr_broadcast(struct draft *draft, struct span swarm, struct arena *arena)
{
    CLEANUP(str_free) struct str tag = {0};

    str_puts(&tag, "swarm:");
    str_add_span(&tag, swarm);
    if (!draft->type.at)
        draft->type = span_of("notification");
    draft->swarm = swarm;
    span_list_add(&draft->tags, span_of("broadcast"));
    span_list_add(&draft->tags, arena_copy(arena, str_span(&tag)));
}

static bool adr_edit(struct span bytes, const struct change *change, struct str *out,
                     struct err *err)
{
    CLEANUP(batch_free) struct batch batch = {0};
    struct place nowhere = {0};
    struct mail_file file = {.place = &nowhere, .name = span_of("MSG-"), .bytes = bytes};
    struct json_set sets[3];
    CLEANUP(str_free) struct str now = {0}, status = {0};
    size_t count = 0;

    if (!adr_parse(&file, WANT_DATA, &batch, err))
        return false;
    const struct message *message = &batch.items[0];
    if (message->damaged)
        return err_set(err, ERR_REFUSED, "it is damaged and is left alone: %s", message->damaged);
    str_putc(&now, '"');
    time_add_local_in(change->zone, &now, change->now_us);
    str_putc(&now, '"');
    str_addf(&status, "\"%s\"", status_name(change->status));
    sets[count++] = (struct json_set){adr_fields[KEY_STATUS].name, str_span(&status)};
    if (change->status == STATUS_READ && message->data->read_us == TIME_NONE)
        sets[count++] = (struct json_set){adr_fields[KEY_READ].name, str_span(&now)};
    /* Archiving alone says nothing about the work, so completed_at stays unchanged. */
    if ((change->status == STATUS_COMPLETED || change->completes) &&
        message->data->completed_us == TIME_NONE)
        sets[count++] = (struct json_set){adr_fields[KEY_COMPLETED].name, str_span(&now)};
    return json_set_members(out, bytes, JSON_PYTHON, sets, count, err);
}

/* Writes the state of a restored message. read_at stays; "processing" and completed_at do not. */
static bool adr_reopen(struct span bytes, struct str *out, struct err *err)
{
    CLEANUP(batch_free) struct batch batch = {0};
    struct place nowhere = {0};
    struct mail_file file = {.place = &nowhere, .name = span_of("MSG-"), .bytes = bytes};
    if (!adr_parse(&file, WANT_DATA, &batch, err))
        return false;
    const struct message *message = &batch.items[0];
    if (message->damaged)
        return err_set(err, ERR_REFUSED, "it is damaged and is left alone: %s", message->damaged);
    bool was_read = message->data->read_us != TIME_NONE;
    const struct json_set sets[] = {
        {adr_fields[KEY_STATUS].name, span_of(was_read ? "\"read\"" : "\"unread\"")},
        {adr_fields[KEY_COMPLETED].name, {"null", 4}}};
    return json_set_members(out, bytes, JSON_PYTHON, sets, sizeof sets / sizeof *sets, err);
}

static const char *const state_keys[] = {"status", "read_at", "completed_at", NULL};

static const struct place_rule rules[] = {
    {"{box}/inbox/*.json", false},
    {"{box}/archive/*.json", true},
};

static const char *const markers[] = {"*/inbox", NULL};

static const char *const outsiders[] = {"user", "coo", "system", NULL};

const struct format adr_format = {
    .name = "adr",
    .title = "ADR-003",
    .identity = "user",
    .storage = STORAGE_FILES,
    .archiving = ARCHIVE_COPY,
    .cleaning = CLEANING_DONE,
    .home = "workspace/mailboxes",
    .upward = true,
    .markers = markers,
    .rules = rules,
    .rule_count = sizeof rules / sizeof *rules,
    .roster_pattern = "{team}/agents/{box}.md",
    .roster_aside = '_',
    .roster_home = "../../swarms",
    .outsiders = outsiders,
    .file_mode = 0666,
    .dir_mode = 0777,
    .verbs =
        {
            [VERB_SEND] = {ABILITY_NATIVE, "a new file in the recipient's inbox"},
            [VERB_REPLY] = {ABILITY_NATIVE, "type response with reply_to and thread_id"},
            [VERB_HANDOFF] = {ABILITY_NATIVE, "type handoff with the eleven context fields"},
            [VERB_BROADCAST] = {ABILITY_NATIVE, "one message for each agent of the swarm"},
            [VERB_READ] = {ABILITY_NATIVE, "status read, read_at"},
            [VERB_PROCESSING] = {ABILITY_NATIVE, "status processing"},
            [VERB_COMPLETED] = {ABILITY_NATIVE, "completed_at; archived unless kept"},
            [VERB_FAILED] = {ABILITY_CONVENTION, "status failed, stays in the inbox"},
            [VERB_ARCHIVE] = {ABILITY_NATIVE, "status archived, moved to archive/"},
            [VERB_EXPIRE] = {ABILITY_NATIVE, "hidden after expires_at"},
            [VERB_CLEANUP] = {ABILITY_CONVENTION, "archives what is completed or expired"},
            [VERB_PLAN] = {ABILITY_CONVENTION, "type response, payload.x_protocol plan_approval"},
            [VERB_PERMISSION] = {ABILITY_CONVENTION, "type response, payload.x_protocol"},
            [VERB_SHUTDOWN] = {ABILITY_CONVENTION, "type request, payload.x_protocol shutdown"},
            [VERB_MODE] = {ABILITY_NONE, "agents have no modes"},
            [VERB_ASSIGN] = {ABILITY_NONE, "no tasks are known"},
            [VERB_RULES] = {ABILITY_NONE, "agents have no rules"},
            [VERB_ESCALATE] = {ABILITY_NATIVE,
                               "type escalation to coo or user, payload.escalation_id"},
        },
    .fields = FIELD_TYPE | FIELD_TAGS | FIELD_ATTACHMENTS | FIELD_PAYLOAD | FIELD_CONTEXT |
              FIELD_EXPIRES | FIELD_THREAD | FIELD_REPLY_TO | FIELD_SWARM | FIELD_RESPONSE |
              FIELD_SUBJECT | FIELD_ID | FIELD_HANDOFF,
    .priorities = {0, PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_URGENT},
    .exact_to = true,
    .stand_in = '_',
    .box_name = adr_box_name,
    .new_id = adr_new_id,
    .parse = adr_parse,
    .compose = adr_compose,
    .reply = adr_reply,
    .broadcast = adr_broadcast,
    .edit = adr_edit,
    .state_keys = state_keys,
    .reopen = adr_reopen,
};
