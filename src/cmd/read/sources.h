/* Who we say we are: a name that nobody has, and that is near one that somebody has. */
#ifndef CMD_READ_SOURCES_H
#define CMD_READ_SOURCES_H

#include "cmd/app.h"
#include "store/store.h"

/* Appends a sentence when the name, as --as takes it, is likely mistyped; nothing when somebody is
 * called that, has written under it, or nobody's name is near: a person may be new. */
void identity_check_add_doubt(struct str *out, struct store *store, struct span name);

/* Adds the names that a source knows as they would be typed: with the team or the swarm where the
 * typed one has some. */
void identity_check_add_names(struct span_list *names, struct store *store, uint32_t index,
                              struct span typed, struct arena *arena);

/* Naming sources, where lines of a list are about several of them. */

/* Zero-initialised but for the app: nothing was listed yet. */
struct naming {
    const struct app *app;
    struct span format, root; /* of what is listed first */
    bool several;             /* what is listed lies in more than one source */
};

/* To be told of everything that will be listed, before the first line of it. */
void source_label_see(struct naming *naming, struct span format, struct span root);
/* Whether each line has to say which source it is about. */
bool source_label_needed(const struct naming *naming);

/* Appends the layout, and the path where that does not tell it from another open source. To be
 * cleaned. */
void source_label_add(struct str *out, const struct app *app, struct span format, struct span root);

#endif
