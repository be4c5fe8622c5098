/* The Roo mailbox, reading: from the bytes of a file to its messages.
 *
 * The default reader takes a file as one message whatever it contains. Models also append a second
 * message with its own head; here these become separate messages. */
#include "base/json/json_print.h"
#include "base/map.h"
#include "base/text/utf8.h"
#include "mail/handoff/handoff.h"
#include "mail/handoff/handoff_words.h"
#include "mail/message/kind.h"
#include "store/layouts/front_matter.h"
#include "store/layouts/roo.h"

/* Maximum number of blocks in a body that are tried as heads: more than people or models write. */
enum { CANDIDATES_MAX = 10000 };

static const char *const required[] = {"from", "timestamp", "id"};
enum { REQUIRED_COUNT = sizeof required / sizeof *required };

static struct span strip_marks(struct span line)
{
    while (line.len && strchr("#* \t\r", line.at[0]) && line.at[0]) {
        line.at++;
        line.len--;
    }
    while (line.len && strchr("* \t\r", line.at[line.len - 1]) && line.at[line.len - 1])
        line.len--;
    return line;
}

bool roo_is_answer(struct span subject)
{
    return span_starts_nocase(subject, "re:");
}

/* Removes a label: a word and a colon, if more text follows. Keeps the label of a handoff. */
static struct span strip_label(struct span line)
{
    size_t word = 0;

    while (word < line.len && roo_is_letter(line.at[word]))
        word++;
    if (!word || roo_is_answer(line) || span_starts(line, span_of(handoff_title)) ||
        word + 1 >= line.len || line.at[word] != ':' || !strchr(" \t*", line.at[word + 1]) ||
        !line.at[word + 1])
        return line;
    struct span rest = strip_marks((struct span){line.at + word + 1, line.len - word - 1});
    return rest.len ? rest : line;
}

struct span roo_subject(struct span text)
{
    while (text.len) {
        struct span line = span_first_line(text);
        struct span subject = strip_label(strip_marks(line));
        if (subject.len)
            return subject;
        size_t taken = line.len < text.len ? line.len + 1 : line.len;
        text.at += taken;
        text.len -= taken;
    }
    return text;
}

static int64_t parse_with(struct span text, const char *end)
{
    enum time_zone zone;
    CLEANUP(str_free) struct str whole = {0};

    str_add_span(&whole, text);
    str_puts(&whole, end);
    return time_parse(str_span(&whole), &zone);
}

/* Parses a time. Without a zone it is UTC, as in YAML. */
static int64_t read_time(struct span text)
{
    enum time_zone zone;
    int64_t time_us = time_parse(text, &zone);

    if (time_us == TIME_NONE || zone != TIME_LOCAL)
        return time_us;
    time_us = parse_with(text, "Z");
    return time_us == TIME_NONE ? parse_with(text, "T00:00:00Z") : time_us;
}

/* Parses a priority. The layout has high and normal; urgent counts as high. Returns false for any
 * word but high and normal. */
static bool read_priority(struct span word, enum priority *priority)
{
    bool high = span_is_nocase(word, "high");
    bool urgent = span_is_nocase(word, "urgent");

    *priority = high || urgent ? PRIORITY_HIGH : PRIORITY_NORMAL;
    return high || !word.len || span_is_nocase(word, "normal");
}

static bool is_mapped(const struct front_field *field)
{
    enum priority priority;

    return span_is(field->key, "id") || span_is(field->key, "from") ||
           span_is(field->key, "timestamp") || span_is(field->key, "in_reply_to") ||
           (span_is(field->key, "priority") && read_priority(field->value, &priority));
}

/* Returns true for a request for approval: by custom a field says so, or the label of the first
 * line. */
static bool is_plan(const struct front_fields *fields, struct span body)
{
    static const char *const starts[] = {"plan approval", "plan-approval"};
    struct span line = strip_marks(span_first_line(span_trim(body)));

    if (kind_of_type(front_text(fields, "type")) == KIND_PLAN)
        return true;
    if (!span_starts_nocase(line, "request:"))
        return false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (span_starts_nocase(strip_label(line), starts[i]))
            return true;
    return false;
}

/* Returns the fields that the model has no place for, and those that are not simple text, as
 * JSON. */
