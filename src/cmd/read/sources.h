/* Sources in the output of commands, and the check of the name that --as gives. */
#ifndef CMD_READ_SOURCES_H
#define CMD_READ_SOURCES_H

#include "cmd/app.h"
#include "store/store.h"

/* Appends a sentence if the name in --as is probably mistyped. Appends nothing if an agent has this
 * name or has written under it, or if no known name is similar, because a person may be new. */
void identity_check_add_doubt(struct str *out, struct store *store, struct span name);

/* Adds the names that a source knows, in the form in which the person typed `typed`: with the team
 * or swarm if `typed` has one. */
void identity_check_add_names(struct span_list *names, struct store *store, uint32_t index,
                              struct span typed, struct arena *arena);

/* Labels that name the source, for lists whose lines concern several sources. */

/* The sources that occur in a list. Zero-initialise it and set `app`. */
struct naming {
    const struct app *app;
    struct span format, root; /* source of the first line */
    bool several;             /* the list has lines of more than one source */
};

/* Notes the source of a line. Call it for all lines before the first one is printed. */
void source_label_see(struct naming *naming, struct span format, struct span root);
/* Returns true if each line must name its source. */
bool source_label_needed(const struct naming *naming);

/* Appends the layout, and the path if several open sources have that layout or this one is not
 * open. The caller sanitizes the text. */
void source_label_add(struct str *out, const struct app *app, struct span format, struct span root);

#endif
