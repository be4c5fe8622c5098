/* Times: microseconds since the epoch, parsed from and printed in every form that the layouts
 * use. */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include "base/str.h"

#include <stdint.h>

/* No time given, or none that could be parsed. */
#define TIME_NONE INT64_MIN

enum time_zone {
    TIME_LOCAL, /* the text names no zone: local time */
    TIME_ZONED, /* the text ends in Z or an offset */
    TIME_NAMED, /* less strict: the name of a zone, a small z, or a blank before the zone */
};

/* Parses YYYY-MM-DD[THH[:MM[:SS[.fraction]]]] with any character for the T, also without dashes and
 * colons, optionally followed by Z, +hh[[:]mm], or UTC, GMT and the North American zone names. The
 * whole text must match. In an hour that happens twice the first is meant. Returns TIME_NONE if the
 * text is no such time. */
int64_t time_parse(struct span text, enum time_zone *zone);
/* Like time_parse(), but a text without a zone is in the zone `own`; NULL: the local zone. */
struct zone;
int64_t time_parse_in(const struct zone *own, struct span text, enum time_zone *zone);

/* Appends 2026-01-04T00:53:21.667898 in local time without a zone, as Python's isoformat() does: no
 * decimals if the microseconds are zero. */
void time_add_local(struct str *out, int64_t time_us);
/* Like time_add_local(), but in the zone `own`; NULL: the local zone. */
void time_add_local_in(const struct zone *own, struct str *out, int64_t time_us);
/* Appends RFC 3339 in UTC with zero, three or six decimals, as many as the value needs. */
void time_add_utc(struct str *out, int64_t time_us);
/* Like time_add_utc(), but always with three decimals, as JavaScript writes it. */
void time_add_utc_ms(struct str *out, int64_t time_us);
/* Appends the local time in a strftime format. */
void time_add_format(struct str *out, int64_t time_us, const char *format);
/* Appends an age such as 12s, 2m, 3h, 5d; "now" if it is less than a second or negative. */
void time_add_age(struct str *out, int64_t age_us);
/* Appends how far a moment is: "2m ago", "in 3m", or "now" for less than a second either way. */
void time_add_distance(struct str *out, int64_t time_us, int64_t now_us);
/* Returns the moment until which time_add_distance() prints the same text. */
int64_t time_distance_lasts(int64_t time_us, int64_t now_us);
/* Reports whether more than `limit_us` has passed since `since_us`. If not yet, sets *next_us to
 * the first moment when it has, if that is sooner than its current value. */
bool time_is_over(int64_t since_us, int64_t limit_us, int64_t now_us, int64_t *next_us);

/* Returns the wall clock. */
int64_t time_now(void);
/* Returns a clock that never jumps, for measuring durations. */
int64_t time_steady(void);
/* Returns the time left until `due_us` by that clock: 0 if it is past, TIME_NONE for TIME_NONE. */
int64_t time_left(int64_t due_us);
/* Sets *due_us to `other_us` if that is sooner; TIME_NONE means never. */
void time_min(int64_t *due_us, int64_t other_us);
/* Sleeps for `us` microseconds; returns at once if it is not positive. */
void time_sleep(int64_t us);
/* Returns the timeout in milliseconds to give to poll(), rounded up so that the time is over when
 * poll() returns. */
int time_poll_ms(int64_t left_us);

/* Parses 90, 90s, 30m, 2h, 7d, 1w, 300ms and sums of them (1h30m) into microseconds. A bare number
 * is in seconds. Returns false if the text is no duration or is longer than a century. */
bool time_duration(struct span text, int64_t *us);

#endif
