/* The Agent Inbox System, reading: from the bytes of a file to a message.
 *
 * No program reads these files, so nothing that is a JSON object is damaged: what is missing or of
 * another type than it should be is made up for. */
#include "store/layouts/inbox.h"

#include "base/json/json_print.h"
#include "mail/handoff/work.h"
#include "store/layouts/fields.h"

const char *const inbox_keys[INBOX_KEY_COUNT] = {
    [INBOX_ID] = "id",
    [INBOX_TIME] = "timestamp",
    [INBOX_FROM] = "from",
    [INBOX_TO] = "to",
    [INBOX_TYPE] = "type",
    [INBOX_SUBJECT] = "subject",
    [INBOX_CONTENT] = "content",
    [INBOX_THREAD] = "conversationId",
    [INBOX_PRIORITY] = "priority",
    [INBOX_RESPONSE] = "requiresResponse",
    [INBOX_REPLY_TO] = "replyTo",
    [INBOX_MESSAGE] = "message",
    [INBOX_BODY] = "body",
};

static const struct span plain = {"message", 7}, plain_reply = {"reply", 5};

bool inbox_is_plain(struct span type)
{
    return span_eq(type, plain) || span_eq(type, plain_reply);
}

struct reading {
    const struct mail_file *file;
    struct json values[INBOX_KEY_COUNT];
    struct batch *batch;
    struct arena scratch;
    struct message *message;
};

static bool is_given(struct json value)
{
    return value.kind != JSON_ABSENT && value.kind != JSON_NULL;
}

/* A text, or a number as it is spelt; everything else, and an empty text, is as good as absent. */
static struct span read_text(struct reading *in, enum inbox_key key)
{
    struct json value = in->values[key];
    struct span text = json_text(&in->scratch, value);

    if (is_given(value) && value.kind != JSON_STRING)
        in->message->flags |= MESSAGE_ODD_TYPE;
    if (value.kind == JSON_NUMBER)
        text = value.raw;
    return text.len ? text : (struct span){0};
}

/* Seconds, milliseconds or microseconds since the epoch: the size tells, and smaller numbers may
 * be anything. */
