/* The Claude layout, reading: from an inbox to messages.
 *
 * An entry is damaged if it is not an object, or lacks sender or text. An entry that newer programs
 * would remove because a field has the wrong type is flagged. */
#include "base/text/utf8.h"
#include "mail/handoff/handoff_words.h"
#include "mail/message/entry_cache.h"
#include "mail/protocol/protocol.h"
#include "store/layouts/claude_private.h"

#include <stdio.h>
#include <stdlib.h>

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
