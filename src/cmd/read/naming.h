/* Naming sources, where lines of a list are about several of them. */
#ifndef CMD_READ_NAMING_H
#define CMD_READ_NAMING_H

#include "cmd/app.h"

/* Zero-initialised but for the app: nothing was listed yet. */
struct naming {
    const struct app *app;
    struct span format, root; /* of what is listed first */
    bool several;             /* what is listed lies in more than one source */
};

/* To be told of everything that will be listed, before the first line of it. */
void naming_see(struct naming *naming, struct span format, struct span root);
/* Whether each line has to say which source it is about. */
bool naming_needed(const struct naming *naming);

/* Appends the layout, and the path where that does not tell it from another open source. To be
 * cleaned. */
void naming_add(struct str *out, const struct app *app, struct span format, struct span root);

#endif
