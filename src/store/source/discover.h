/* Discovery: where mailbox trees usually lie. */
#ifndef STORE_SOURCE_DISCOVER_H
#define STORE_SOURCE_DISCOVER_H

#include "store/format/format.h"

/* Calls `found` with FORMAT:PATH for every tree of the layout at its usual places: beneath the
 * working directory and those above it, and in the home directory. Appends to `looked` where it
 * looked. Stops and returns false when `found` does. */
bool discover(const struct format *format, bool (*found)(void *context, const char *spec),
              void *context, struct str *looked);

/* Calls `missing` with each directory that would make a tree be found: one beneath the working
 * directory, and those in the home directory, where there is none of the layout. */
void discover_missing(const struct format *format, void (*missing)(void *context, const char *path),
                      void *context);

/* Whether the directory has what tells the layout, even when it is empty: a component of the first
 * marker, where that is a name. */
bool discover_is_there(const struct format *format, const char *path);
/* Whether that is so at one of the usual places, or under a name that no other layout has. */
bool discover_knows(const struct format *format, const char *path);

bool path_is_dir(const char *path);
/* A path with ~/ or $VARIABLE at its start replaced; NULL when there is no such variable or home.
 * The caller frees it. */
char *path_expand(const char *path);

#endif
