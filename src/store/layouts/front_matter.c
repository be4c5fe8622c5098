/* YAML events, and splitting off and reading front matter. */
#include "store/layouts/front_matter.h"

#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdlib.h>

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
