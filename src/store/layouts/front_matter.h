/* YAML as a row of events: nothing is built, and no alias is ever followed. */
#ifndef STORE_LAYOUTS_FRONT_MATTER_H
#define STORE_LAYOUTS_FRONT_MATTER_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

#include <yaml.h>

struct yaml_events {
    struct span text; /* borrowed until yaml_events_close() */
    yaml_parser_t parser;
    yaml_event_t event; /* the present one */
    bool too_deep;
};

void yaml_events_open(struct yaml_events *in, struct span text, yaml_encoding_t encoding);
void yaml_events_close(struct yaml_events *in);

/* Goes on to the next event. False at a mistake in the text. */
bool yaml_events_next(struct yaml_events *in);
/* Goes on to what follows the beginning of the text: a document, or the end. */
bool yaml_events_begin(struct yaml_events *in);
/* From the first event of a node to its last. False at a mistake in the text, and when the node is
 * nested deeper than anything that people write. */
bool yaml_events_skip(struct yaml_events *in);

/* The text of the present event if it is a scalar, else absent. Borrowed until the next event. */
struct span yaml_events_scalar(const struct yaml_events *in);

/* What is wrong with the text, and in which line. Always returns false. */
bool yaml_events_problem(const struct yaml_events *in, struct err *err);

/* Front matter: the YAML head of a Markdown file, split as gray-matter does and read as a flat
 * mapping of texts. */

enum front_split {
    FRONT_NONE,   /* the text does not start with a line of three dashes */
    FRONT_OPEN,   /* it does, but no line closes the head */
    FRONT_CLOSED, /* head and body */
};

/* Parts of the text that was split. */
struct front_matter {
    struct span language; /* what stands behind the opening dashes; empty: YAML */
    struct span block;    /* the head, from the end of the opening line's text on */
    struct span body;     /* exactly what follows the closing line */
};

/* A byte order mark before the dashes is passed over. */
enum front_split front_split(struct span text, struct front_matter *front);

/* Whether the usual reader would run a head in that language as a program. */
bool front_is_program(struct span language);
/* Whether it is YAML, by name or by default. */
bool front_is_yaml(struct span language);

struct front_field {
    struct span key;
    struct span value; /* the text; where it is no simple text, what stands in the head for it */
    bool simple;       /* a plain, quoted or block scalar */
    bool null;         /* nothing, ~ or null without quotes */
};

/* Zero-initialised is empty and valid. */
struct front_fields {
    struct front_field *items;
    size_t count, cap;
    bool irregular;      /* the head is more than simple fields; what could be understood is here */
    bool repeated;       /* a key stands twice; its last value is kept */
    bool failed;         /* it is no YAML from some line on; the problem says which */
    const char *problem; /* why something is missing here, or NULL; lives in the arena */
};

/* Reads a head. Texts are copied into the arena. Heads of more than 64 KiB or 1000 keys are read up
 * to there. */
void front_read(struct front_fields *fields, struct span block, struct arena *arena);
void front_fields_free(struct front_fields *fields);

/* The text of a simple field; absent when it is missing, null or not simple. */
struct span front_text(const struct front_fields *fields, const char *key);

#endif
