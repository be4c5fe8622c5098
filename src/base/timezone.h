/* Time zones of their own: for times without a zone that were not written in the one of this
 * process. They are read from the system's files, where $TZDIR or /usr/share/zoneinfo has them. */
#ifndef BASE_TIMEZONE_H
#define BASE_TIMEZONE_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

struct zone;

/* By its name, such as Europe/Berlin; NULL, with the reason, when there is none. */
struct zone *zone_open(const char *name, struct err *err);
/* From the bytes of such a file; NULL when they are no time zone. */
struct zone *zone_read(struct span bytes);
void zone_free(struct zone *zone);

/* How many seconds east of UTC its clocks are at that moment, in seconds since the epoch. */
int64_t zone_offset(const struct zone *zone, int64_t utc_s);
/* When its clocks show that, in seconds since the epoch as if they showed UTC. Of an hour that
 * happens twice the first is meant; in one that is left out the clocks count as not yet changed. */
int64_t zone_instant(const struct zone *zone, int64_t local_s);

#endif