static int64_t from_epoch(double number)
{
    static const struct {
        double least, most, unit_us;
    } units[] = {{1e8, 1e11, 1e6}, {1e11, 1e13, 1e3}, {1e15, 1e17, 1}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (number >= units[i].least && number < units[i].most)
            return (int64_t)(number * units[i].unit_us + 0.5);
    return WHEN_NONE;
}

static size_t digits_at_start(struct span text, double *number)
{
    size_t i = 0;

    for (*number = 0; i < text.len && text.at[i] >= '0' && text.at[i] <= '9'; i++)
        *number = *number * 10 + (text.at[i] - '0');
    return i;
}

static int64_t parse_time(struct reading *in)
{
    struct json value = in->values[INBOX_TIME];
    enum when_zone zone;
    double number;

    if (fields_number(value, &number)) {
        in->message->flags |= MESSAGE_ODD_TYPE;
        return from_epoch(number);
    }
    struct span text = span_trim(read_text(in, INBOX_TIME));
    if (text.len && digits_at_start(text, &number) == text.len && from_epoch(number) != WHEN_NONE)
        return from_epoch(number);
    return when_parse_in(in->file->place->zone, text, &zone);
}

static void read_time(struct reading *in, int64_t claimed_us)
{
    enum { EPOCH_DIGITS = 10 };
    struct message *message = in->message;
    double number;

    message_set_time(message, claimed_us, in->file->mtime_us);
    if (claimed_us != WHEN_NONE)
        return;
    message->flags |= MESSAGE_NO_TIME;
    message->created_us = in->file->mtime_us;
    if (digits_at_start(in->file->name, &number) == EPOCH_DIGITS)
        message->created_us = from_epoch(number);
    if (message->created_us == WHEN_NONE) /* ten digits that start with zeros */
        message->created_us = in->file->mtime_us;
}

static enum priority read_priority(struct reading *in)
{
    struct span word = span_trim(read_text(in, INBOX_PRIORITY));

    if (span_is_nocase(word, "urgent") || span_is_nocase(word, "critical") ||
        span_is_nocase(word, "p1-critical") || span_starts_nocase(word, "p0"))
        return PRIORITY_URGENT;
    if (span_is_nocase(word, "high"))
        return PRIORITY_HIGH;
    return span_is_nocase(word, "low") ? PRIORITY_LOW : PRIORITY_NORMAL;
}

static struct json find_content(struct reading *in)
{
    static const enum inbox_key keys[] = {INBOX_CONTENT, INBOX_MESSAGE, INBOX_BODY};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (is_given(in->values[keys[i]]))
            return in->values[keys[i]];
    return (struct json){0};
}

static void read_data(struct reading *in, unsigned want, struct json content)
{
    struct arena *arena = &in->batch->arena;
    struct message_data *data = arena_alloc(arena, sizeof *data);
    struct str text = {0};

    in->message->data = data;
    data->read_us = data->completed_us = WHEN_NONE;
    if (content.kind == JSON_OBJECT) {
        data->payload = arena_copy(arena, content.raw);
        data->body_is_payload = true;
        if (span_is(in->message->type, "handoff"))
            data->context = data->payload;
    }
    if (!(want & WANT_BODY))
        return;
    if (content.kind == JSON_STRING) {
        data->body = arena_copy(arena, json_text(&in->scratch, content));
        return;
    }
    if (content.kind != JSON_ABSENT)
        json_put_value(&text, content, &json_style_node, 0);
    data->body = arena_copy(arena, str_span(&text));
    str_free(&text);
}

static void read_names(struct reading *in)
{
    struct message *message = in->message;
    struct arena *arena = &in->batch->arena;
    struct span id = read_text(in, INBOX_ID), to = read_text(in, INBOX_TO);
    struct str unnamed = {0};

    if (!id.len) {
        str_puts(&unnamed, "file:");
        str_add_span(&unnamed, in->file->name);
        id = str_span(&unnamed);
    }
    message->id = arena_copy(arena, id);
    message->from = batch_name(in->batch, read_text(in, INBOX_FROM));
    /* The directory is the address, and what stands inside is often another name for it. */
    message->to = batch_name(in->batch, in->file->place->box.at ? in->file->place->box : to);
    message->thread = arena_copy(arena, read_text(in, INBOX_THREAD));
    message->reply_to = arena_copy(arena, read_text(in, INBOX_REPLY_TO));
    message->type = batch_name(in->batch, read_text(in, INBOX_TYPE));
    if (!message->type.len)
        message->type = message->reply_to.len ? plain_reply : plain;
    str_free(&unnamed);
}

/* What the message tells of work that is handed over. */
static void read_work(struct reading *in, struct json content)
{
    struct arena *arena = &in->batch->arena;

    if (content.kind == JSON_STRING && work_may_tell(json_content(content)))
        work_read_text(in->message, json_text(&in->scratch, content), arena);
    if (content.kind == JSON_OBJECT)
        work_read_payload(in->message, content.raw);
    if (content.kind == JSON_OBJECT && span_is(in->message->type, "handoff"))
        work_read_context(in->message, content.raw, arena);
}

static void read_message(struct reading *in, unsigned want)
{
    struct message *message = in->message;
    struct json content = find_content(in), response = in->values[INBOX_RESPONSE];
    struct span subject = read_text(in, INBOX_SUBJECT);

    int64_t claimed_us = parse_time(in);
    read_names(in);
    read_time(in, claimed_us);
    if (!subject.len)
        subject = span_trim_end(span_first_line(span_trim(json_text(&in->scratch, content))));
    message->subject = arena_copy(&in->batch->arena, subject);
    message_set_content(message, claimed_us, fields_hash(content, 0));
    message->priority = (uint8_t)read_priority(in);
    message->requires_response = response.kind == JSON_TRUE;
    message->wants_none = response.kind == JSON_FALSE;
    if (is_given(response) && response.kind != JSON_TRUE && response.kind != JSON_FALSE)
        message->flags |= MESSAGE_ODD_TYPE;
    if (is_given(content) && content.kind != JSON_STRING && content.kind != JSON_OBJECT)
        message->flags |= MESSAGE_ODD_TYPE;
    message->status = in->file->place->archived ? STATUS_ARCHIVED : STATUS_UNREAD;
    read_work(in, content);
    if (want)
        read_data(in, want, content);
}

bool inbox_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err)
{
    struct reading in = {.file = file, .batch = batch};
    struct fields_found found;

    if (!fields_read(file->bytes, JSON_STRICT, inbox_keys, INBOX_KEY_COUNT, in.values, &found, err))
        return false;
    in.message = batch_add(batch);
    in.message->place = file->place;
    in.message->file = arena_copy(&batch->arena, file->name);
    in.message->flags = (uint16_t)found.flags;
    if (found.kind != JSON_OBJECT)
        in.message->damaged = "it is a JSON array, not an object";
    read_message(&in, want);
    arena_free(&in.scratch);
    return true;
}
