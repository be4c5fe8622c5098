/* The Claude layout, reading: from an inbox to messages.
 *
 * An entry is damaged if it is not an object, or lacks sender or text. An entry that newer programs
 * would remove because a field has the wrong type is flagged. */
#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "mail/handoff/handoff.h"
#include "mail/message/entry_cache.h"
#include "mail/protocol/protocol.h"
#include "store/layouts/claude_private.h"
#include "store/layouts/json_fields.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>

/* The Claude layout, writing: adding an entry to an inbox, or marking entries as read.
 *
 * All other bytes of the file stay unchanged, in whatever style they were written. */

/* Iterating over an inbox, valid or damaged. */

/* Limit for searching broken text brace by brace, because the text may be hostile. */
enum { SALVAGE_BYTES = 256 << 20 };

static const char *const key_names[CLAUDE_KEY_COUNT] = {
    [CLAUDE_FROM] = "from",
    [CLAUDE_TEXT] = "text",
    [CLAUDE_SUMMARY] = "summary",
    [CLAUDE_TIMESTAMP] = "timestamp",
    [CLAUDE_COLOR] = "color",
    [CLAUDE_READ] = "read",
    [CLAUDE_CONTENT] = "content",
    [CLAUDE_VERSION] = "msgV",
    [CLAUDE_MSG_ID] = "msg_id",
    [CLAUDE_MESSAGE_ID] = "messageId",
    [CLAUDE_MESSAGE_ID_SNAKE] = "message_id",
};

/* Returns false, with the reason, if the text is not a JSON array. */
static bool claude_open(struct claude_walk *walk, struct span box, struct err *err)
{
    *walk = (struct claude_walk){0};
    if (!json_open(&walk->json, box, JSON_STRICT, err))
        return false;
    return walk->json.kind == JSON_ARRAY ||
           err_set(err, ERR_MESSAGE, "it is a JSON object, not an array");
}

static void claude_walk_free(struct claude_walk *walk)
{
    map_free(&walk->ids);
    arena_free(&walk->arena);
}

/* Returns true if the end of the array was reached, whatever follows it. */
static bool claude_ended(const struct claude_walk *walk)
{
    return walk->json.finished;
}

/* Returns the id itself, or with a number if entries before this one have the same id. The number
 * is stable, because entries are only added at the end. */
static struct span claude_unique(struct claude_walk *walk, struct span id)
{
    CLEANUP(str_free) struct str numbered = {0};
    bool fresh;
    struct span kept = arena_copy(&walk->arena, id);
    uint32_t *seen = map_put(&walk->ids, kept, &fresh);

    if (fresh) {
        *seen = 1;
        return kept;
    }
    do {
        str_set(&numbered, id);
        str_addf(&numbered, "-%u", ++*seen);
        kept = str_span(&numbered);
    } while (map_get(&walk->ids, kept));
    kept = arena_copy(&walk->arena, kept);
    *map_put(&walk->ids, kept, &fresh) = 1;
    return kept;
}

/* Returns true if the entry is not a message. Agents skip or remove such entries. */
static bool claude_is_damaged(const struct claude_entry *entry)
{
    return entry->value.kind != JSON_OBJECT || !entry->from.at || !entry->text.at;
}

/* Returns the id of an entry. Call it for every valid entry, in order, so that equal ids get
 * different numbers. It is slow if the entry has no id. */
static struct span claude_id(struct claude_walk *walk, const struct claude_entry *entry)
{
    static const enum claude_key keys[] = {CLAUDE_MSG_ID, CLAUDE_MESSAGE_ID,
                                           CLAUDE_MESSAGE_ID_SNAKE};
    char derived[CLAUDE_ID_SIZE];
    struct span id = {0};

    for (size_t i = 0; !id.len && i < sizeof keys / sizeof *keys; i++)
        id = json_text(&walk->arena, entry->fields[keys[i]]);
    if (!id.len)
        id = claude_derive_id(entry, derived);
    return claude_unique(walk, id);
}

static void collect_entry(struct claude_entry *entry)
{
    struct fields_found found;

    if (entry->value.kind == JSON_OBJECT &&
        fields_read(entry->value.raw, JSON_STRICT, key_names, CLAUDE_KEY_COUNT, entry->fields,
                    &found, NULL))
        entry->equal_keys = found.flags & MESSAGE_EQUAL_KEYS;
}

