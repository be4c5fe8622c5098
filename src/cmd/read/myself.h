/* Who we say we are: a name that nobody has, and that is near one that somebody has. */
#ifndef CMD_READ_MYSELF_H
#define CMD_READ_MYSELF_H

#include "store/store.h"

/* Appends a sentence when the name, as --as takes it, is likely mistyped; nothing when somebody is
 * called that, has written under it, or nobody's name is near: a person may be new. */
void myself_add_doubt(struct str *out, struct store *store, struct span name);

/* Adds the names that a source knows as they would be typed: with the team or the swarm where the
 * typed one has some. */
void myself_add_names(struct span_list *names, struct store *store, uint32_t index,
                      struct span typed, struct arena *arena);

#endif
