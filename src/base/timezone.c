/* Time zones: the transitions that a zone file lists, and the rule at its end for the time
 * after. */
#include "base/timezone.h"

#include "base/file/file.h"
#include "base/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { ZONE_BYTES_MAX = 1 << 20, DAY_S = 86400, HEADER = 44 };

/* The rule for a yearly change of the clocks. */
struct change_rule {
    enum { RULE_MONTH, RULE_JULIAN, RULE_DAY } kind;
    int month, week, day;
    int64_t time_s; /* by the clocks before the change */
};

struct zone {
    int64_t *times; /* of the transitions, ascending */
    int64_t *after; /* the offset after each transition */
    size_t count;
    int64_t before; /* the offset before the first transition */
    bool has_rule, has_summer;
    int64_t standard, summer; /* offsets that the rule uses */
    struct change_rule begin, end;
};

/* --- the rule --- */

static bool take_number(struct span *rest, int *number)
{
    size_t digits = 0;

    *number = 0;
    while (rest->len && rest->at[0] >= '0' && rest->at[0] <= '9' && digits++ < 4) {
        *number = *number * 10 + (rest->at[0] - '0');
        rest->at++;
        rest->len--;
    }
    return digits > 0;
}

/* Parses [+-]hh[:mm[:ss]]. */
static bool take_time(struct span *rest, int64_t *seconds)
{
    bool minus = span_take_char(rest, '-');
    int hours, minutes = 0, last = 0;

    if (!minus)
        span_take_char(rest, '+');
    if (!take_number(rest, &hours) || (span_take_char(rest, ':') && !take_number(rest, &minutes)) ||
        (span_take_char(rest, ':') && !take_number(rest, &last)))
        return false;
    *seconds = hours * 3600 + minutes * 60 + last;
    if (minus)
        *seconds = -*seconds;
    return true;
}

static bool take_name(struct span *rest)
{
    size_t len = 0;
    bool quoted = span_take_char(rest, '<');

    while (len < rest->len && (quoted ? rest->at[len] != '>'
                                      : (rest->at[len] >= 'A' && rest->at[len] <= 'Z') ||
                                            (rest->at[len] >= 'a' && rest->at[len] <= 'z')))
        len++;
    rest->at += len;
    rest->len -= len;
    return len && (!quoted || span_take_char(rest, '>'));
}

static bool take_change(struct span *rest, struct change_rule *rule)
{
    bool ok;

    *rule = (struct change_rule){.time_s = 2 * 3600};
    if (!span_take_char(rest, ','))
        return false;
    if (span_take_char(rest, 'M')) {
        rule->kind = RULE_MONTH;
        ok = take_number(rest, &rule->month) && span_take_char(rest, '.') &&
             take_number(rest, &rule->week) && span_take_char(rest, '.') &&
             take_number(rest, &rule->day) && rule->month >= 1 && rule->month <= 12 &&
             rule->week >= 1 && rule->week <= 5 && rule->day <= 6;
    } else {
        rule->kind = span_take_char(rest, 'J') ? RULE_JULIAN : RULE_DAY;
        ok = take_number(rest, &rule->day) && rule->day <= 365;
    }
    return ok && (!span_take_char(rest, '/') || take_time(rest, &rule->time_s));
}

/* Parses a rule such as CET-1CEST,M3.5.0,M10.5.0/3. Offsets in it are west of UTC. */
static bool read_rule(struct zone *zone, struct span rest)
{
    int64_t west;

    if (!take_name(&rest) || !take_time(&rest, &west))
        return false;
    zone->has_rule = true;
    zone->standard = -west;
    if (!rest.len)
        return true;
    zone->has_summer = true;
    zone->summer = zone->standard + 3600;
    if (!take_name(&rest))
        return false;
    if (rest.len && rest.at[0] != ',') {
        if (!take_time(&rest, &west))
            return false;
        zone->summer = -west;
    }
    return take_change(&rest, &zone->begin) && take_change(&rest, &zone->end) && !rest.len;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Returns the days from the epoch to the first of a month, which counts from 1. */
static int64_t days_to(int64_t year, int month)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int64_t past = year - 1;

    return past * 365 + past / 4 - past / 100 + past / 400 - 719162 + before[month - 1] +
           (month > 2 && is_leap(year));
}

static int64_t year_of(int64_t seconds)
{
    int64_t year = 1970 + seconds / (DAY_S * INT64_C(365));

    while (seconds < days_to(year, 1) * DAY_S)
        year--;
    while (seconds >= days_to(year + 1, 1) * DAY_S)
        year++;
    return year;
}

/* Returns the moment of the change in that year, by the clocks before the change. */
static int64_t change_in(const struct change_rule *rule, int64_t year)
{
    int64_t day = days_to(year, 1) + rule->day;

    if (rule->kind == RULE_JULIAN) { /* the 29th of February does not count */
        day += is_leap(year) && rule->day >= 60 ? 0 : -1;
    } else if (rule->kind == RULE_MONTH) {
        int64_t first = days_to(year, rule->month);
        int64_t next = rule->month == 12 ? days_to(year + 1, 1) : days_to(year, rule->month + 1);
        int64_t weekday = ((first + 4) % 7 + 7) % 7; /* the epoch was a Thursday */
        day = first + (rule->day - weekday + 7) % 7 + (rule->week - 1) * 7;
        while (day >= next)
            day -= 7;
    }
    return day * DAY_S + rule->time_s;
}