/* claude_next() in two steps: read the value, then decode its fields. */
static bool claude_step(struct claude_walk *walk, struct claude_entry *entry)
{
    struct json none;

    *entry = (struct claude_entry){0};
    if (!json_next(&walk->json, &none, &entry->value))
        return false;
    walk->index++;
    return true;
}

static void claude_open_entry(struct claude_walk *walk, struct claude_entry *entry)
{
    collect_entry(entry);
    entry->from = json_text(&walk->arena, entry->fields[CLAUDE_FROM]);
    entry->timestamp = json_text(&walk->arena, entry->fields[CLAUDE_TIMESTAMP]);
    entry->text = json_text(&walk->arena, entry->fields[CLAUDE_TEXT]);
    if (entry->fields[CLAUDE_TEXT].kind == JSON_ABSENT) /* the key that some bridges use */
        entry->text = json_text(&walk->arena, entry->fields[CLAUDE_CONTENT]);
}

static bool claude_next(struct claude_walk *walk, struct claude_entry *entry)
{
    bool is_one = claude_step(walk, entry);

    if (is_one)
        claude_open_entry(walk, entry);
    return is_one;
}

/* Returns the object that starts here if it could be an entry, else absent. *end is how far the
 * text was scanned. */
static struct span entry_at(struct span text, const char **end)
{
    struct json_walk array = {.kind = JSON_ARRAY,
                              .text = text,
                              .at = text.at,
                              .end = text.at + text.len,
                              .dialect = JSON_STRICT};
    struct claude_entry entry = {0};
    struct json none;
    bool whole = json_next(&array, &none, &entry.value); /* as deep as inside an inbox */

    *end = array.at;
    if (!whole)
        return (struct span){0};
    collect_entry(&entry);
    bool has_text = entry.fields[CLAUDE_TEXT].kind == JSON_STRING ||
                    (entry.fields[CLAUDE_TEXT].kind == JSON_ABSENT &&
                     entry.fields[CLAUDE_CONTENT].kind == JSON_STRING);
    return entry.fields[CLAUDE_FROM].kind == JSON_STRING && has_text ? entry.value.raw
                                                                     : (struct span){0};
}

/* Returns true if the object is the value of a key: then it is part of an entry, not an entry. */
static bool is_value(struct span box, const char *at)
{
    while (at > box.at && strchr(" \t\r\n", at[-1]))
        at--;
    return at > box.at && at[-1] == ':';
}

void claude_salvage(struct span box, void (*found)(void *context, struct span entry), void *context)
{
    const char *at = box.at, *end = box.at + box.len, *looked;
    size_t looked_at = 0;

    while (at < end && looked_at < SALVAGE_BYTES && (at = memchr(at, '{', (size_t)(end - at)))) {
        struct span entry = {0};
        if (!is_value(box, at)) {
            entry = entry_at((struct span){at, (size_t)(end - at)}, &looked);
            looked_at += (size_t)(looked - at);
        }
        if (entry.at) {
            found(context, entry);
            looked_at -= entry.len;
        }
        at += entry.at ? entry.len : 1;
    }
}

/* The end of a valid inbox, and the form of its entries. */
struct ending {
    struct span last;    /* the last entry; absent if the array is empty */
    struct span unread;  /* the last entry that is not read, or absent */
    size_t unread_index; /* its number, from 1 */
    const char *end;     /* after the closing bracket */
    bool versioned;      /* entries have a version and an id */
};

/* Appends the entry with the three additional keys of newer programs, before the read flag. */
static void add_envelope(struct str *out, struct span entry, struct span uuid)
{
    struct json_walk members;
    struct json key, value;
    bool first = true;

    str_putc(out, '{');
    json_open(&members, entry, JSON_STRICT, NULL);
    while (json_next(&members, &key, &value)) {
        str_puts(out, first ? "" : ",");
        first = false;
        if (json_is(key, "read")) {
            str_puts(out, "\"msgV\":1,\"msg_id\":");
            json_put_text(out, uuid, &json_style_node_line);
            str_puts(out, ",\"type\":\"message\",");
        }
        str_add_span(out, key.raw);
        str_putc(out, ':');
        str_add_span(out, value.raw);
    }
    str_putc(out, '}');
}

