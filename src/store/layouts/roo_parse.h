/* YAML as a sequence of events, and front matter. Builds no tree and follows no alias. */
#ifndef STORE_LAYOUTS_ROO_PARSE_H
#define STORE_LAYOUTS_ROO_PARSE_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <yaml.h>

struct yaml_events {
    struct span text; /* borrowed until yaml_events_close() */
    yaml_parser_t parser;
    yaml_event_t event; /* the current event */
    bool too_deep;
};

void yaml_events_open(struct yaml_events *in, struct span text, yaml_encoding_t encoding);
void yaml_events_close(struct yaml_events *in);

/* Reads the next event. Returns false at an error in the text. */
bool yaml_events_next(struct yaml_events *in);
/* Skips the start of the stream: the current event is then the start of a document or the end. */
bool yaml_events_begin(struct yaml_events *in);
/* Moves from the first event of a node to its last. Returns false at an error in the text, or if
 * the node is nested deeper than anything that people write. */
bool yaml_events_skip(struct yaml_events *in);

/* Returns the text of the current event if it is a scalar, else absent. Borrowed until the next
 * event. */
struct span yaml_events_scalar(const struct yaml_events *in);

/* Sets the error to the problem and its line. Always returns false. */
bool yaml_events_problem(const struct yaml_events *in, struct err *err);

/* Front matter: the YAML head of a Markdown file, split as gray-matter splits it and read as a flat
 * mapping of texts. */

enum front_split {
    FRONT_NONE,   /* the text does not start with a line of three dashes */
    FRONT_OPEN,   /* it does, but no line closes the head */
    FRONT_CLOSED, /* head and body */
};

/* Parts of the text, borrowed from it. */
struct front_matter {
    struct span language; /* follows the opening dashes; empty: YAML */
    struct span block;    /* the head, from the end of the opening line on */
    struct span body;     /* everything after the closing line */
};

/* Splits off the head. Ignores a byte order mark before the dashes. */
enum front_split front_split(struct span text, struct front_matter *front);

/* Returns true if gray-matter would execute a head in that language. */
bool front_is_program(struct span language);
/* Returns true if the language is YAML, by name or by default. */
bool front_is_yaml(struct span language);

struct front_field {
    struct span key;
    struct span value; /* the text; if it is not simple, its source text */
    bool simple;       /* a plain, quoted or block scalar */
    bool null;         /* empty, ~ or null without quotes */
};

/* The fields of a head. Valid and empty if zero-initialised. */
struct front_fields {
    struct front_field *items;
    size_t count, cap;
    bool irregular;      /* has more than simple fields; what was understood is here */
    bool repeated;       /* a key occurs twice; the last value is kept */
    bool failed;         /* a part of the head is not YAML; `problem` names the line */
    const char *problem; /* the reason why fields are missing, or NULL; allocated in the arena */
};

/* Reads a head and copies its texts into the arena. Reads at most 64 KiB and 1000 keys. */
void front_read(struct front_fields *fields, struct span block, struct arena *arena);
void front_fields_free(struct front_fields *fields);

/* Returns the text of a simple field; absent if it is missing, null or not simple. */
struct span front_text(const struct front_fields *fields, const char *key);

#endif
