/* Discovery of mailbox trees in their default places. */
#ifndef STORE_SOURCE_DISCOVER_H
#define STORE_SOURCE_DISCOVER_H

#include "store/format/format.h"

/* Calls `found` with FORMAT:PATH for every tree of the layout in its default places: below the
 * working directory and those above it, and in the home directory. Appends the places that were
 * searched to `looked`. Stops and returns false when `found` does. */
bool discover(const struct format *format, bool (*found)(void *context, const char *spec),
              void *context, struct str *looked);

/* Calls `missing` with each directory whose creation would make a tree found: one below the working
 * directory, and those in the home directory, where the layout has none. */
void discover_missing(const struct format *format, void (*missing)(void *context, const char *path),
                      void *context);

/* True if the directory has the part that identifies the layout, even if it is empty: the first
 * component of the first marker, if that is a name. */
bool discover_is_there(const struct format *format, const char *path);
/* True if discover_is_there() holds and the path is a default place, or has a name that no other
 * layout has. */
bool discover_knows(const struct format *format, const char *path);

bool path_is_dir(const char *path);
/* Returns the path with ~/ or $VARIABLE at its start replaced; NULL if there is no such variable or
 * home. The caller frees it. */
char *path_expand(const char *path);

#endif