static struct span make_payload(const struct front_fields *fields, struct arena *arena)
{
    CLEANUP(str_free) struct str json = {0};
    struct span payload = {0};

    for (size_t i = 0; i < fields->count; i++) {
        const struct front_field *field = &fields->items[i];
        if (field->simple && is_mapped(field))
            continue;
        str_putc(&json, json.len ? ',' : '{');
        json_put_text(&json, field->key, &json_style_node_line);
        str_putc(&json, ':');
        if (field->null)
            str_puts(&json, "null");
        else
            json_put_text(&json, field->value, &json_style_node_line);
    }
    if (json.len) {
        str_putc(&json, '}');
        payload = arena_copy(arena, str_span(&json));
    }
    return payload;
}

/* One message of a file, and its position. */
struct part {
    struct front_matter front;
    size_t at, len;
};

static const char *join_sections(struct arena *arena, const char *start, struct span name,
                                 const char *end)
{
    CLEANUP(str_free) struct str text = {0};

    str_puts(&text, start);
    str_add_span(&text, utf8_start(name, 40));
    str_puts(&text, end);
    return arena_strdup(arena, str_c(&text));
}

/* Reads the head unless it is in another language. Returns the problem, or NULL. */
static const char *read_head(struct span language, struct span block, struct front_fields *fields,
                             unsigned *flags, struct arena *arena)
{
    bool json = span_is(language, "json");

    if (front_is_program(language)) {
        *flags |= MESSAGE_IRREGULAR | MESSAGE_DANGEROUS;
        return join_sections(arena, "its front matter is a program in the language \"", language,
                             "\"");
    }
    if (!json && !front_is_yaml(language)) {
        *flags |= MESSAGE_IRREGULAR;
        return join_sections(arena, "its front matter is in the language \"", language,
                             "\", which is not read here");
    }
    front_read(fields, block, arena);
    if (json || fields->irregular)
        *flags |= MESSAGE_IRREGULAR;
    if (fields->repeated)
        *flags |= MESSAGE_EQUAL_KEYS;
    if (fields->failed)
        return fields->problem;
    for (size_t i = 0; i < REQUIRED_COUNT; i++)
        if (!front_text(fields, required[i]).at)
            return fields->problem
                       ? fields->problem
                       : join_sections(arena, "\"", span_of(required[i]), "\" is missing");
    return NULL;
}

static struct span box_of(const struct place *place)
{
    const char *dot = place->box.len ? memchr(place->box.at, '.', place->box.len) : NULL;

    return dot ? (struct span){place->box.at, (size_t)(dot - place->box.at)} : place->box;
}

static struct message_data *make_data(const struct front_fields *fields, struct span body,
                                      unsigned want, struct arena *arena)
{
    struct message_data *data = arena_alloc(arena, sizeof *data);

    data->read_us = data->completed_us = TIME_NONE;
    data->payload = make_payload(fields, arena);
    if (want & WANT_BODY)
        data->body = arena_copy(arena, body);
    return data;
}

static void add_message(const struct mail_file *file, unsigned want, struct batch *batch,
                        const struct part *part, const char *damaged)
{
    struct message *message = batch_add(batch);
    struct arena *arena = &batch->arena;
    CLEANUP(arena_free) struct arena scratch = {0};
    CLEANUP(front_fields_free) struct front_fields fields = {0};
    struct span raw = {file->bytes.at + part->at, part->len};
    enum priority priority;
    unsigned flags = 0;

    if (!damaged)
        damaged = read_head(part->front.language, part->front.block, &fields, &flags, &scratch);
    message->damaged = damaged ? arena_strdup(arena, damaged) : NULL;
    message->place = file->place;
    message->file = arena_copy(arena, file->name);
    message->id = arena_copy(arena, front_text(&fields, "id"));
    if (!message->id.len)
        message->id = span_without_end(message->file, ".md");
    message->from = batch_name(batch, front_text(&fields, "from"));
    message->to = batch_name(batch, box_of(file->place));
    message->type = span_of("message");
    message->subject = arena_copy(arena, roo_subject(part->front.body));
    message->reply_to = arena_copy(arena, front_text(&fields, "in_reply_to"));
    handoff_words_read_text(message, part->front.body, arena);
    if (!read_priority(front_text(&fields, "priority"), &priority))
        flags |= MESSAGE_ODD_VALUE;
    message->priority = (uint8_t)priority;
    if (is_plan(&fields, part->front.body))
        message->kind = KIND_PLAN;
    int64_t claimed_us = read_time(front_text(&fields, "timestamp"));
    message_set_content(message, claimed_us, map_hash_wide(part->front.body, 0));
    message_set_time(message, claimed_us, file->mtime_us);
    flags |= message->flags;
    if (claimed_us == TIME_NONE) {
        message->created_us = file->mtime_us;
        flags |= MESSAGE_NO_TIME;
    }
    if (!utf8_valid(raw))
        flags |= MESSAGE_NOT_UTF8;
    if (want)
        message->data = make_data(&fields, part->front.body, want, arena);
    message->raw_at = (uint32_t)part->at;
    message->raw_len = (uint32_t)part->len;
    message->flags = (uint16_t)flags;
}

