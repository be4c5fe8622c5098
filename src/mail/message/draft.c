/* The fields of a form as one JSON object. */
#include "mail/message/draft.h"

#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/text/utf8.h"

#include <errno.h>
#include <stdlib.h>

/* A draft: creating and freeing it, and the JSON objects that it may carry. */

struct draft draft_new(void)
{
    return (struct draft){
        .priority = PRIORITY_NORMAL, .created_us = TIME_NONE, .expires_us = TIME_NONE};
}

void draft_free(struct draft *draft)
{
    span_list_free(&draft->tags);
    span_list_free(&draft->attachments);
}

struct span draft_giver(const struct draft *draft)
{
    return draft->giver.len ? draft->giver : draft->from;
}

bool draft_read_object(const char *name, struct span *object, struct err *err)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct json value;

    if (!object->at)
        return true;
    if (!json_scan(*object, JSON_PYTHON, &value, err)) {
        if (err)
            err->scope = ERR_USAGE;
        return err_at(err, name);
    }
    *object = value.raw;
    if (value.kind != JSON_OBJECT)
        return err_set(err, ERR_USAGE, "%s takes a JSON object", name);
    struct span twice = json_duplicate_key(value, &arena);
    return !twice.at || err_set(err, ERR_USAGE, "%s: the key \"%.*s\" stands twice in one object",
                                name, (int)twice.len, twice.at);
}

/* The fields of a form: creating and freeing them, and the message that they are about. */

static const char *const form_names[FORM_COUNT] = {
    [FORM_COMPOSE] = "compose",   [FORM_REPLY] = "reply",         [FORM_FORWARD] = "forward",
    [FORM_HANDOFF] = "handoff",   [FORM_BROADCAST] = "broadcast", [FORM_NUDGE] = "nudge",
    [FORM_SHUTDOWN] = "shutdown", [FORM_MODE] = "mode",           [FORM_ASSIGN] = "assign",
    [FORM_RULES] = "rules",       [FORM_ESCALATE] = "escalate",
};

const char *form_name(enum form form)
{
    return form_names[form];
}

bool form_parse(struct span word, enum form *form)
{
    for (int i = 0; i < FORM_COUNT; i++) {
        if (!span_is(word, form_names[i]))
            continue;
        *form = (enum form)i;
        return true;
    }
    return false;
}

struct draft_fields draft_fields_new(enum form form)
{
    return (struct draft_fields){
        .form = form, .priority = PRIORITY_NORMAL, .sending_us = TIME_NONE};
}

void draft_fields_set_about(struct draft_fields *fields, const char *format,
                            const struct message *message)
{
    const struct place *place = message->place;

    fields->about.format = span_of(format);
    fields->about.root = span_of(place->root);
    fields->about.team = place->team;
    fields->about.box = place->box;
    fields->about.id = message->id;
}

enum field_kind { KIND_TEXT, KIND_LIST, KIND_FLAG, KIND_NUMBER, KIND_FORM, KIND_PRIORITY };

#define AT(member) offsetof(struct draft_fields, member)

static const struct field {
    const char *key;
    enum field_kind kind;
    size_t at;
} table[] = {
    {"form", KIND_FORM, AT(form)},
    {"format", KIND_TEXT, AT(format)},
    {"root", KIND_TEXT, AT(root)},
    {"from", KIND_TEXT, AT(from)},
    {"to", KIND_TEXT, AT(to)},
    {"team", KIND_TEXT, AT(team)},
    {"exclude", KIND_LIST, AT(exclude)},
    {"everybody", KIND_FLAG, AT(everybody)},
    {"subject", KIND_TEXT, AT(subject)},
    {"body", KIND_TEXT, AT(body)},
    {"type", KIND_TEXT, AT(type)},
    {"priority", KIND_PRIORITY, AT(priority)},
    {"tags", KIND_LIST, AT(tags)},
    {"attachments", KIND_LIST, AT(attachments)},
    {"expires", KIND_TEXT, AT(expires)},
    {"payload", KIND_TEXT, AT(payload)},
    {"requires_response", KIND_FLAG, AT(requires_response)},
    {"thread", KIND_TEXT, AT(thread)},
    {"reply_to", KIND_TEXT, AT(reply_to)},
    {"about_format", KIND_TEXT, AT(about.format)},
    {"about_root", KIND_TEXT, AT(about.root)},
    {"about_team", KIND_TEXT, AT(about.team)},
    {"about_box", KIND_TEXT, AT(about.box)},
    {"about_id", KIND_TEXT, AT(about.id)},
    {"work_completed", KIND_TEXT, AT(handoff.work_completed)},
    {"files_modified", KIND_LIST, AT(handoff.files_modified)},
    {"files_created", KIND_LIST, AT(handoff.files_created)},
    {"current_state", KIND_TEXT, AT(handoff.current_state)},
    {"state_file", KIND_TEXT, AT(handoff.state_file)},
    {"next_steps", KIND_LIST, AT(handoff.next_steps)},
    {"blockers", KIND_LIST, AT(handoff.blockers)},
    {"dependencies", KIND_LIST, AT(handoff.dependencies)},
    {"related_escalations", KIND_LIST, AT(handoff.related_escalations)},
    {"job_id", KIND_TEXT, AT(handoff.job_id)},
    {"notes", KIND_TEXT, AT(handoff.notes)},
    {"reason", KIND_TEXT, AT(order.reason)},
    {"mode", KIND_TEXT, AT(order.mode)},
    {"task", KIND_TEXT, AT(order.task)},
    {"tool", KIND_TEXT, AT(order.tool)},
    {"behavior", KIND_TEXT, AT(order.behavior)},
    {"directory", KIND_TEXT, AT(order.directory)},
    {"rules", KIND_LIST, AT(order.rules)},
    {"level", KIND_TEXT, AT(order.level)},
    {"escalation", KIND_TEXT, AT(order.id)},
    {"confirm", KIND_TEXT, AT(order.confirm)},
    {"quote", KIND_FLAG, AT(quote)},
    {"quote_count", KIND_NUMBER, AT(quote_count)},
    {"create", KIND_FLAG, AT(create)},
    {"archive", KIND_FLAG, AT(archive)},
    {"sending_us", KIND_NUMBER, AT(sending_us)},
};

