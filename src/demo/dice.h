/* Chance that is the same for the same seed, and the ids that programs make by chance. */
#ifndef DEMO_DICE_H
#define DEMO_DICE_H

#include "demo/text.h"

#include <stdint.h>

struct dice {
    uint64_t state;
};

/* Independent dice for each number. */
struct dice dice_make(uint64_t seed, uint64_t number);
/* 0 to count - 1. */
unsigned dice_pick(struct dice *dice, unsigned count);

void dice_add_hex(struct text *out, struct dice *dice, int digits);
void dice_add_uuid(struct text *out, struct dice *dice);
void dice_add_base36(struct text *out, struct dice *dice, int digits);

#endif
