/* Arguments: what a tool accepts, as a table, and what a call passes.
 *
 * The same table produces the schema that models see and validates what they send. */
#ifndef MCP_ARGUMENTS_H
#define MCP_ARGUMENTS_H

#include "base/json/json.h"
#include "base/str.h"

enum argument_kind { ARGUMENT_TEXT, ARGUMENT_TEXTS, ARGUMENT_FLAG, ARGUMENT_NUMBER };

struct argument_spec {
    const char *name;
    const char *help; /* description for the model */
    enum argument_kind kind;
    bool needed;
    bool blank; /* the text may be empty */
    /* The allowed texts as word(0), word(1) and so on up to NULL; NULL if any text is allowed. */
    const char *(*word)(unsigned number);
    bool fractions; /* a number may have a fraction, though the schema asks for whole numbers */
    int least, most, usual; /* range of a number, and its default */
    const char *option;     /* of the command that does the work; NULL: not an option */
};

struct argument {
    const struct argument_spec *spec;
    struct span text;       /* terminated, UTF-8 and without NUL */
    struct span_list texts; /* like text, for ARGUMENT_TEXTS */
    bool flag;
    double number;
};

/* The arguments of one call; zero-initialised is empty and valid. */
struct arguments {
    struct argument *items; /* the arguments that were passed, in the order of the call */
    size_t count;
    struct arena arena;
};

/* Validates an object (or JSON_ABSENT, for none) against the specs, which end with a NULL name.
 * Returns false with the first error, one sentence that names the tool and the argument. `self` is
 * the caller's own name, for the sentence that refuses an argument such as "from". The caller frees
 * the arguments in any case. */
bool arguments_read(struct arguments *arguments, const char *tool,
                    const struct argument_spec *specs, struct json object, const char *self,
                    struct err *err);
void arguments_free(struct arguments *arguments);

/* Returns the argument, or NULL if it was not passed. */
const struct argument *arguments_get(const struct arguments *arguments, const char *name);
/* Return the text, absent if it was not passed, and the number or its default. */
struct span arguments_text(const struct arguments *arguments, const char *name);
double arguments_number(const struct arguments *arguments, const struct argument_spec *specs,
                        const char *name);

/* Appends the JSON Schema of the arguments object. */
void arguments_add_schema(struct str *out, const struct argument_spec *specs);

#endif
