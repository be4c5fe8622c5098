/* Times as the programs write them. */
#include "demo/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t which)
{
    struct timespec now;

    clock_gettime(which, &now);
    return (int64_t)now.tv_sec * SECOND_US + now.tv_nsec / 1000;
}

int64_t clock_now(void)
{
    return read_clock(CLOCK_REALTIME);
}

int64_t clock_steady(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static void add_date(struct text *out, int64_t when_us,
                     struct tm *(*split)(const time_t *, struct tm *))
{
    time_t seconds = (time_t)(when_us / SECOND_US);
    struct tm parts;
    char date[32];

    split(&seconds, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    text_puts(out, date);
}

void clock_add_node(struct text *out, int64_t when_us)
{
    add_date(out, when_us, gmtime_r);
    text_addf(out, ".%03dZ", (int)(when_us % SECOND_US / 1000));
}

void clock_add_shell(struct text *out, int64_t when_us)
{
    add_date(out, when_us, gmtime_r);
    text_putc(out, 'Z');
}

void clock_add_python(struct text *out, int64_t when_us)
{
    add_date(out, when_us, localtime_r);
    if (when_us % SECOND_US)
        text_addf(out, ".%06d", (int)(when_us % SECOND_US));
}
