/* Outputs: what a tool gives back, as a table from which the schema that clients see is made. */
#ifndef MCP_OUTPUTS_H
#define MCP_OUTPUTS_H

#include "base/str.h"

enum output_kind {
    OUTPUT_WORDS, /* a text */
    OUTPUT_WHOLE, /* a whole number */
    OUTPUT_TRUTH, /* true or false */
    OUTPUT_LIST,  /* a list of texts */
    OUTPUT_ANY,   /* whatever JSON was in the message */
};

struct output_spec {
    const char *name;
    enum output_kind kind;
    bool nullable;
    bool optional;    /* is not there in every object */
    const char *help; /* for a model; or NULL */
};

/* Tables end with a NULL name. */
extern const struct output_spec outputs_message[]; /* a message */
extern const struct output_spec outputs_sent[];    /* a message that was sent */
extern const struct output_spec outputs_marked[];  /* a message whose state was changed */
extern const struct output_spec outputs_agent[];   /* an agent */

/* Appends the JSON Schema of a result: such an object or, under `list`, a list of such objects. */
void outputs_add_schema(struct str *out, const struct output_spec *specs, const char *list);

#endif