/* The formatting of the entries in a file. */
struct layout {
    bool lines;          /* each entry is on lines of its own; else all are on one line */
    struct span newline; /* line ending */
    struct span indent;  /* indentation of an entry */
    bool spaced;         /* on one line: with blanks after commas and colons */
};

static bool is_ascii(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] >= 0x80)
            return false;
    return true;
}

static struct layout layout_of(struct span entry)
{
    struct layout layout = {.newline = {"\n", 1}};
    struct json_walk members;
    struct json key, value;
    const char *start = entry.at;

    while (start[-1] == ' ' || start[-1] == '\t') /* stops at the bracket of the array */
        start--;
    layout.lines = start[-1] == '\n';
    layout.indent = (struct span){start, (size_t)(entry.at - start)};
    if (layout.lines && start[-2] == '\r')
        layout.newline = (struct span){"\r\n", 2};
    if (json_open(&members, entry, JSON_STRICT, NULL) && json_next(&members, &key, &value))
        layout.spaced = value.raw.at[-1] == ' ';
    return layout;
}

/* Appends an entry on lines of its own. Each level of one blank becomes the indentation of the
 * file. */
static void add_lines(struct str *out, struct json value, const struct layout *layout)
{
    const struct json_style style = {.indent = 1};
    struct span unit = layout->indent.len ? layout->indent : span_of("  ");
    CLEANUP(str_free) struct str lines = {0};

    json_put_value(&lines, value, &style, 0);
    for (const char *at = str_c(&lines); *at;) {
        size_t depth = strspn(at, " "), len = strcspn(at, "\n");
        str_add_span(out, layout->newline);
        str_add_span(out, layout->indent);
        for (size_t i = 0; i < depth; i++)
            str_add_span(out, unit);
        str_add(out, at + depth, len - depth);
        at += len + (at[len] == '\n');
    }
}

/* Appends the inbox up to its last entry, and the new entry in the formatting of that one. */
static void splice_entry(struct str *out, struct span box, const struct ending *ending,
                         struct span entry)
{
    struct json value = {JSON_OBJECT, entry};
    struct layout layout = layout_of(ending->last);

    str_add(out, box.at, (size_t)(ending->last.at + ending->last.len - box.at));
    str_putc(out, ',');
    if (layout.lines) {
        add_lines(out, value, &layout);
    } else {
        struct json_style style = {.spaced = layout.spaced, .ascii = is_ascii(box)};
        str_puts(out, style.spaced ? " " : "");
        json_put_value(out, value, &style, 0);
    }
}

static void add_first(struct str *out, struct span entry)
{
    str_puts(out, "[\n  ");
    json_put_value(out, (struct json){JSON_OBJECT, entry}, &json_style_node, 1);
    str_puts(out, "\n]");
}

static void note_ending(struct ending *ending, const struct claude_entry *entry, size_t index)
{
    ending->last = entry->value.raw;
    if (entry->value.kind == JSON_OBJECT && entry->fields[CLAUDE_READ].kind != JSON_TRUE) {
        ending->unread = entry->value.raw;
        ending->unread_index = index;
    }
    ending->versioned |= entry->fields[CLAUDE_VERSION].kind != JSON_ABSENT;
}

static void sum_entries(struct span unread, struct span last, char sum[BOX_BEFORE_SUM + 1])
{
    SHA2_CTX hash;

    SHA256Init(&hash);
    SHA256Update(&hash, (const uint8_t *)unread.at, unread.len);
    SHA256Update(&hash, (const uint8_t *)last.at, last.len);
    SHA256End(&hash, sum);
}

static void note_before(struct box_before *before, const struct ending *ending, size_t count)
{
    before->count = (int64_t)count;
    before->unread = (int64_t)ending->unread_index;
    if (ending->unread.at)
        sum_entries(ending->unread, ending->last, before->sum);
}

struct rescue {
    struct str *out;
    size_t count;
};

