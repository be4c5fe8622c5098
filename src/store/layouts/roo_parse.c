/* The Roo mailbox, reading: from the bytes of a file to its messages.
 *
 * The default reader takes a file as one message whatever it contains. Models also append a second
 * message with its own head; here these become separate messages. */
#include "store/layouts/roo_parse.h"

#include "base/json/json_print.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "mail/handoff/handoff.h"
#include "mail/message/kind.h"
#include "store/layouts/roo.h"

#include <stdlib.h>

/* YAML events, and splitting off and reading front matter. */

/* YAML as a sequence of events, with libyaml. */

enum { DEPTH_MAX = 100 };

void yaml_events_open(struct yaml_events *in, struct span text, yaml_encoding_t encoding)
{
    *in = (struct yaml_events){.text = text};
    if (!yaml_parser_initialize(&in->parser)) /* its only reason to fail is memory */
        mem_exhausted();
    yaml_parser_set_encoding(&in->parser, encoding);
    yaml_parser_set_input_string(&in->parser, (const unsigned char *)text.at, text.len);
}

void yaml_events_close(struct yaml_events *in)
{
    yaml_event_delete(&in->event);
    yaml_parser_delete(&in->parser);
}

bool yaml_events_next(struct yaml_events *in)
{
    yaml_event_delete(&in->event);
    if (yaml_parser_parse(&in->parser, &in->event))
        return true;
    if (in->parser.error == YAML_MEMORY_ERROR) /* else valid text would count as damaged */
        mem_exhausted();
    return false;
}

bool yaml_events_begin(struct yaml_events *in)
{
    /* NOLINTNEXTLINE(misc-redundant-expression): two events, one after the other */
    return yaml_events_next(in) && yaml_events_next(in);
}

bool yaml_events_skip(struct yaml_events *in)
{
    unsigned depth = 0;

    for (;;) {
        yaml_event_type_t type = in->event.type;
        if (type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT)
            depth++;
        if (type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT)
            depth--;
        if (!depth)
            return true;
        in->too_deep = depth > DEPTH_MAX;
        if (in->too_deep || !yaml_events_next(in))
            return false;
    }
}

struct span yaml_events_scalar(const struct yaml_events *in)
{
    if (in->event.type != YAML_SCALAR_EVENT)
        return (struct span){0};
    return (struct span){(const char *)in->event.data.scalar.value, in->event.data.scalar.length};
}

/* Returns the line of the problem. libyaml gives only an offset for an invalid byte. */
static size_t line_of(const struct yaml_events *in)
{
    const yaml_parser_t *parser = &in->parser;
    size_t line = 1;

    if (parser->error != YAML_READER_ERROR)
        return parser->problem_mark.line + 1;
    for (size_t i = 0; i < in->text.len && i < parser->problem_offset; i++)
        line += in->text.at[i] == '\n';
    return line;
}

bool yaml_events_problem(const struct yaml_events *in, struct err *err)
{
    if (in->too_deep)
        return err_set(err, ERR_MESSAGE, "line %zu: it is nested deeper than %d levels",
                       in->event.start_mark.line + 1, DEPTH_MAX);
    return err_set(err, ERR_MESSAGE, "line %zu: %s", line_of(in), in->parser.problem);
}

enum { BLOCK_MAX = 64 << 10, KEYS_MAX = 1000 };

static struct span span_from(struct span text, size_t at)
{
    return (struct span){text.at + at, text.len - at};
}

enum front_split front_split(struct span text, struct front_matter *front)
{
    struct span rest = utf8_without_mark(text);

    *front = (struct front_matter){0};
    if (!span_starts(rest, span_of("---")) || (rest.len > 3 && rest.at[3] == '-'))
        return FRONT_NONE;
    rest = span_from(rest, 3);
    struct span line = span_first_line(rest);
    if (line.len == rest.len)
        return FRONT_OPEN;
    front->language = span_trim(line);
    rest = span_from(rest, line.len);
    const char *close = memmem(rest.at, rest.len, "\n---", 4);
    if (!close)
        return FRONT_OPEN;
    front->block = (struct span){rest.at, (size_t)(close - rest.at)};
    front->body = span_from(rest, front->block.len + 4);
    if (front->body.len && front->body.at[0] == '\r')
        front->body = span_from(front->body, 1);
    if (front->body.len && front->body.at[0] == '\n')
        front->body = span_from(front->body, 1);
    return FRONT_CLOSED;
}

static bool is_one_of(struct span word, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (span_is_nocase(word, words[i]))
            return true;
    return false;
}

bool front_is_program(struct span language)
{
    static const char *const names[] = {"js", "javascript", "coffee", "coffeescript", "cson", NULL};

    return is_one_of(language, names);
}

bool front_is_yaml(struct span language)
{
    static const char *const names[] = {"yaml", "yml", NULL};

    return !language.len || is_one_of(language, names);
}

/* A head being read. */
struct reading {
    struct yaml_events events;
    struct front_fields *fields;
    struct arena *arena;
    struct span rest; /* the text after the character `at` */
    size_t at;
};

/* Returns the byte position of a mark, which libyaml counts in characters. Call it for marks in
 * ascending order. */
static const char *byte_of(struct reading *in, size_t character)
{
    for (; in->at < character && in->rest.len; in->at++)
        utf8_next(&in->rest);
    return in->rest.at;
}

static bool is_null(const yaml_event_t *event, struct span text)
{
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!text.len || span_is(text, "~") || span_is(text, "null") || span_is(text, "Null") ||
            span_is(text, "NULL"));
}

