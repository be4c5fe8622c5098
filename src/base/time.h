/* Times: microseconds since the epoch, in and out of every form the layouts use. */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include "base/str.h"

#include <stdint.h>

/* No time given, or none that can be read. */
#define TIME_NONE INT64_MIN

enum time_zone {
    TIME_LOCAL, /* the text names no zone: it is in ours */
    TIME_ZONED, /* the text ends in Z or an offset */
    TIME_NAMED, /* looser: the name of a zone, a small z, or a blank before the zone */
};

/* Reads YYYY-MM-DD[THH[:MM[:SS[.fraction]]]], any character for the T, also without dashes and
 * colons, with nothing, Z, +hh[[:]mm], or UTC, GMT and the North American zone names behind it. The
 * whole text must match. Of an hour that happens twice the first is meant. TIME_NONE when it is no
 * such time. */
int64_t time_parse(struct span text, enum time_zone *zone);
/* The same where a text without a zone is in that one; NULL: ours. */
struct zone;
int64_t time_parse_in(const struct zone *own, struct span text, enum time_zone *zone);

/* Appends 2026-01-04T00:53:21.667898 in local time without a zone, as Python's isoformat() does:
 * no decimals when the microseconds are zero. */
void time_add_local(struct str *out, int64_t time_us);
/* The same in that zone; NULL: ours. */
void time_add_local_in(const struct zone *own, struct str *out, int64_t time_us);
/* Appends RFC 3339 in UTC with none, three or six decimals, as many as the value needs. */
void time_add_utc(struct str *out, int64_t time_us);
/* The same with three decimals, always, as JavaScript writes it. */
void time_add_utc_ms(struct str *out, int64_t time_us);
/* Appends the local time in a strftime format. */
void time_add_format(struct str *out, int64_t time_us, const char *format);
/* Appends an age such as 12s, 2m, 3h, 5d; times in the future are "now". */
void time_add_age(struct str *out, int64_t age_us);
/* Appends how far a moment is: "2m ago", "in 3m", and "now" for less than a second either way. */
void time_add_distance(struct str *out, int64_t time_us, int64_t now_us);
/* Until when that says the same, if the clock goes on. */
int64_t time_distance_lasts(int64_t time_us, int64_t now_us);
/* Whether something has lasted longer than the limit. If not yet, *next_us becomes the moment from
 * which it has, where that is sooner. */
bool time_is_over(int64_t since_us, int64_t limit_us, int64_t now_us, int64_t *next_us);

/* The wall clock. */
int64_t time_now(void);
/* A clock that never jumps, for how long something takes. */
int64_t time_steady(void);
/* How much time is left until then by that clock; 0 when it is past, TIME_NONE for TIME_NONE. */
int64_t time_left(int64_t due_us);
/* Makes it that time where that is sooner; TIME_NONE is never. */
void time_take_sooner(int64_t *due_us, int64_t other_us);
/* Sleeps that long; not at all for less than a microsecond. */
void time_sleep(int64_t us);
/* How many milliseconds poll() may wait for that long, rounded up so that it is over then. */
int time_poll_ms(int64_t left_us);

/* Reads 90, 90s, 30m, 2h, 7d, 1w, 300ms and sums of them (1h30m) into microseconds. A bare number
 * is in seconds. False when the text is no duration or too long to count. */
bool time_duration(struct span text, int64_t *us);

#endif
