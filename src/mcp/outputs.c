/* Outputs: the tables, and the schemas that are made of them. */
#include "mcp/outputs.h"

#include "base/json/json_print.h"

#define VERSION                                                                                    \
    {                                                                                              \
        .name = "v", .kind = OUTPUT_WHOLE                                                          \
    }
#define REMARKS                                                                                    \
    {                                                                                              \
        .name = "remarks", .kind = OUTPUT_LIST, .optional = true,                                  \
        .help = "what else there is to know about the result"                                      \
    }

const struct output_spec outputs_message[] = {
    VERSION,
    {.name = "id", .nullable = true, .help = "what read, reply, thread and mark take"},
    {.name = "source"},
    {.name = "format"},
    {.name = "box", .nullable = true},
    {.name = "from", .nullable = true},
    {.name = "to", .nullable = true},
    {.name = "subject", .nullable = true},
    {.name = "body", .nullable = true},
    {.name = "type", .nullable = true},
    {.name = "priority", .nullable = true},
    {.name = "status", .nullable = true},
    {.name = "created_at", .nullable = true},
    {.name = "read_at", .nullable = true},
    {.name = "completed_at", .nullable = true},
    {.name = "expires_at", .nullable = true},
    {.name = "thread", .nullable = true},
    {.name = "reply_to", .nullable = true},
    {.name = "requires_response", .kind = OUTPUT_TRUTH, .nullable = true},
    {.name = "context", .kind = OUTPUT_ANY},
    {.name = "attachments", .kind = OUTPUT_ANY},
    {.name = "tags", .kind = OUTPUT_ANY},
    {.name = "payload", .kind = OUTPUT_ANY},
    {.name = "protocol", .kind = OUTPUT_ANY},
    {.name = "path"},
    {.name = "damaged", .nullable = true, .help = "why it could not be read whole"},
    {.name = "team", .optional = true},
    {.name = "flags",
     .kind = OUTPUT_LIST,
     .optional = true,
     .help = "what is doubtful about the message"},
    {0},
};

const struct output_spec outputs_sent[] = {
    VERSION,
    {.name = "id"},
    {.name = "to"},
    {.name = "queued",
     .kind = OUTPUT_TRUTH,
     .optional = true,
     .help = "it waits until its place in the mailbox is free"},
    {.name = "taken",
     .kind = OUTPUT_TRUTH,
     .optional = true,
     .help = "the recipient's program has taken it already"},
    {.name = "delivered_to", .kind = OUTPUT_LIST, .optional = true, .help = "who sees it"},
    {0},
};

const struct output_spec outputs_marked[] = {
    VERSION,
    {.name = "id"},
    {.name = "status"},
    {.name = "local",
     .kind = OUTPUT_TRUTH,
     .optional = true,
     .help = "the mailbox has no place for it: others do not see it"},
    {0},
};

const struct output_spec outputs_agent[] = {
    VERSION,
    {.name = "agent"},
    {.name = "team", .nullable = true},
    {.name = "address", .help = "what to takes"},
    {.name = "state"},
    {.name = "why", .optional = true},
    {0},
};

static void add_spec(struct str *out, const struct output_spec *spec)
{
    static const char *const types[] = {[OUTPUT_WORDS] = "string",
                                        [OUTPUT_WHOLE] = "integer",
                                        [OUTPUT_TRUTH] = "boolean",
                                        [OUTPUT_LIST] = "array"};
    const char *comma = "";

    str_addf(out, "\"%s\":{", spec->name);
    if (spec->kind != OUTPUT_ANY) {
        str_addf(out, spec->nullable ? "\"type\":[\"%s\",\"null\"]" : "\"type\":\"%s\"",
                 types[spec->kind]);
        comma = ",";
    }
    if (spec->kind == OUTPUT_LIST)
        str_puts(out, ",\"items\":{\"type\":\"string\"}");
    if (spec->help) {
        str_addf(out, "%s\"description\":", comma);
        json_put_text(out, span_of(spec->help), &json_style_line);
    }
    str_putc(out, '}');
}

/* `last` is one more member, or NULL. */
static void add_object(struct str *out, const struct output_spec *specs,
                       const struct output_spec *last)
{
    const char *comma = "";

    str_puts(out, "{\"type\":\"object\",\"properties\":{");
    for (const struct output_spec *spec = specs; spec->name; spec++, comma = ",") {
        str_puts(out, comma);
        add_spec(out, spec);
    }
    if (last) {
        str_putc(out, ',');
        add_spec(out, last);
    }
    str_puts(out, "},\"required\":[");
    comma = "";
    for (const struct output_spec *spec = specs; spec->name; spec++)
        if (!spec->optional) {
            str_addf(out, "%s\"%s\"", comma, spec->name);
            comma = ",";
        }
    str_puts(out, "]}");
}

void outputs_add_schema(struct str *out, const struct output_spec *specs, const char *list)
{
    static const struct output_spec version = VERSION, remarks = REMARKS;

    if (!list) {
        add_object(out, specs, &remarks);
        return;
    }
    str_puts(out, "{\"type\":\"object\",\"properties\":{");
    add_spec(out, &version);
    str_addf(out, ",\"%s\":{\"type\":\"array\",\"items\":", list);
    add_object(out, specs, NULL);
    str_puts(out, "},");
    add_spec(out, &remarks);
    str_addf(out, "},\"required\":[\"v\",\"%s\"]}", list);
}