static void keep_entry(void *context, struct span entry)
{
    struct rescue *rescue = context;

    str_puts(rescue->out, rescue->count++ ? ",\n  " : "[\n  ");
    str_add_span(rescue->out, entry);
}

/* Builds a new array from all entries that can be read, unchanged, and the new entry. */
static void rebuild_entries(struct str *out, struct span box, struct span entry)
{
    struct rescue rescue = {.out = out};

    claude_salvage(box, keep_entry, &rescue);
    if (!rescue.count) {
        add_first(out, entry);
        return;
    }
    str_puts(out, ",\n  ");
    json_put_value(out, (struct json){JSON_OBJECT, entry}, &json_style_node, 1);
    str_puts(out, "\n]");
}

static bool is_blank(struct span text)
{
    return !span_trim(text).len;
}

bool claude_append(struct span box, struct span entry, struct span uuid, struct str *out,
                   struct appended *result, struct err *err)
{
    CLEANUP(claude_walk_free) struct claude_walk walk = {0};
    struct claude_entry each;
    struct ending ending = {0};
    CLEANUP(str_free) struct str versioned = {0};

    *result = (struct appended){.found = BOX_SOUND};
    if (is_blank(box)) {
        add_first(out, entry);
        return true;
    }
    if (claude_open(&walk, box, err))
        while (claude_next(&walk, &each))
            note_ending(&ending, &each, walk.index);
    result->has_uuid = ending.versioned;
    if (ending.versioned) {
        add_envelope(&versioned, entry, uuid);
        entry = str_span(&versioned);
    }
    if (!claude_ended(&walk)) {
        result->found = BOX_DAMAGED;
        rebuild_entries(out, box, entry);
    } else {
        ending.end = walk.json.at;
        struct span tail = {ending.end, (size_t)(box.at + box.len - ending.end)};
        if (!is_blank(tail))
            result->found = ending.last.at ? BOX_DAMAGED : BOX_CLEARED;
        if (!ending.last.at) {
            add_first(out, entry);
        } else {
            const char *rest = ending.last.at + ending.last.len;
            splice_entry(out, box, &ending, entry);
            str_add(out, rest, (size_t)(ending.end - rest));
        }
        if (result->found == BOX_SOUND) {
            str_add_span(out, tail);
            note_before(&result->before, &ending, walk.index);
        }
    }
    return true;
}

bool claude_edit(struct span bytes, const struct change *change, struct str *out, struct err *err)
{
    static const struct json_set read = {"read", {"true", 4}};
    CLEANUP(claude_walk_free) struct claude_walk walk = {0};
    struct claude_entry entry;
    CLEANUP(mem_free) struct json_edit *edits = NULL;
    CLEANUP(mem_free) struct str *texts = NULL;
    CLEANUP(map_free) struct map wanted = {0};
    size_t count = 0, cap = 0, text_cap = 0;
    bool fresh, ok = claude_open(&walk, bytes, err);
    size_t missing = change->ids->count;

    for (size_t i = 0; i < change->ids->count; i++)
        map_put(&wanted, change->ids->items[i], &fresh);
    while (ok && claude_next(&walk, &entry)) {
        bool is_wanted =
            missing && !claude_is_damaged(&entry) && map_get(&wanted, claude_id(&walk, &entry));
        missing -= is_wanted;
        if (!is_wanted || entry.fields[CLAUDE_READ].kind == JSON_TRUE)
            continue;
        edits = mem_grow(edits, &cap, count + 1, sizeof *edits);
        texts = mem_grow(texts, &text_cap, count + 1, sizeof *texts);
        texts[count] = (struct str){0};
        ok = json_set_members(&texts[count], entry.value.raw, JSON_STRICT, &read, 1, err);
        edits[count] = (struct json_edit){(size_t)(entry.value.raw.at - bytes.at),
                                          entry.value.raw.len, str_span(&texts[count])};
        count++;
    }
    if (ok && !claude_ended(&walk))
        ok = json_close(&walk.json, err);
    if (ok)
        json_edit_apply(out, bytes, edits, count);
    for (size_t i = 0; i < count; i++)
        str_free(&texts[i]);
    return ok;
}

