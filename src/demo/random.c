/* Random numbers, and times as the programs write them. */
#include "demo/random.h"

#include <time.h>

/* Random numbers: the splitmix64 sequence. */

static uint64_t next_random(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Hashes both parts: similar seeds must not give the same sequence with an offset. */
struct dice dice_make(uint64_t seed, uint64_t number)
{
    struct dice first = {seed}, second = {number ^ UINT64_C(0xd1b54a32d192ed03)};

    return (struct dice){next_random(&first) ^ (next_random(&second) << 1)};
}

unsigned dice_pick(struct dice *dice, unsigned count)
{
    return count ? (unsigned)(next_random(dice) >> 33) % count : 0;
}

static void add_digits(struct text *out, struct dice *dice, int digits, const char *alphabet,
                       unsigned count)
{
    while (digits-- > 0)
        text_putc(out, alphabet[dice_pick(dice, count)]);
}

void dice_add_hex(struct text *out, struct dice *dice, int digits)
{
    add_digits(out, dice, digits, "0123456789abcdef", 16);
}

void dice_add_base36(struct text *out, struct dice *dice, int digits)
{
    add_digits(out, dice, digits, "0123456789abcdefghijklmnopqrstuvwxyz", 36);
}

void dice_add_uuid(struct text *out, struct dice *dice)
{
    dice_add_hex(out, dice, 8);
    text_putc(out, '-');
    dice_add_hex(out, dice, 4);
    text_puts(out, "-4");
    dice_add_hex(out, dice, 3);
    text_putc(out, '-');
    text_putc(out, "89ab"[dice_pick(dice, 4)]);
    dice_add_hex(out, dice, 3);
    text_putc(out, '-');
    dice_add_hex(out, dice, 12);
}

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

static void add_date(struct text *out, int64_t time_us,
                     struct tm *(*split)(const time_t *, struct tm *))
{
    time_t seconds = (time_t)(time_us / SECOND_US);
    struct tm parts;
    char date[32];

    split(&seconds, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
    text_puts(out, date);
}

void clock_add_node(struct text *out, int64_t time_us)
{
    add_date(out, time_us, gmtime_r);
    text_addf(out, ".%03dZ", (int)(time_us % SECOND_US / 1000));
}

void clock_add_shell(struct text *out, int64_t time_us)
{
    add_date(out, time_us, gmtime_r);
    text_putc(out, 'Z');
}

void clock_add_python(struct text *out, int64_t time_us)
{
    add_date(out, time_us, localtime_r);
    if (time_us % SECOND_US)
        text_addf(out, ".%06d", (int)(time_us % SECOND_US));
}
