/* Random numbers that are the same for the same seed, and the random ids of programs. */
#ifndef DEMO_RANDOM_H
#define DEMO_RANDOM_H

#include "demo/files.h"

#include <stdint.h>

struct dice {
    uint64_t state;
};

/* Returns dice that are independent for each number. */
struct dice dice_make(uint64_t seed, uint64_t number);
/* Returns 0 to count - 1. */
unsigned dice_pick(struct dice *dice, unsigned count);

void dice_add_hex(struct text *out, struct dice *dice, int digits);
void dice_add_uuid(struct text *out, struct dice *dice);
void dice_add_base36(struct text *out, struct dice *dice, int digits);

/* Times as the programs write them. */

#define SECOND_US INT64_C(1000000)
#define MINUTE_US (60 * SECOND_US)

int64_t clock_now(void);    /* wall clock, in microseconds */
int64_t clock_steady(void); /* monotonic, for waiting */

void clock_add_node(struct text *out, int64_t time_us);   /* 2026-02-07T15:35:15.573Z */
void clock_add_shell(struct text *out, int64_t time_us);  /* 2026-02-07T15:35:15Z */
void clock_add_python(struct text *out, int64_t time_us); /* local time, without a zone */

#endif