static bool is_head(const struct front_matter *front)
{
    CLEANUP(front_fields_free) struct front_fields fields = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    bool head = !front->language.len;

    for (size_t i = 0; head && i < REQUIRED_COUNT; i++) /* avoids parsing most blocks */
        head = memmem(front->block.at, front->block.len, required[i], strlen(required[i]));
    if (head)
        front_read(&fields, front->block, &arena);
    head = head && !fields.failed;
    for (size_t i = 0; head && i < REQUIRED_COUNT; i++)
        head = front_text(&fields, required[i]).at;
    return head;
}

/* Finds the next head in the body, which follows a closing line. `offset` is the position of its
 * first line in the body. */
static bool find_head(struct span body, size_t *candidates, struct front_matter *front,
                      size_t *offset)
{
    size_t at = 0;

    if (body.at[-1] != '\n') /* skip the rest of the closing line */
        at = span_first_line(body).len;
    while ((*candidates)++ < CANDIDATES_MAX) {
        struct span rest = {body.at + at, body.len - at};
        if (!span_starts(rest, span_of("---"))) {
            const char *line = rest.len ? memmem(rest.at, rest.len, "\n---", 4) : NULL;
            if (!line)
                return false;
            at = (size_t)(line - body.at) + 1;
            rest = (struct span){body.at + at, body.len - at};
        }
        switch (front_split(rest, front)) {
        case FRONT_CLOSED:
            *offset = at;
            if (is_head(front))
                return true;
            /* the line that closes this block may open another */
            at = (size_t)(front->block.at + front->block.len - body.at) + 1;
            break;
        case FRONT_NONE:
            at += span_first_line(rest).len;
            break;
        case FRONT_OPEN:
            return false;
        }
    }
    return false;
}

static bool is_unfinished(struct span bytes, enum front_split split)
{
    bytes = utf8_without_mark(bytes);
    return split == FRONT_OPEN || (bytes.len < 3 && span_starts(span_of("---"), bytes));
}

bool roo_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err)
{
    struct span bytes = file->bytes;
    struct part part = {.len = bytes.len}, next;
    size_t first = batch->count, candidates = 0, offset;
    enum front_split split = front_split(bytes, &part.front);

    if (is_unfinished(bytes, split))
        return err_set(err, ERR_MESSAGE, "%s",
                       split == FRONT_OPEN ? "its front matter has no closing line ---"
                                           : "the file is empty or hardly begun");
    if (split == FRONT_NONE) {
        part.front.body = bytes;
        add_message(file, want, batch, &part,
                    "it has no front matter: its first line is not three dashes");
        part.len = 0;
    }
    while (part.len) {
        bool more = find_head(part.front.body, &candidates, &next.front, &offset);
        if (more) {
            part.front.body.len = offset;
            next.at = (size_t)(part.front.body.at - bytes.at) + offset;
            next.len = bytes.len - next.at;
            part.len = next.at - part.at;
        }
        add_message(file, want, batch, &part, NULL);
        part = more ? next : (struct part){0};
    }
    for (size_t i = first; i < batch->count; i++) {
        if (batch->count - first > 1)
            batch->items[i].flags |= MESSAGE_SHARED;
        else
            batch->items[i].raw_at = batch->items[i].raw_len = 0;
    }
    return true;
}
