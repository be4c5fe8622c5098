/* YAML as a row of events: nothing is built, and no alias is ever followed. */
#ifndef STORE_LAYOUTS_YAML_EVENTS_H
#define STORE_LAYOUTS_YAML_EVENTS_H

#include "base/err.h"
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

#endif
