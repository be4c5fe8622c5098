/* Times: parsing and printing, with a cache of the local zone's offset by day. */
#include "base/time.h"

#include "base/timezone.h"

#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#define SECOND_US INT64_C(1000000)
#define DAY_S INT64_C(86400)

/* A date and time as written, before any zone is applied. */
struct civil {
    int64_t seconds; /* since 1970-01-01T00:00:00 in a zone that is not known yet */
    int micros;
};

/* Returns the days since 1970-01-01 in the proleptic Gregorian calendar. */
static int64_t days_from_date(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    return era * 146097 + day_of_era - 719468;
}

static int month_days(int year, int month)
{
    static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return month == 2 && leap ? 29 : days[month - 1];
}

/* Removes exactly `digits` digits from the front. */
static bool take_number(struct span *rest, int digits, int *value)
{
    if (rest->len < (size_t)digits)
        return false;
    *value = 0;
    for (int i = 0; i < digits; i++) {
        if (rest->at[i] < '0' || rest->at[i] > '9')
            return false;
        *value = *value * 10 + (rest->at[i] - '0');
    }
    rest->at += digits;
    rest->len -= (size_t)digits;
    return true;
}

static bool take_date(struct span *rest, struct civil *out)
{
    int year, month, day;

    if (!take_number(rest, 4, &year))
        return false;
    bool dashes = span_take_char(rest, '-');
    if (!take_number(rest, 2, &month) || (dashes && !span_take_char(rest, '-')) ||
        !take_number(rest, 2, &day))
        return false;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > month_days(year, month))
        return false;
    out->seconds = days_from_date(year, month, day) * DAY_S;
    out->micros = 0;
    return true;
}

static bool take_fraction(struct span *rest, int *micros)
{
    int scale = 100000, digits = 0;

    *micros = 0;
    for (; rest->len && rest->at[0] >= '0' && rest->at[0] <= '9'; digits++) {
        *micros += (rest->at[0] - '0') * scale;
        scale /= 10;
        rest->at++;
        rest->len--;
    }
    return digits > 0;
}

static bool take_clock(struct span *rest, struct civil *out)
{
    int hour, minute = 0, second = 0;

    if (!take_number(rest, 2, &hour))
        return false;
    bool colons = span_take_char(rest, ':');
    bool minutes = colons || (rest->len && rest->at[0] >= '0' && rest->at[0] <= '9');
    if (minutes && !take_number(rest, 2, &minute))
        return false;
    if (colons ? span_take_char(rest, ':')
               : rest->len && rest->at[0] >= '0' && rest->at[0] <= '9') {
        if (!take_number(rest, 2, &second))
            return false;
        if ((span_take_char(rest, '.') || span_take_char(rest, ',')) &&
            !take_fraction(rest, &out->micros))
            return false;
    }
    if (hour > 23 || minute > 59 || second > 59)
        return false;
    out->seconds += hour * 3600 + minute * 60 + second;
    return true;
}

/* Parses the zone after a time: Z, an offset or a zone's name. Sets *offset to seconds east of
 * UTC. */
static bool read_zone(struct span rest, int *offset, enum time_zone *zone)
{
    static const struct {
        const char *name;
        int hours;
    } names[] = {{"Z", 0},    {"UTC", 0},  {"GMT", 0},  {"EST", -5}, {"EDT", -4}, {"CST", -6},
                 {"CDT", -5}, {"MST", -7}, {"MDT", -6}, {"PST", -8}, {"PDT", -7}};

    bool blank = span_take_char(&rest, ' ');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (span_is_nocase(rest, names[i].name)) {
            *offset = names[i].hours * 3600;
            *zone = rest.at[0] == 'Z' && !blank ? TIME_ZONED : TIME_NAMED;
            return true;
        }
    }
    bool east = span_take_char(&rest, '+');
    int hours, minutes = 0;
    if ((!east && !span_take_char(&rest, '-')) || !take_number(&rest, 2, &hours))
        return false;
    bool colon = span_take_char(&rest, ':');
    if ((colon || rest.len) && !take_number(&rest, 2, &minutes))
        return false;
    if (rest.len || hours > 23 || minutes > 59)
        return false;
    *offset = (east ? 1 : -1) * (hours * 3600 + minutes * 60);
    *zone = blank ? TIME_NAMED : TIME_ZONED;
    return true;
}

static int64_t local_to_utc(int64_t seconds)
{
    time_t as_utc = seconds;
    struct tm tm;

    if (!gmtime_r(&as_utc, &tm))
        return TIME_NONE;
    struct tm summer = tm;
    tm.tm_isdst = -1;
    summer.tm_isdst = 1;
    int64_t found = mktime(&tm);
    if (!daylight) /* the zone has no summer time: searching for one is slow */
        return found;
    int64_t earlier = mktime(&summer);
    /* mktime() may return either of an hour that happens twice; Python, and so this program, uses
     * the first. The summer reading is one of the two only if mktime() left its time of day
     * unchanged. */
    bool twice = earlier < found && summer.tm_isdst > 0 && summer.tm_hour == tm.tm_hour &&
                 summer.tm_min == tm.tm_min && summer.tm_mday == tm.tm_mday;
    return twice ? earlier : found;
}