bool claude_holds(struct span bytes, struct span message)
{
    CLEANUP(claude_walk_free) struct claude_walk walk = {0}, own = {0};
    struct claude_entry entry, ours;
    CLEANUP(str_free) struct str array = {0};
    bool found = false;

    str_putc(&array, '[');
    str_add_span(&array, message);
    str_putc(&array, ']');
    if (claude_open(&own, str_span(&array), NULL) && claude_next(&own, &ours) &&
        claude_open(&walk, bytes, NULL)) {
        while (!found && claude_next(&walk, &entry))
            found = span_eq(entry.from, ours.from) && span_eq(entry.text, ours.text) &&
                    span_eq(entry.timestamp, ours.timestamp);
    }
    return found;
}

bool claude_overwritten(struct span bytes, const struct box_before *before,
                        char newer[BOX_BEFORE_SUM + 1])
{
    const size_t unread_index = (size_t)before->unread, last_index = (size_t)before->count;
    struct span unread = {0}, last = {0}, ours = {0};
    struct claude_walk walk;
    struct claude_entry entry;
    char sum[BOX_BEFORE_SUM + 1];

    if (!before->sum[0] || !claude_open(&walk, bytes, NULL))
        return false;
    while (claude_step(&walk, &entry)) {
        if (walk.index == unread_index)
            unread = entry.value.raw;
        if (walk.index == last_index)
            last = entry.value.raw;
        if (walk.index == last_index + 1)
            ours = entry.value.raw;
    }
    bool whole = claude_ended(&walk) && unread.at && last.at && ours.at;
    claude_walk_free(&walk);
    if (!whole)
        return false;
    sum_entries(unread, last, sum);
    sum_entries(ours, (struct span){0}, newer);
    return strcmp(sum, before->sum) == 0;
}

/* Number of damaged entries of an inbox that get a row each; one row represents the others. An
 * entry can be a single byte, but its message takes some hundred. */
enum { DAMAGED_SHOWN = 200 };

/* Damaged entries that share one row. */
struct damaged_rest {
    size_t row; /* index in the batch */
    size_t count;
    size_t first, last;      /* numbers of the entries in the inbox */
    const char *start, *end; /* bytes from the first to the last entry */
};

/* An inbox being read. */
struct reading {
    const struct mail_file *file;
    struct batch *batch;
    unsigned want;
    struct span name;      /* file name, in the batch's arena */
    int64_t last_us;       /* time of the previous entry */
    const char *box_start; /* start of the file's bytes */
    size_t damaged;
    struct damaged_rest rest;
    struct arena scratch;
};

static void keep_raw(struct reading *in, struct message *message, struct span raw)
{
    message->raw_at = (uint32_t)(raw.at - in->box_start);
    message->raw_len = (uint32_t)raw.len;
}

static struct message *add_message(struct reading *in, struct span id)
{
    struct message *message = batch_add(in->batch);

    message->place = in->file->place;
    message->file = in->name;
    message->to = in->file->place->box;
    message->id = arena_copy(&in->batch->arena, id);
    return message;
}

/* Adds the row of a damaged entry, or of the whole file if `mark` is empty. */
static struct message *add_damaged(struct reading *in, const char *mark, struct span raw)
{
    CLEANUP(str_free) struct str id = {0};

    str_add_span(&id, span_without_end(in->name, ".json"));
    str_puts(&id, mark);
    struct message *message = add_message(in, str_span(&id));
    message->priority = PRIORITY_NONE;
    message->status = STATUS_NONE;
    message->created_us = in->last_us;
    if (raw.at)
        keep_raw(in, message, raw);
    return message;
}

static void add_to_rest(struct reading *in, size_t number, struct span raw)
{
    struct damaged_rest *rest = &in->rest;

    if (!rest->count++) {
        rest->first = number;
        rest->start = raw.at;
        rest->row = in->batch->count;
        add_damaged(in, "#rest", raw);
    }
    rest->last = number;
    rest->end = raw.at + raw.len;
}

static void add_damaged_entry(struct reading *in, size_t number, struct span raw,
                              const char *reason)
{
    char mark[24];

    if (++in->damaged > DAMAGED_SHOWN) {
        add_to_rest(in, number, raw);
        return;
    }
    snprintf(mark, sizeof mark, "#%zu", number);
    add_damaged(in, mark, raw)->damaged = reason;
}

