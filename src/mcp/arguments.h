/* Arguments: what a tool may be given, as a table, and what a call gives it.
 *
 * The same table makes the schema that models see and checks what they send. */
#ifndef MCP_ARGUMENTS_H
#define MCP_ARGUMENTS_H

#include "base/json/json.h"
#include "base/str.h"

enum argument_kind { ARGUMENT_TEXT, ARGUMENT_TEXTS, ARGUMENT_FLAG, ARGUMENT_NUMBER };

struct argument_spec {
    const char *name;
    const char *help; /* for a model */
    enum argument_kind kind;
    bool needed;
    bool blank; /* a text may be empty */
    /* The only ones that a text can be, NULL behind the last one; or NULL. */
    const char *(*word)(unsigned number);
    bool fractions; /* of a number: they are accepted, though the schema asks for whole numbers */
    int least, most, usual; /* of a number; the usual one stands for it where it is not given */
    const char *option;     /* of the command that does the work; NULL: not an option */
};

struct argument {
    const struct argument_spec *spec;
    struct span text;       /* terminated, UTF-8 and without NUL */
    struct span_list texts; /* the same */
    bool flag;
    double number;
};

/* Zero-initialised is empty and valid. */
struct arguments {
    struct argument *items; /* one for each spec that was given, in the order of the call */
    size_t count;
    struct arena arena;
};

/* Checks an object (or JSON_ABSENT, for none) against the specs, which end with a NULL name. The
 * first mistake is one sentence that names the tool and the argument. `self` is who the caller is:
 * who tries to be another is told. The caller frees in any case. */
bool arguments_read(struct arguments *arguments, const char *tool,
                    const struct argument_spec *specs, struct json object, const char *self,
                    struct err *err);
void arguments_free(struct arguments *arguments);

/* NULL when it was not given. */
const struct argument *arguments_get(const struct arguments *arguments, const char *name);
/* The text, absent when it was not given; and the number, or the usual one. */
struct span arguments_text(const struct arguments *arguments, const char *name);
double arguments_number(const struct arguments *arguments, const struct argument_spec *specs,
                        const char *name);

/* Appends the JSON Schema of the object. */
void arguments_add_schema(struct str *out, const struct argument_spec *specs);

#endif