/* mktime() is slow compared with parsing a message and takes a lock, and nearly all days have one
 * offset from start to end. All threads share a cache of the offsets, by day; it covers years
 * because mail comes in any order. An entry is one word, day and offset, so that concurrent writers
 * cannot tear it. */
static int64_t local_instant(int64_t seconds)
{
    enum { DAYS = 4096, FILLED = 1 << 30 };
    static _Atomic uint64_t known[DAYS];
    int64_t day = (seconds >= 0 ? seconds : seconds - DAY_S + 1) / DAY_S;
    _Atomic uint64_t *slot = &known[(uint64_t)day % DAYS];
    uint64_t entry = atomic_load_explicit(slot, memory_order_relaxed);

    if (!entry || entry >> 32 != (uint32_t)day) {
        int64_t begin = local_to_utc(day * DAY_S) - day * DAY_S;
        int64_t end = local_to_utc((day + 1) * DAY_S) - (day + 1) * DAY_S;
        if (begin != end)
            return local_to_utc(seconds);
        entry = (uint64_t)(uint32_t)day << 32 | (uint32_t)(begin + FILLED);
        atomic_store_explicit(slot, entry, memory_order_relaxed);
    }
    return seconds + (int64_t)(uint32_t)entry - FILLED;
}

int64_t time_parse(struct span text, enum time_zone *zone)
{
    return time_parse_in(NULL, text, zone);
}

int64_t time_parse_in(const struct zone *own, struct span text, enum time_zone *zone)
{
    struct span rest = text;
    struct civil civil;
    int offset;

    if (!take_date(&rest, &civil))
        return TIME_NONE;
    if (rest.len) {
        if (rest.at[0] >= '0' && rest.at[0] <= '9') /* one character between date and time */
            return TIME_NONE;
        rest.at++;
        rest.len--;
        if (!take_clock(&rest, &civil))
            return TIME_NONE;
    }
    *zone = TIME_LOCAL;
    if (!rest.len) {
        int64_t seconds = own ? zone_instant(own, civil.seconds) : local_instant(civil.seconds);
        return seconds * SECOND_US + civil.micros;
    }
    if (!read_zone(rest, &offset, zone))
        return TIME_NONE;
    return (civil.seconds - offset) * SECOND_US + civil.micros;
}

/* Splits into whole seconds and microseconds (0 or more), also before the epoch. */
static time_t split_seconds(int64_t time_us, int *micros)
{
    int64_t seconds = time_us / SECOND_US;

    *micros = (int)(time_us % SECOND_US);
    if (*micros < 0) {
        *micros += (int)SECOND_US;
        seconds--;
    }
    return seconds;
}

static void add_tm(struct str *out, const struct tm *tm)
{
    str_addf(out, "%04d-%02d-%02dT%02d:%02d:%02d", tm->tm_year + 1900, tm->tm_mon + 1, tm->tm_mday,
             tm->tm_hour, tm->tm_min, tm->tm_sec);
}

void time_add_local(struct str *out, int64_t time_us)
{
    time_add_local_in(NULL, out, time_us);
}

void time_add_local_in(const struct zone *own, struct str *out, int64_t time_us)
{
    int micros;
    time_t seconds = split_seconds(time_us, &micros);
    struct tm tm = {0};

    if (own) {
        seconds += zone_offset(own, seconds);
        gmtime_r(&seconds, &tm);
    } else {
        localtime_r(&seconds, &tm);
    }
    add_tm(out, &tm);
    if (micros)
        str_addf(out, ".%06d", micros);
}

static int add_utc(struct str *out, int64_t time_us)
{
    int micros;
    time_t seconds = split_seconds(time_us, &micros);
    struct tm tm = {0};

    gmtime_r(&seconds, &tm);
    add_tm(out, &tm);
    return micros;
}

void time_add_utc_ms(struct str *out, int64_t time_us)
{
    str_addf(out, ".%03dZ", add_utc(out, time_us) / 1000);
}

void time_add_utc(struct str *out, int64_t time_us)
{
    int micros = add_utc(out, time_us);

    if (micros % 1000)
        str_addf(out, ".%06d", micros);
    else if (micros)
        str_addf(out, ".%03d", micros / 1000);
    str_putc(out, 'Z');
}