/* Reads the value that starts with the current event. */
static bool read_value(struct reading *in, struct front_field *field)
{
    const yaml_event_t *event = &in->events.event;
    struct span text = yaml_events_scalar(&in->events);

    field->simple = text.at && !event->data.scalar.tag;
    in->fields->irregular |= !field->simple || event->data.scalar.anchor;
    if (field->simple) {
        field->null = is_null(event, text);
        field->value = arena_copy(in->arena, text);
        return true;
    }
    const char *start = byte_of(in, event->start_mark.index);
    if (!yaml_events_skip(&in->events))
        return false;
    struct span source = {start, (size_t)(byte_of(in, event->end_mark.index) - start)};
    field->value = arena_copy(in->arena, span_trim_end(source));
    return true;
}

static struct front_field *field_named(const struct front_fields *fields, struct span key)
{
    for (size_t i = 0; i < fields->count; i++)
        if (span_eq(fields->items[i].key, key))
            return &fields->items[i];
    return NULL;
}

static struct front_field *field_for(struct front_fields *fields, struct span key)
{
    struct front_field *field = field_named(fields, key);

    if (field) {
        fields->repeated = fields->irregular = true;
        return field;
    }
    return mem_push(fields->items, fields->count, fields->cap);
}

/* Reads one key, which is the current event, and its value. */
static bool read_pair(struct reading *in)
{
    const yaml_event_t *event = &in->events.event;
    struct front_field field = {.key = arena_copy(in->arena, yaml_events_scalar(&in->events))};

    if (!field.key.at || event->data.scalar.tag || event->data.scalar.anchor) {
        in->fields->irregular = true;
        if (!yaml_events_skip(&in->events))
            return false;
    }
    if (!yaml_events_next(&in->events))
        return false;
    if (!field.key.at)
        return yaml_events_skip(&in->events);
    if (!read_value(in, &field))
        return false;
    *field_for(in->fields, field.key) = field;
    return true;
}

static bool read_mapping(struct reading *in)
{
    while (yaml_events_next(&in->events)) {
        if (in->events.event.type == YAML_MAPPING_END_EVENT)
            return true;
        if (in->fields->count == KEYS_MAX) {
            in->fields->irregular = true;
            in->fields->problem = "its front matter has more than 1000 keys";
            return true;
        }
        if (!read_pair(in))
            return false;
    }
    return false;
}

static bool is_plain_mapping(const yaml_event_t *event)
{
    return event->type == YAML_MAPPING_START_EVENT && !event->data.mapping_start.anchor &&
           !event->data.mapping_start.tag &&
           event->data.mapping_start.style != YAML_FLOW_MAPPING_STYLE;
}

/* Returns false at an error in the text. */
static bool read_document(struct reading *in)
{
    struct yaml_events *events = &in->events;

    if (!yaml_events_begin(events))
        return false;
    if (events->event.type == YAML_STREAM_END_EVENT)
        return true;
    if (!yaml_events_next(events))
        return false;
    in->fields->irregular |= !is_plain_mapping(&events->event);
    if (events->event.type != YAML_MAPPING_START_EVENT)
        return yaml_events_skip(events);
    if (!read_mapping(in))
        return false;
    if (in->fields->problem) /* the limit was reached, the rest is not read */
        return true;
    /* NOLINTNEXTLINE(misc-redundant-expression): two events, one after the other */
    if (!yaml_events_next(events) || !yaml_events_next(events))
        return false;
    in->fields->irregular |= events->event.type != YAML_STREAM_END_EVENT;
    return true;
}

/* Replaces bytes that are not UTF-8 by replacement characters, as gray-matter does; libyaml would
 * reject the whole head. */
static struct span as_utf8(struct str *buffer, struct span text)
{
    if (utf8_valid(text))
        return text;
    for (struct span rest = text; rest.len;) {
        int32_t code = utf8_next(&rest);
        utf8_add(buffer, code < 0 || (code >= 0xd800 && code <= 0xdfff) ? 0xfffd : code);
    }
    return str_span(buffer);
}

static struct span start_of(struct span block)
{
    struct span start = {block.at, BLOCK_MAX};

    while (start.len && start.at[start.len - 1] != '\n')
        start.len--;
    return start;
}

void front_read(struct front_fields *fields, struct span block, struct arena *arena)
{
    bool large = block.len > BLOCK_MAX;
    CLEANUP(str_free) struct str buffer = {0};
    struct span text = as_utf8(&buffer, large ? start_of(block) : block);
    struct reading in = {.fields = fields, .arena = arena, .rest = text};
    struct err err;

    yaml_events_open(&in.events, text, YAML_UTF8_ENCODING);
    bool ok = read_document(&in);
    if (large) {
        fields->irregular = true;
        fields->problem = "its front matter is larger than 64 KiB";
    } else if (!ok) {
        yaml_events_problem(&in.events, &err);
        err_at(&err, "front matter");
        fields->irregular = true;
        fields->failed = !in.events.too_deep;
        fields->problem = arena_strdup(arena, err.text);
    }
    yaml_events_close(&in.events);
}

void front_fields_free(struct front_fields *fields)
{
    free(fields->items);
    *fields = (struct front_fields){0};
}

struct span front_text(const struct front_fields *fields, const char *key)
{
    const struct front_field *field = field_named(fields, span_of(key));

    return field && field->simple && !field->null ? field->value : (struct span){0};
}

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