static int64_t offset_by_rule(const struct zone *zone, int64_t utc_s)
{
    if (!zone->has_summer)
        return zone->standard;
    int64_t year = year_of(utc_s + zone->standard);
    int64_t begin = change_in(&zone->begin, year) - zone->standard;
    int64_t end = change_in(&zone->end, year) - zone->summer;
    bool summer = begin < end ? utc_s >= begin && utc_s < end : utc_s < end || utc_s >= begin;
    return summer ? zone->summer : zone->standard;
}

/* --- the file --- */

static int64_t big_endian(const char *at, size_t bytes)
{
    uint64_t number = (unsigned char)at[0] & 0x80 ? UINT64_MAX : 0;

    for (size_t i = 0; i < bytes; i++)
        number = number << 8 | (unsigned char)at[i];
    return (int64_t)number;
}

struct block {
    size_t times, types, chars, leaps, standards, universals;
    size_t size; /* without the header */
};

static bool read_header(struct span bytes, size_t time_size, struct block *block)
{
    size_t *const counts[] = {&block->universals, &block->standards, &block->leaps,
                              &block->times,      &block->types,     &block->chars};

    if (bytes.len < HEADER || memcmp(bytes.at, "TZif", 4) != 0)
        return false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t count = big_endian(bytes.at + 20 + 4 * i, 4);
        if (count < 0 || count > ZONE_BYTES_MAX)
            return false;
        *counts[i] = (size_t)count;
    }
    block->size = block->times * (time_size + 1) + block->types * 6 + block->chars +
                  block->leaps * (time_size + 4) + block->standards + block->universals;
    return block->types && bytes.len - HEADER >= block->size;
}

static bool read_changes(struct zone *zone, const char *at, const struct block *block)
{
    const char *numbers = at + block->times * 8, *types = numbers + block->times;

    zone->before = big_endian(types, 4);
    zone->times = mem_zero(block->times + 1, sizeof *zone->times);
    zone->after = mem_zero(block->times + 1, sizeof *zone->after);
    for (size_t i = 0; i < block->times; i++) {
        size_t type = (unsigned char)numbers[i];
        if (type >= block->types)
            return false;
        zone->times[i] = big_endian(at + 8 * i, 8);
        zone->after[i] = big_endian(types + 6 * type, 4);
        if (i && zone->times[i] <= zone->times[i - 1])
            return false;
        zone->count++;
    }
    return true;
}

/* Reads the second block, which has times of 64 bits, and the line with the rule after it. */
static bool read_file(struct zone *zone, struct span bytes)
{
    struct block block;

    if (!read_header(bytes, 4, &block) || bytes.at[4] < '2')
        return false;
    struct span rest = {bytes.at + HEADER + block.size, bytes.len - HEADER - block.size};
    if (!read_header(rest, 8, &block) || !read_changes(zone, rest.at + HEADER, &block))
        return false;
    rest = (struct span){rest.at + HEADER + block.size, rest.len - HEADER - block.size};
    if (!span_take_char(&rest, '\n'))
        return false;
    struct span rule = span_first_line(rest);
    return !rule.len || read_rule(zone, rule);
}

struct zone *zone_read(struct span bytes)
{
    struct zone *zone = mem_zero(1, sizeof *zone);

    if (read_file(zone, bytes))
        return zone;
    zone_free(zone);
    return NULL;
}

/* Accepts only a relative path that stays beneath the directory of zones. */
static bool is_name(const char *name)
{
    if (!name[0] || name[0] == '/' || strstr(name, ".."))
        return false;
    return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/.") ==
           strlen(name);
}

/* Does not use O_NOFOLLOW: a zone file may be a symbolic link to another. */
static struct zone *read_path(const char *path)
{
    int fd = retry_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);

    if (fd < 0)
        return NULL;
    CLEANUP(mem_free) char *bytes = mem_alloc(ZONE_BYTES_MAX);
    struct zone *zone = zone_read((struct span){bytes, file_read_at(fd, bytes, ZONE_BYTES_MAX, 0)});
    close(fd);
    return zone;
}

struct zone *zone_open(const char *name, struct err *err)
{
    const char *given = getenv("TZDIR");
    CLEANUP(str_free) struct str path = {0};

    str_addf(&path, "%s/%s", given && given[0] ? given : "/usr/share/zoneinfo", name);
    struct zone *zone = is_name(name) ? read_path(str_c(&path)) : NULL;
    if (!zone)
        err_set(err, ERR_USAGE,
                "\"%s\" is no time zone of this machine: %s should be its file, and Europe/Berlin "
                "would be a name",
                name, str_c(&path));
    return zone;
}

void zone_free(struct zone *zone)
{
    if (!zone)
        return;
    free(zone->times);
    free(zone->after);
    free(zone);
}

int64_t zone_offset(const struct zone *zone, int64_t utc_s)
{
    size_t from = 0, to = zone->count; /* the number of transitions before or at that moment */

    if (zone->has_rule && (!zone->count || utc_s >= zone->times[zone->count - 1]))
        return offset_by_rule(zone, utc_s);
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (zone->times[middle] <= utc_s)
            from = middle + 1;
        else
            to = middle;
    }
    return from ? zone->after[from - 1] : zone->before;
}

int64_t zone_instant(const struct zone *zone, int64_t local_s)
{
    int64_t before = zone_offset(zone, local_s - DAY_S), after = zone_offset(zone, local_s + DAY_S);

    if (zone_offset(zone, local_s - before) != before &&
        zone_offset(zone, local_s - after) == after)
        return local_s - after;
    return local_s - before;
}
