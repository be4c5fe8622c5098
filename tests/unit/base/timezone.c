/* Tests our reader of time zones: transitions of the file, its rule, and hours that occur twice or
 * never. */
#include "base/timezone.h"

#include <criterion/criterion.h>

/* Returns a zone whose file has no transitions, so that its rule always applies. */
static struct zone *zone_by(const char *rule)
{
    static const char header[] = "TZif2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                 "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\4";
    static const char type[] = "\0\0\0\0\0\0LMT";
    struct str bytes = {0};

    for (int i = 0; i < 2; i++) {
        str_add(&bytes, header, sizeof header - 1);
        str_add(&bytes, type, sizeof type);
    }
    str_addf(&bytes, "\n%s\n", rule);
    struct zone *zone = zone_read(str_span(&bytes));
    str_free(&bytes);
    return zone;
}

Test(zone, a_rule_says_when_summer_is)
{
    static const struct {
        const char *rule;
        int64_t utc_s, offset_s;
    } cases[] = {
        {"UTC0", 0, 0},
        {"<+0530>-5:30", 1771000000, 19800},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1767225600, 3600},    /* 2026-01-01T00:00Z */
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1774745999, 3600},    /* 2026-03-29T00:59:59Z */
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1774746000, 7200},    /* 2026-03-29T01:00Z */
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1792889999, 7200},    /* 2026-10-25T00:59:59Z */
        {"CET-1CEST,M3.5.0,M10.5.0/3", 1792890000, 3600},    /* 2026-10-25T01:00Z */
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1767225600, 39600}, /* summer over New Year */
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1782864000, 36000}, /* 2026-07-01 */
        {"EST5EDT,M3.2.0,M11.1.0", 1782864000, -14400},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1774746000, -3600}, /* 2026-03-29T01:00Z */
        {"XXX3EDT4,J60,J300", 1767225600, -10800},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct zone *zone = zone_by(cases[i].rule);
        cr_assert_not_null(zone, "%s", cases[i].rule);
        cr_expect_eq(zone_offset(zone, cases[i].utc_s), cases[i].offset_s, "%s at %lld: %lld",
                     cases[i].rule, (long long)cases[i].utc_s,
                     (long long)zone_offset(zone, cases[i].utc_s));
        zone_free(zone);
    }
}

Test(zone, of_an_hour_that_happens_twice_the_first_is_meant)
{
    struct zone *zone = zone_by("CET-1CEST,M3.5.0,M10.5.0/3");
    int64_t usual = 1771000000, twice = 1792889999 + 7200, never = 1774746000 + 3600 + 1800;

    cr_expect_eq(zone_instant(zone, usual), usual - 3600);
    cr_expect_eq(zone_instant(zone, twice), twice - 7200);
    cr_expect_eq(zone_instant(zone, never), never - 3600, "the clocks count as not yet changed");
    for (int64_t utc_s = 1767225600; utc_s < 1798761600; utc_s += 1801) {
        int64_t local_s = utc_s + zone_offset(zone, utc_s), back_s = zone_instant(zone, local_s);
        cr_assert(back_s == utc_s || back_s == utc_s - 3600, "%lld", (long long)utc_s);
    }
    zone_free(zone);
}

Test(zone, what_is_no_zone_is_refused)
{
    static const char *const rules[] = {
        "CET",        "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0", "-1",
        "CET-1 CEST", "<CET-1"};
    static const char *const names[] = {"", "/etc/passwd", "../../etc/passwd", "No/Such", "a\nb"};
    struct err err;

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        cr_expect_null(zone_by(rules[i]), "%s", rules[i]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_null(zone_open(names[i], &err), "%s", names[i]);
    cr_expect_null(zone_read((struct span){"TZif2", 5}));
    cr_expect_null(zone_read((struct span){0}));
}