/* Appends a number with a comma before each group of three digits. */
static void add_grouped(struct str *out, size_t number)
{
    char digits[24];
    size_t len = (size_t)snprintf(digits, sizeof digits, "%zu", number);

    for (size_t i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            str_putc(out, ',');
        str_putc(out, digits[i]);
    }
}

/* Completes the row of the remaining damaged entries. It is at the position of the first one, and
 * its bytes reach to the end of the last one. */
static void describe_rest(struct reading *in)
{
    const struct damaged_rest *rest = &in->rest;
    CLEANUP(str_free) struct str text = {0};

    if (!rest->count)
        return;
    struct message *row = &in->batch->items[rest->row];
    add_grouped(&text, rest->count);
    str_addf(&text, " more damaged entr%s, shown as one: #%zu", rest->count == 1 ? "y" : "ies",
             rest->first);
    if (rest->count > 1)
        str_addf(&text, " to #%zu", rest->last);
    row->damaged = arena_strdup(&in->batch->arena, str_c(&text));
    keep_raw(in, row, (struct span){rest->start, (size_t)(rest->end - rest->start)});
}

/* Returns the truth value of a JavaScript condition. */
static bool is_truthy(struct json value)
{
    switch (value.kind) {
    case JSON_ABSENT:
    case JSON_NULL:
    case JSON_FALSE:
        return false;
    case JSON_STRING:
        return value.raw.len > 2;
    case JSON_NUMBER:
        return strtod(value.raw.at, NULL) != 0; /* ends before the JSON text that always follows */
    case JSON_TRUE:
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    return true;
}

/* Reads the time: ISO text or, from some bridges, milliseconds. */
static int64_t read_time(const struct claude_entry *entry)
{
    const struct json value = entry->fields[CLAUDE_TIMESTAMP];
    enum time_zone zone;

    if (value.kind == JSON_NUMBER) {
        double ms = strtod(value.raw.at, NULL);
        return ms > 0 && ms < 1e14 ? (int64_t)(ms * 1000) : TIME_NONE;
    }
    return entry->timestamp.at ? time_parse(entry->timestamp, &zone) : TIME_NONE;
}

static bool is_odd(struct json value, enum json_kind right)
{
    return value.kind != JSON_ABSENT && value.kind != right;
}

static unsigned find_flags(const struct claude_entry *entry)
{
    const struct json *fields = entry->fields;
    bool bad_read =
        fields[CLAUDE_READ].kind != JSON_TRUE && is_odd(fields[CLAUDE_READ], JSON_FALSE);
    unsigned flags = entry->equal_keys ? MESSAGE_EQUAL_KEYS : 0;

    if (bad_read || is_odd(fields[CLAUDE_SUMMARY], JSON_STRING) ||
        is_odd(fields[CLAUDE_COLOR], JSON_STRING) || is_odd(fields[CLAUDE_TIMESTAMP], JSON_STRING))
        flags |= MESSAGE_ODD_TYPE;
    return flags;
}

/* Returns true if the message asks for a decision. Then the agent's summary is only a claim and not
 * used as subject. */
static bool is_claim(const struct protocol *protocol)
{
    return protocol && protocol_wants_answer(protocol->kind);
}

static void set_subject(struct reading *in, struct message *message, struct span summary,
                        struct span text, const struct protocol *protocol)
{
    bool says = span_trim(summary).len && !is_claim(protocol);
    CLEANUP(str_free) struct str title = {0};

    if (!says && protocol)
        protocol_title(&title, protocol);
    struct span subject = says        ? summary
                          : title.len ? str_span(&title)
                                      : span_first_line(span_trim(text));
    message->subject = arena_copy(&in->batch->arena, subject);
}

static const struct notice *keep_notice(struct arena *arena, const struct protocol *protocol)
{
    struct notice *notice = arena_alloc(arena, sizeof *notice);

    *notice = (struct notice){.reason = arena_copy(arena, protocol->idle_reason),
                              .failure = arena_copy(arena, protocol->failure_reason),
                              .task = arena_copy(arena, protocol->completed_task),
                              .task_status = arena_copy(arena, protocol->completed_status),
                              .summary = arena_copy(arena, protocol->summary)};
    return notice;
}

static void set_protocol(struct reading *in, struct message *message,
                         const struct protocol *protocol, struct span text)
{
    struct span request = protocol->request_id;

    message->type = batch_name(in->batch, protocol->type);
    message->requires_response = protocol_wants_answer(protocol->kind);
    message->verdict = (uint8_t)protocol_decides(protocol);
    if (protocol->kind == PROTOCOL_IDLE_NOTIFICATION)
        message->notice = keep_notice(&in->batch->arena, protocol);
    if (request.len) {
        message->thread = arena_copy(&in->batch->arena, request);
        if (!message->requires_response)
            message->reply_to = message->thread;
    }
    if (message->data) {
        struct span body = message->data->body;
        message->data->body_is_payload = true;
        message->data->payload = message->data->protocol =
            span_trim(body.at ? body : arena_copy(&in->batch->arena, text));
    }
}

static void set_data(struct reading *in, struct message *message, const struct claude_entry *entry,
                     struct span summary)
{
    struct message_data *data = arena_alloc(&in->batch->arena, sizeof *data);

    data->read_us = data->completed_us = TIME_NONE;
    data->summary = arena_copy(&in->batch->arena, summary);
    data->color = batch_name(in->batch, json_text(&in->scratch, entry->fields[CLAUDE_COLOR]));
    if (in->want & WANT_BODY)
        data->body = arena_copy(&in->batch->arena, entry->text);
    message->data = data;
}

/* Returns the reason why an entry is damaged; NULL for a valid entry. */
static const char *find_damage(const struct claude_entry *entry)
{
    if (!claude_is_damaged(entry))
        return NULL;
    if (entry->value.kind != JSON_OBJECT)
        return "the entry is no JSON object";
    return entry->from.at ? "\"text\" is missing or no string" : "\"from\" is missing or no string";
}

static void read_entry(struct reading *in, struct claude_walk *walk,
                       const struct claude_entry *entry)
{
    const char *damage = find_damage(entry);
    struct protocol protocol;

    if (damage) {
        add_damaged_entry(in, walk->index, entry->value.raw, damage);
        return;
    }
    struct message *message = add_message(in, claude_id(walk, entry));
    struct span summary = json_text(&in->scratch, entry->fields[CLAUDE_SUMMARY]);
    bool is_protocol = protocol_parse(&protocol, entry->text, &in->scratch);
    keep_raw(in, message, entry->value.raw);
    message->from = batch_name(in->batch, entry->from);
    message->type = span_of("message");
    message->flags = (uint16_t)find_flags(entry);
    message->status = is_truthy(entry->fields[CLAUDE_READ]) ? STATUS_READ : STATUS_UNREAD;
    int64_t claimed_us = read_time(entry);
    message_set_time(message, claimed_us, in->file->mtime_us);
    if (claimed_us == TIME_NONE) {
        message->created_us = in->last_us;
        message->flags |= MESSAGE_NO_TIME;
    }
    if (!(message->flags & MESSAGE_AHEAD))
        in->last_us = message->created_us;
    if (in->want & (WANT_DATA | WANT_BODY))
        set_data(in, message, entry, summary);
    set_subject(in, message, summary, entry->text, is_protocol ? &protocol : NULL);
    message_set_content(message, claimed_us, map_hash_wide(summary, map_hash_wide(entry->text, 0)));
    if (is_protocol)
        set_protocol(in, message, &protocol, entry->text);
    else
        handoff_words_read_text(message, entry->text, &in->batch->arena);
}

/* Returns true if claude_unique() may have added a number to another id. */
static bool may_be_numbered(struct span id)
{
    size_t digits = 0;

    while (digits < id.len && id.at[id.len - 1 - digits] >= '0' &&
           id.at[id.len - 1 - digits] <= '9')
        digits++;
    return digits && digits < id.len && id.at[id.len - 1 - digits] == '-';
}

/* Takes an entry from the cache if its bytes are unchanged. Properties that depend on the entries
 * around it are computed again; returns false if that is not possible. */
static bool take_known(struct reading *in, struct claude_walk *walk, struct span raw)
{
    const struct mail_file *file = in->file;
    struct message *message = file->known && !(in->want & (WANT_DATA | WANT_BODY))
                                  ? entry_cache_take(file->known, raw, file->place, in->batch)
                                  : NULL;

    if (!message)
        return false;
    struct message dated = *message;
    message_set_time(&dated, message->created_us, file->mtime_us);
    if (message->damaged || dated.flags & MESSAGE_STAND_IN_TIME || may_be_numbered(message->id)) {
        in->batch->count--;
        return false;
    }
    message->id = arena_copy(&in->batch->arena, claude_unique(walk, message->id));
    message->file = in->name;
    message->flags &= (uint16_t)~MESSAGE_NOT_UTF8;
    keep_raw(in, message, raw);
    in->last_us = message->created_us;
    return true;
}

/* The entries found in a damaged inbox, as one valid array, and their positions in the file. */
struct salvage {
    struct str array;
    struct span_list parts;
};

static void note_salvaged(void *context, struct span entry)
{
    struct salvage *salvage = context;

    str_puts(&salvage->array, salvage->array.len > 1 ? "," : "");
    str_add_span(&salvage->array, entry);
    span_list_add(&salvage->parts, entry);
}

/* Adds all entries that can be read from a damaged inbox, and a row for the damage. */
static void read_salvaged(struct reading *in, const char *reason)
{
    struct salvage salvage = {0};
    struct claude_walk walk;
    struct claude_entry entry;

    str_putc(&salvage.array, '[');
    claude_salvage(in->file->bytes, note_salvaged, &salvage);
    str_putc(&salvage.array, ']');
    if (claude_open(&walk, str_span(&salvage.array), NULL)) {
        while (claude_next(&walk, &entry)) {
            read_entry(in, &walk, &entry);
            keep_raw(in, &in->batch->items[in->batch->count - 1],
                     salvage.parts.items[walk.index - 1]);
        }
        claude_walk_free(&walk);
    }
    add_damaged(in, "", (struct span){0})->damaged = arena_strdup(&in->batch->arena, reason);
    str_free(&salvage.array);
    span_list_free(&salvage.parts);
}

static void flag_bytes(struct reading *in, size_t first, bool beyond_ascii)
{
    unsigned flags = 0;

    if (beyond_ascii && !utf8_valid(in->file->bytes))
        flags |= MESSAGE_NOT_UTF8;
    for (size_t i = first; flags && i < in->batch->count; i++)
        in->batch->items[i].flags |= (uint16_t)flags;
}

/* Sets the time of entries dated in the future to that of the next entry, which was written later.
 * The time of the file alone would make them new again at every write. */
static void bound_times(struct batch *batch, size_t first)
{
    int64_t next_us = TIME_NONE;

    for (size_t i = batch->count; i-- > first;) {
        struct message *message = &batch->items[i];
        if (!(message->flags & MESSAGE_STAND_IN_TIME))
            next_us = message->created_us;
        else if (message->flags & MESSAGE_AHEAD && next_us != TIME_NONE)
            message->created_us = next_us;
    }
}

bool claude_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err)
{
    struct reading in = {.file = file,
                         .batch = batch,
                         .want = want,
                         .name = arena_copy(&batch->arena, file->name),
                         .last_us = TIME_NONE,
                         .box_start = file->bytes.at};
    struct claude_walk walk;
    struct claude_entry entry;
    size_t first = batch->count;
    bool ok = claude_open(&walk, file->bytes, err);

    while (ok && claude_step(&walk, &entry)) {
        if (take_known(&in, &walk, entry.value.raw))
            continue;
        claude_open_entry(&walk, &entry);
        read_entry(&in, &walk, &entry);
    }
    if (ok && !claude_ended(&walk))
        ok = json_close(&walk.json, err);
    if (ok)
        flag_bytes(&in, first, walk.json.beyond_ascii);
    if (ok)
        bound_times(batch, first);
    if (ok)
        describe_rest(&in);
    claude_walk_free(&walk);
    if (!ok) {
        batch->count = first;
        in.last_us = file->mtime_us;
        if (want & WANT_SALVAGE)
            read_salvaged(&in, err->text);
    }
    arena_free(&in.scratch);
    return ok || want & WANT_SALVAGE;
}
