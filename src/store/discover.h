/* Discovery: where mailbox trees usually lie. */
#ifndef STORE_DISCOVER_H
#define STORE_DISCOVER_H

#include "store/format.h"

/* Calls `found` with FORMAT:PATH for every tree of the layout at its usual places: beneath the
 * working directory and those above it, and in the home directory. Appends to `looked` where it
 * looked. Stops and returns false when `found` does. */
bool discover(const struct format *format, bool (*found)(void *context, const char *spec),
              void *context, struct str *looked);

bool path_is_dir(const char *path);
/* A path with ~/ or $VARIABLE at its start replaced; NULL when there is no such variable or home.
 * The caller frees it. */
char *path_expand(const char *path);

#endif
