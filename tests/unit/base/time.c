/* Tests times: every form that the layouts use, in and out, in several zones, each in its own
 * process. */
#include "tests/unit/support.h"

#include "base/time.h"

#include <stdlib.h>
#include <time.h>

#define SECOND INT64_C(1000000)
#define DAY (86400 * SECOND)

/* 2026-02-12T09:45:00Z */
#define MORNING (INT64_C(1770889500) * SECOND)

static const char berlin[] = "CET-1CEST,M3.5.0,M10.5.0/3";
static const char st_johns[] = "NST3:30NDT,M3.2.0,M11.1.0";

/* The zone is read once a day and thread: a test sets it first, and only once. */
static void use_zone(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

static int64_t parse(const char *text)
{
    enum time_zone zone;

    return time_parse(span_of(text), &zone);
}

static void expect_zoned(const char *text, int64_t time_us)
{
    enum time_zone zone = TIME_LOCAL;
    int64_t got = time_parse(span_of(text), &zone);

    cr_assert(got == time_us, "%s: %lld, not %lld", text, (long long)got, (long long)time_us);
    cr_assert(zone != TIME_LOCAL, "%s", text);
}

/* Expects that a time without a zone is the instant `utc`. */
static void expect_local(const char *text, const char *utc)
{
    enum time_zone zone = TIME_ZONED;
    int64_t got = time_parse(span_of(text), &zone);
    struct str printed = {0};

    time_add_utc(&printed, got);
    cr_assert_str_eq(str_c(&printed), utc, "%s: %s, not %s", text, str_c(&printed), utc);
    cr_assert(zone == TIME_LOCAL, "%s", text);
    str_free(&printed);
}

static void expect_printed(void (*add)(struct str *, int64_t), int64_t value, const char *printed)
{
    struct str out = {0};

    add(&out, value);
    cr_assert_str_eq(str_c(&out), printed, "%lld: %s, not %s", (long long)value, str_c(&out),
                     printed);
    str_free(&out);
}

Test(when, reads_utc_with_any_number_of_decimals)
{
    expect_zoned("2026-02-12T09:45:00Z", MORNING);
    expect_zoned("2026-02-12T09:45Z", MORNING);
    expect_zoned("2026-02-12t09:45:00z", MORNING);
    expect_zoned("2026-02-12T09:45:00.573Z", MORNING + 573000);
    expect_zoned("2026-02-12T09:45:00.667898Z", MORNING + 667898);
    expect_zoned("2026-02-12T09:45:00.5Z", MORNING + 500000);
    expect_zoned("2026-02-12T09:45:00.1234567899Z", MORNING + 123456);
    expect_zoned("20260212T094500Z", MORNING);
}

Test(when, reads_offsets_with_and_without_a_colon)
{
    expect_zoned("2026-02-12T10:45:00+01:00", MORNING);
    expect_zoned("2026-02-12T10:45:00+0100", MORNING);
    expect_zoned("2026-02-12T04:45:00-05:00", MORNING);
    expect_zoned("2026-02-12T06:15:00.25-0330", MORNING + 250000);
    expect_zoned("2026-02-12T15:30+05:45", MORNING);
    expect_zoned("2026-02-12 10:45 +0100", MORNING);
}

Test(when, reads_the_zone_names_that_people_write)
{
    expect_zoned("2026-02-12 04:45 EST", MORNING);
    expect_zoned("2026-02-12 09:45 EST", MORNING + 5 * 3600 * SECOND);
    expect_zoned("2026-02-12 05:45 EDT", MORNING);
    expect_zoned("2026-02-12 03:45 CST", MORNING);
    expect_zoned("2026-02-12 04:45 CDT", MORNING);
    expect_zoned("2026-02-12 02:45 MST", MORNING);
    expect_zoned("2026-02-12 03:45 MDT", MORNING);
    expect_zoned("2026-02-12 01:45 PST", MORNING);
    expect_zoned("2026-02-12 02:45 PDT", MORNING);
    expect_zoned("2026-02-12 09:45 UTC", MORNING);
    expect_zoned("2026-02-12 09:45:00 GMT", MORNING);
}

Test(when, a_time_without_a_zone_is_ours)
{
    use_zone(berlin);
    expect_local("2026-01-04T00:53:21.667898", "2026-01-03T23:53:21.667898Z");
    expect_local("2026-01-03T14:30:00", "2026-01-03T13:30:00Z");
    expect_local("2026-07-07 11:15", "2026-07-07T09:15:00Z");
    expect_local("2025-07-07", "2025-07-06T22:00:00Z"); /* a bare date means its midnight */
    expect_local("2026-07-07T11", "2026-07-07T09:00:00Z");
    expect_local("2026-07-07_11:15", "2026-07-07T09:15:00Z"); /* Python takes any separator */
    expect_local("20260707T111500.5", "2026-07-07T09:15:00.500Z");
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static void expect_none(const char *const *texts)
{
    for (; *texts; texts++)
        cr_assert(parse(*texts) == TIME_NONE, "\"%s\"", *texts);
}

Test(when, refuses_what_is_no_time)
{
    enum time_zone zone;

    expect_none(LIST("", "now", "1770889500", "$(date -u +%Y-%m-%dT%H:%M:%SZ)"));
    expect_none(LIST("2026021", "2026-0212", "202602-12", "2026-2-12", "26-02-12", "2026/02/12",
                     "12.02.2026"));
    expect_none(LIST("-026-02-12", "+2026-02-12", " 2026-02-12", "2026-02-12\n"));
    cr_assert_eq(time_parse((struct span){0}, &zone), TIME_NONE);
}

Test(when, refuses_a_time_with_something_missing_or_left_over)
{
    enum time_zone zone;

    expect_none(LIST("2026-02", "2026-02-12T", "2026-02-12T0945:00", "2026-02-12T9:45"));
    expect_none(LIST("2026-02-12T09:45:", "2026-02-12T09:45:0", "2026-02-12T09:45:00."));
    expect_none(LIST("2026-02-12T09:45:00.Z", "2026-02-12T09:45:00ZZ", "2026-02-12T09:45:00Z x"));
    cr_assert_eq(time_parse((struct span){"2026-02-12\0", 11}, &zone), TIME_NONE);
}

Test(when, refuses_zones_it_does_not_know)
{
    expect_none(LIST("2026-02-12T09:45 CEST", "2026-02-12T09:45 local", "2026-02-12T09:45+"));
    expect_none(LIST("2026-02-12T09:45+1", "2026-02-12T09:45+01:0", "2026-02-12T09:45+01:000"));
    expect_none(LIST("2026-02-12T09:45+ab:cd", "2026-02-12T09:45UTC+1", "2026-02-12Z"));
}

Test(when, refuses_an_offset_that_ends_in_its_colon)
{
    expect_none(LIST("2026-02-12T09:45:00+01:"));
}

Test(when, refuses_dates_and_times_that_do_not_exist)
{
    expect_none(LIST("2026-02-30", "2026-02-29", "2100-02-29", "2026-04-31", "2026-13-01"));
    expect_none(LIST("2026-00-10", "2026-01-00", "2026-01-32", "0000-01-01"));
    expect_none(LIST("2026-01-01T25:00", "2026-01-01T24:00:00Z", "2026-01-01T12:60Z"));
    expect_none(LIST("2026-01-01T12:00:60Z", "2026-01-01T12:00+24:00", "2026-01-01T12:00+01:60"));
    cr_assert_neq(parse("2024-02-29"), TIME_NONE);
    cr_assert_neq(parse("2000-02-29"), TIME_NONE);
}

Test(when, prints_utc_with_as_many_decimals_as_the_value_needs)
{
    expect_printed(time_add_utc, MORNING, "2026-02-12T09:45:00Z");
    expect_printed(time_add_utc, MORNING + 573000, "2026-02-12T09:45:00.573Z");
    expect_printed(time_add_utc, MORNING + 7000, "2026-02-12T09:45:00.007Z");
    expect_printed(time_add_utc, MORNING + 667898, "2026-02-12T09:45:00.667898Z");
    expect_printed(time_add_utc, MORNING + 1, "2026-02-12T09:45:00.000001Z");
}

Test(when, prints_and_reads_times_before_1970)
{
    expect_printed(time_add_utc, 0, "1970-01-01T00:00:00Z");
    expect_printed(time_add_utc, -1, "1969-12-31T23:59:59.999999Z");
    expect_printed(time_add_utc, -SECOND, "1969-12-31T23:59:59Z");
    expect_zoned("1969-12-31T23:59:59.999999Z", -1);
    expect_zoned("1900-01-01T00:00:00Z", -INT64_C(2208988800) * SECOND);
    expect_zoned("0001-01-01T00:00:00Z", -INT64_C(62135596800) * SECOND);
    expect_printed(time_add_utc, -INT64_C(62135596800) * SECOND, "0001-01-01T00:00:00Z");
}

Test(when, prints_local_time_without_a_zone_and_drops_microseconds_of_zero)
{
    use_zone(berlin);
    expect_printed(time_add_local, MORNING, "2026-02-12T10:45:00");
    expect_printed(time_add_local, MORNING + 667898, "2026-02-12T10:45:00.667898");
    expect_printed(time_add_local, MORNING + 500000, "2026-02-12T10:45:00.500000");
    expect_printed(time_add_local, MORNING + 1, "2026-02-12T10:45:00.000001");
    expect_printed(time_add_local, -1, "1970-01-01T00:59:59.999999");
}

Test(when, prints_local_time_in_a_format)
{
    struct str out = {0};

    use_zone(st_johns);
    time_add_format(&out, MORNING + 999999, "%d.%m.%Y %H:%M:%S");
    cr_assert_str_eq(str_c(&out), "12.02.2026 06:15:00");
    time_add_format(&out, MORNING, "");
    cr_assert_str_eq(str_c(&out), "12.02.2026 06:15:00");
    str_free(&out);
}

/* On a day when the clocks change, both offsets apply. */
Test(when, knows_both_offsets_on_the_days_the_clocks_change)
{
    use_zone(berlin);
    expect_local("2026-03-29T01:59:59", "2026-03-29T00:59:59Z");
    expect_local("2026-03-29T03:00:00", "2026-03-29T01:00:00Z");
    expect_local("2026-03-29T00:00:00", "2026-03-28T23:00:00Z");
    expect_local("2026-03-29T23:59:59", "2026-03-29T21:59:59Z");
    expect_local("2026-10-25T01:59:59", "2026-10-24T23:59:59Z");
    expect_local("2026-10-25T03:00:00", "2026-10-25T02:00:00Z");
    expect_local("2026-10-25T12:00:00", "2026-10-25T11:00:00Z");
    expect_printed(time_add_local, parse("2026-10-25T00:30:00Z"), "2026-10-25T02:30:00");
    expect_printed(time_add_local, parse("2026-10-25T01:30:00Z"), "2026-10-25T02:30:00");
}

/* Printed local time reads back as the same instant; in the hour that occurs twice a year, at least
 * as the same text. It must not contain a zone: peers would read another time. */
static void check_round_trip(const char *zone)
{
    const int64_t step = 7 * 60 * SECOND + 123456;
    int64_t begin = parse("2026-01-01T00:00:00Z"), end = parse("2027-01-01T00:00:00Z");
    int64_t twice = 0;

    use_zone(zone);
    for (int64_t time_us = begin; time_us < end; time_us += step) {
        struct str out = {0}, again = {0};
        time_add_local(&out, time_us);
        cr_assert(out.len == 26 || out.len == 19, "%s", out.at);
        cr_assert(strspn(out.at + 10, "T:.0123456789") == out.len - 10, "%s", out.at);
        int64_t back = parse(str_c(&out));
        time_add_local(&again, back);
        cr_assert_str_eq(str_c(&out), str_c(&again));
        twice += back != time_us;
        str_free(&out);
        str_free(&again);
    }
    cr_assert(twice <= 3600 * SECOND / step + 1, "%lld instants came back as others",
              (long long)twice);
}

Test(when, local_times_come_back_in_utc)
{
    check_round_trip("UTC0");
}

Test(when, local_times_come_back_in_berlin)
{
    check_round_trip(berlin);
}

Test(when, local_times_come_back_in_st_johns)
{
    check_round_trip(st_johns);
}

Test(when, local_times_come_back_where_the_clocks_change_at_midnight)
{
    check_round_trip("AZOT1AZOST,M3.5.0/0,M10.5.0/1");
}

Test(when, local_times_come_back_in_the_zones_of_the_system)
{
    check_round_trip("America/New_York"); /* this zone is UTC where no zone files are installed */
}

Test(when, times_in_utc_come_back_over_all_years)
{
    uint64_t state = 88172645463325252u;
    const int64_t begin = parse("0001-01-01T00:00:00Z"), end = parse("9999-12-31T23:59:59Z");

    for (int i = 0; i < 100000; i++) {
        struct str out = {0};
        state ^= state << 13; /* any spread of instants will do, but the same in every run */
        state ^= state >> 7;
        state ^= state << 17;
        int64_t time_us = begin + (int64_t)(state % (uint64_t)(end - begin));
        if (i % 3 == 0)
            time_us -= time_us % SECOND;
        time_add_utc(&out, time_us);
        cr_assert(parse(str_c(&out)) == time_us, "%s", out.at);
        str_free(&out);
    }
}

Test(when, ages_are_told_in_their_largest_unit)
{
    expect_printed(time_add_age, SECOND, "1s");
    expect_printed(time_add_age, 60 * SECOND - 1, "59s");
    expect_printed(time_add_age, 60 * SECOND, "1m");
    expect_printed(time_add_age, 3600 * SECOND - 1, "59m");
    expect_printed(time_add_age, 3600 * SECOND, "1h");
    expect_printed(time_add_age, DAY - 1, "23h");
    expect_printed(time_add_age, DAY, "1d");
    expect_printed(time_add_age, 400 * DAY, "400d");
    expect_printed(time_add_age, INT64_MAX, "106751991d");
}

Test(when, an_age_of_nothing_or_less_is_now)
{
    expect_printed(time_add_age, 0, "now");
    expect_printed(time_add_age, SECOND - 1, "now");
    expect_printed(time_add_age, -5 * SECOND, "now");
    expect_printed(time_add_age, INT64_MIN, "now");
}

Test(when, the_wall_clock_is_in_this_century)
{
    cr_assert(time_now() > parse("2025-01-01T00:00:00Z"));
    cr_assert(time_now() < parse("2100-01-01T00:00:00Z"));
}

static void expect_duration(const char *text, int64_t seconds)
{
    int64_t us = -1;

    cr_assert(time_duration(span_of(text), &us), "%s", text);
    cr_assert(us == seconds * SECOND, "%s: %lld", text, (long long)us);
}

Test(when, reads_durations_and_their_sums)
{
    expect_duration("90", 90);
    expect_duration("90s", 90);
    expect_duration("30m", 1800);
    expect_duration("2h", 7200);
    expect_duration("7d", 7 * 86400);
    expect_duration("1w", 7 * 86400);
    expect_duration("1h30m", 5400);
    expect_duration("1w2d3h4m5s", 788645);
    expect_duration("0", 0);
    expect_duration("007s", 7);
}

static void expect_no_duration(const char *const *texts)
{
    int64_t us;

    for (; *texts; texts++)
        cr_assert_not(time_duration(span_of(*texts), &us), "\"%s\"", *texts);
}

Test(when, refuses_durations_that_make_no_sense)
{
    int64_t us;

    expect_no_duration(LIST("", "s", "h1", "-5", "+5", "1.5h", "5 m", " 5", "5m ", "5x", "5M"));
    expect_no_duration(LIST("1hm", "ten", "1h-5m"));
    cr_assert_not(time_duration((struct span){0}, &us));
}

Test(when, refuses_durations_too_long_to_count)
{
    expect_no_duration(LIST("9223372036854775807", "99999999999999999999", "18446744073709551617"));
    expect_no_duration(LIST("9999999999w", "5000w5000w", "36600d1s"));
}

Test(when, a_moment_is_told_by_how_far_it_is)
{
    static const struct {
        int64_t time_us;
        const char *says;
    } cases[] = {
        {0, "now"},           {999999, "now"},      {-999999, "now"},       {1000000, "in 1s"},
        {-1000000, "1s ago"}, {180000000, "in 3m"}, {-7200000000, "2h ago"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = {0};
        time_add_distance(&out, cases[i].time_us, 0);
        cr_expect_str_eq(str_c(&out), cases[i].says);
        str_free(&out);
    }
}

Test(when, what_is_not_over_yet_says_from_when_it_is)
{
    int64_t next_us = TIME_NONE;

    cr_assert(time_is_over(100, 10, 111, &next_us));
    cr_assert_eq(next_us, TIME_NONE);
    cr_assert_not(time_is_over(100, 10, 110, &next_us));
    cr_assert_eq(next_us, 111);
    cr_assert_not(time_is_over(100, 20, 110, &next_us), "later than what was noted");
    cr_assert_eq(next_us, 111);
    cr_assert_not(time_is_over(INT64_MAX - 10, 10, 110, &next_us), "never");
    cr_assert_not(time_is_over(TIME_NONE, 10, 110, &next_us));
    cr_assert_eq(next_us, 111);
}

Test(when, what_is_left_is_never_less_than_nothing)
{
    int64_t now_us = time_steady(), far_us = INT64_C(3600000000);

    cr_assert_eq(time_left(TIME_NONE), TIME_NONE);
    cr_assert_eq(time_left(now_us), 0);
    cr_assert_eq(time_left(now_us - far_us), 0);
    int64_t left_us = time_left(now_us + far_us);
    cr_assert(left_us > 0 && left_us <= far_us);
}

Test(when, the_sooner_of_two_times_is_taken_and_never_is_none)
{
    int64_t due_us = TIME_NONE;

    time_min(&due_us, TIME_NONE);
    cr_assert_eq(due_us, TIME_NONE);
    time_min(&due_us, 5);
    cr_assert_eq(due_us, 5);
    time_min(&due_us, 7);
    time_min(&due_us, TIME_NONE);
    cr_assert_eq(due_us, 5);
    time_min(&due_us, 0);
    cr_assert_eq(due_us, 0);
}

/* The text is the same until that moment, and differs at that moment. */
Test(when, a_distance_lasts_until_it_reads_otherwise)
{
    static const int64_t ages_s[] = {0, 1, 59, 60, 119, 3599, 3600, 7199, 86399, 86400, 200000};

    for (size_t i = 0; i < sizeof ages_s / sizeof *ages_s; i++) {
        int64_t now_us = ages_s[i] * 1000000 + 250000;
        int64_t until_us = time_distance_lasts(0, now_us);
        struct str now = {0}, before = {0}, then = {0};
        time_add_distance(&now, 0, now_us);
        time_add_distance(&before, 0, until_us - 1);
        time_add_distance(&then, 0, until_us);
        cr_expect_str_eq(str_c(&now), str_c(&before));
        cr_expect_str_neq(str_c(&now), str_c(&then));
        str_free(&now);
        str_free(&before);
        str_free(&then);
    }
    cr_expect_eq(time_distance_lasts(5000000, 0), 1000000, "what comes is looked at each second");
}
