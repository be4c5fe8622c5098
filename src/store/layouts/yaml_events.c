/* YAML as a row of events, over libyaml. */
#include "store/layouts/yaml_events.h"

#include "base/mem.h"

enum { DEPTH_MAX = 100 };

void yaml_events_open(struct yaml_events *in, struct span text, yaml_encoding_t encoding)
{
    *in = (struct yaml_events){.text = text};
    if (!yaml_parser_initialize(&in->parser)) /* for no other reason */
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
    if (in->parser.error == YAML_MEMORY_ERROR) /* else a sound text would count as damaged */
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

/* A byte that cannot be read has an offset only. */
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