void time_add_format(struct str *out, int64_t time_us, const char *format)
{
    int micros;
    time_t seconds = split_seconds(time_us, &micros);
    struct tm tm = {0};
    char text[128];

    localtime_r(&seconds, &tm);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    size_t len = strftime(text, sizeof text, format, &tm);
#pragma GCC diagnostic pop
    str_add(out, text, len);
}

void time_add_age(struct str *out, int64_t age_us)
{
    int64_t seconds = age_us / SECOND_US;

    if (seconds <= 0)
        str_puts(out, "now");
    else if (seconds < 60)
        str_addf(out, "%ds", (int)seconds);
    else if (seconds < 3600)
        str_addf(out, "%dm", (int)(seconds / 60));
    else if (seconds < DAY_S)
        str_addf(out, "%dh", (int)(seconds / 3600));
    else
        str_addf(out, "%dd", (int)(seconds / DAY_S));
}

void time_add_distance(struct str *out, int64_t time_us, int64_t now_us)
{
    int64_t age_us;

    if (__builtin_sub_overflow(now_us, time_us, &age_us))
        age_us = time_us < now_us ? INT64_MAX : -INT64_MAX;
    if (age_us <= -SECOND_US)
        str_puts(out, "in ");
    time_add_age(out, age_us < 0 ? -age_us : age_us);
    if (age_us >= SECOND_US)
        str_puts(out, " ago");
}

int64_t time_distance_lasts(int64_t time_us, int64_t now_us)
{
    int64_t age_us, unit_us = SECOND_US;

    if (__builtin_sub_overflow(now_us, time_us, &age_us))
        return INT64_MAX;
    if (age_us >= DAY_S * SECOND_US)
        unit_us = DAY_S * SECOND_US;
    else if (age_us >= 3600 * SECOND_US)
        unit_us = 3600 * SECOND_US;
    else if (age_us >= 60 * SECOND_US)
        unit_us = 60 * SECOND_US;
    else if (age_us < 0)
        return now_us + SECOND_US;
    return now_us + unit_us - age_us % unit_us;
}

bool time_is_over(int64_t since_us, int64_t limit_us, int64_t now_us, int64_t *next_us)
{
    int64_t due_us;

    if (since_us == TIME_NONE || __builtin_add_overflow(since_us, limit_us, &due_us))
        return false;
    if (now_us > due_us)
        return true;
    if (due_us < INT64_MAX)
        time_min(next_us, due_us + 1);
    return false;
}

int64_t time_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * SECOND_US + now.tv_nsec / 1000;
}

int64_t time_steady(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND_US + now.tv_nsec / 1000;
}

int64_t time_left(int64_t due_us)
{
    if (due_us == TIME_NONE)
        return TIME_NONE;
    int64_t left_us = due_us - time_steady();
    return left_us > 0 ? left_us : 0;
}

void time_min(int64_t *due_us, int64_t other_us)
{
    if (other_us != TIME_NONE && (*due_us == TIME_NONE || other_us < *due_us))
        *due_us = other_us;
}

void time_sleep(int64_t us)
{
    struct timespec pause = {us / 1000000, us % 1000000 * 1000};

    while (us > 0 && nanosleep(&pause, &pause) < 0 && errno == EINTR)
        ;
}

int time_poll_ms(int64_t left_us)
{
    static const int64_t longest_us = INT64_C(86400000000); /* a day: such wakeups cost nothing */

    if (left_us <= 0)
        return 0;
    return (int)((left_us < longest_us ? left_us : longest_us) / 1000) + 1;
}

bool time_duration(struct span text, int64_t *us)
{
    static const struct {
        const char *unit;
        int64_t us;
    } units[] = {{"ms", 1000},
                 {"s", SECOND_US},
                 {"m", 60 * SECOND_US},
                 {"h", 3600 * SECOND_US},
                 {"d", DAY_S * SECOND_US},
                 {"w", 7 * DAY_S * SECOND_US}};
    const int64_t most = INT64_C(100) * 366 * DAY_S * SECOND_US; /* a century, far from overflow */
    int64_t total = 0;

    if (!text.len)
        return false;
    while (text.len) {
        int64_t number = 0, unit = 0;
        size_t digits = 0, used;
        for (; digits < text.len && text.at[digits] >= '0' && text.at[digits] <= '9'; digits++) {
            number = number * 10 + (text.at[digits] - '0');
            if (number > most)
                return false;
        }
        if (!digits)
            return false;
        if ((used = digits) == text.len)
            unit = SECOND_US;
        for (size_t i = 0; !unit && i < sizeof units / sizeof *units; i++) {
            struct span word = span_of(units[i].unit);
            if (span_starts((struct span){text.at + digits, text.len - digits}, word)) {
                unit = units[i].us;
                used += word.len;
            }
        }
        if (!unit || number > most / unit || (total += number * unit) > most)
            return false;
        text.at += used;
        text.len -= used;
    }
    *us = total;
    return true;
}
