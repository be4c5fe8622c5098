/* Times as the programs write them. */
#ifndef DEMO_CLOCK_H
#define DEMO_CLOCK_H

#include "demo/text.h"

#include <stdint.h>

#define SECOND_US INT64_C(1000000)
#define MINUTE_US (60 * SECOND_US)

int64_t clock_now(void);    /* of the day, in microseconds */
int64_t clock_steady(void); /* for waiting */

void clock_add_node(struct text *out, int64_t when_us);   /* 2026-02-07T15:35:15.573Z */
void clock_add_shell(struct text *out, int64_t when_us);  /* 2026-02-07T15:35:15Z */
void clock_add_python(struct text *out, int64_t when_us); /* local time, without a zone */

#endif