enum { FIELDS = sizeof table / sizeof *table };

void draft_fields_free(struct draft_fields *fields)
{
    for (int i = 0; i < FIELDS; i++)
        if (table[i].kind == KIND_LIST)
            span_list_free((void *)((char *)fields + table[i].at));
    span_list_free(&fields->unknown);
    *fields = draft_fields_new(FORM_COMPOSE);
}

/* Bytes that a JSON string cannot hold (file names may contain them) are written as
 * {"hex":"..."}. */
static void put_text(struct str *out, struct span text)
{
    if (utf8_valid(text)) {
        json_put_text(out, text.at ? text : span_of(""), &json_style_node_line);
        return;
    }
    str_puts(out, "{\"hex\":\"");
    for (size_t i = 0; i < text.len; i++)
        str_addf(out, "%02x", (unsigned)(unsigned char)text.at[i]);
    str_puts(out, "\"}");
}

static void put_list(struct str *out, const struct span_list *list)
{
    str_putc(out, '[');
    for (size_t i = 0; i < list->count; i++) {
        str_puts(out, i ? "," : "");
        put_text(out, list->items[i]);
    }
    str_putc(out, ']');
}

/* True if the field has a value; empty fields are not written. */
static bool has_field(const struct field *field, const void *at)
{
    if (field->kind == KIND_TEXT)
        return ((const struct span *)at)->at != NULL;
    if (field->kind == KIND_LIST)
        return ((const struct span_list *)at)->count > 0;
    if (field->kind == KIND_FLAG)
        return *(const bool *)at;
    return field->kind != KIND_NUMBER || *(const int64_t *)at != TIME_NONE;
}

static void put_field(struct str *out, const struct field *field, const void *at)
{
    switch (field->kind) {
    case KIND_TEXT:
        put_text(out, *(const struct span *)at);
        break;
    case KIND_LIST:
        put_list(out, at);
        break;
    case KIND_FLAG:
        str_puts(out, *(const bool *)at ? "true" : "false");
        break;
    case KIND_NUMBER:
        str_addf(out, "%lld", (long long)*(const int64_t *)at);
        break;
    case KIND_FORM:
        put_text(out, span_of(form_name(*(const enum form *)at)));
        break;
    case KIND_PRIORITY:
        put_text(out, span_of(priority_name(*(const enum priority *)at)));
        break;
    }
}

void draft_fields_write(struct str *out, const struct draft_fields *fields)
{
    const char *between = "{";

    for (int i = 0; i < FIELDS; i++) {
        const void *at = (const char *)fields + table[i].at;
        if (!has_field(&table[i], at))
            continue;
        str_addf(out, "%s\"%s\":", between, table[i].key);
        put_field(out, &table[i], at);
        between = ",";
    }
    for (size_t i = 0; i < fields->unknown.count; i++) {
        str_puts(out, between);
        str_add_span(out, fields->unknown.items[i]);
    }
    str_putc(out, '}');
}

void draft_fields_start(struct draft_fields *fields, const struct draft_fields *given,
                        struct span (*make)(void *context, struct span text), void *context)
{
    for (int i = 0; i < FIELDS; i++) {
        void *to = (char *)fields + table[i].at;
        const void *from = (const char *)given + table[i].at;
        const struct span_list *texts = from;
        struct span *text = to, made;
        if (table[i].kind == KIND_TEXT && !text->len && ((const struct span *)from)->len)
            *text = make(context, *(const struct span *)from);
        if (table[i].kind != KIND_LIST || ((struct span_list *)to)->count)
            continue;
        for (size_t k = 0; k < texts->count; k++)
            if (texts->items[k].len && (made = make(context, texts->items[k])).len)
                span_list_add(to, made);
    }
}

