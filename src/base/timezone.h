/* Time zones other than the local one, for times without a zone that were written in another zone.
 * They are read from the system's files in $TZDIR or /usr/share/zoneinfo. */
#ifndef BASE_TIMEZONE_H
#define BASE_TIMEZONE_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

struct zone;

/* Opens a zone by its name, such as Europe/Berlin. Returns NULL and fills the error if there is
 * none. The caller frees it. */
struct zone *zone_open(const char *name, struct err *err);
/* Parses the bytes of a zone file. Returns NULL if they are not valid. The caller frees the
 * zone. */
struct zone *zone_read(struct span bytes);
void zone_free(struct zone *zone);

/* Returns the zone's offset in seconds east of UTC at a moment, in seconds since the epoch. */
int64_t zone_offset(const struct zone *zone, int64_t utc_s);
/* Returns the moment when the zone's clocks show `local_s` (seconds since the epoch as if they
 * showed UTC). In an hour that happens twice the first is meant; in an hour that is skipped the
 * clocks count as not yet changed. */
int64_t zone_instant(const struct zone *zone, int64_t local_s);

#endif