bool draft_fields_same(const struct draft_fields *a, const struct draft_fields *b, size_t at)
{
    CLEANUP(str_free) struct str x = {0}, y = {0};

    for (int i = 0; i < FIELDS; i++) {
        if (table[i].at != at)
            continue;
        put_field(&x, &table[i], (const char *)a + at);
        put_field(&y, &table[i], (const char *)b + at);
    }
    return span_eq(str_span(&x), str_span(&y));
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

static bool read_hex(struct span *text, struct span digits, struct arena *arena)
{
    if (digits.len % 2)
        return false;
    char *bytes = arena_bytes(arena, digits.len / 2);
    for (size_t i = 0; i < digits.len; i += 2) {
        int high = hex_digit(digits.at[i]), low = hex_digit(digits.at[i + 1]);
        if (high < 0 || low < 0)
            return false;
        bytes[i / 2] = (char)(high << 4 | low);
    }
    *text = (struct span){bytes, digits.len / 2};
    return true;
}

static bool read_text(struct span *text, struct json value, struct arena *arena)
{
    struct json_walk walk;
    struct json key, member;

    if (value.kind == JSON_STRING) {
        *text = arena_copy(arena, json_text(arena, value)); /* may outlive the object */
        return true;
    }
    return value.kind == JSON_OBJECT && json_open(&walk, value.raw, JSON_STRICT, NULL) &&
           json_next(&walk, &key, &member) && json_is(key, "hex") && member.kind == JSON_STRING &&
           read_hex(text, json_content(member), arena);
}

static void read_list(struct span_list *list, struct json value, struct arena *arena)
{
    struct json_walk walk;
    struct json key, member;
    struct span text;

    list->count = 0; /* if a key occurs twice, the last value counts */
    if (value.kind != JSON_ARRAY || !json_open(&walk, value.raw, JSON_STRICT, NULL))
        return;
    while (json_next(&walk, &key, &member))
        if (read_text(&text, member, arena))
            span_list_add(list, text);
}

static void read_number(int64_t *number, struct json value)
{
    char digits[24] = "", *end = digits;

    if (value.kind != JSON_NUMBER || value.raw.len >= sizeof digits)
        return;
    memcpy(digits, value.raw.at, value.raw.len);
    errno = 0;
    long long read = strtoll(digits, &end, 10);
    if (errno == 0 && end != digits && *end == '\0')
        *number = read;
}

static void read_field(const struct field *field, void *at, struct json value, struct arena *arena)
{
    struct span word;

    switch (field->kind) {
    case KIND_TEXT:
        read_text(at, value, arena);
        break;
    case KIND_LIST:
        read_list(at, value, arena);
        break;
    case KIND_FLAG:
        *(bool *)at = value.kind == JSON_TRUE;
        break;
    case KIND_NUMBER:
        read_number(at, value);
        break;
    case KIND_FORM:
        if (read_text(&word, value, arena))
            form_parse(word, at);
        break;
    case KIND_PRIORITY:
        if (read_text(&word, value, arena))
            priority_parse(word, at);
        break;
    }
}

static void read_member(struct draft_fields *fields, struct json key, struct json value,
                        struct arena *arena)
{
    for (int i = 0; i < FIELDS; i++) {
        if (!json_is(key, table[i].key))
            continue;
        read_field(&table[i], (char *)fields + table[i].at, value, arena);
        return;
    }
    struct span whole = {key.raw.at, (size_t)(value.raw.at + value.raw.len - key.raw.at)};
    span_list_add(&fields->unknown, arena_copy(arena, whole));
}

bool draft_fields_read(struct draft_fields *fields, struct span json, struct arena *arena,
                       struct err *err)
{
    struct json_walk walk;
    struct json key, value;

    draft_fields_free(fields);
    if (!json_open(&walk, json, JSON_STRICT, err))
        return false;
    if (walk.kind != JSON_OBJECT)
        return err_set(err, ERR_MESSAGE, "it is no JSON object");
    while (json_next(&walk, &key, &value))
        read_member(fields, key, value, arena);
    return json_close(&walk, err);
}

/* Writes the fields as JSON and reads that again, which copies everything. */
void draft_fields_copy(struct draft_fields *copy, const struct draft_fields *fields,
                       struct arena *arena)
{
    CLEANUP(str_free) struct str json = {0};

    *copy = draft_fields_new(fields->form);
    draft_fields_write(&json, fields);
    draft_fields_read(copy, str_span(&json), arena, NULL);
}
