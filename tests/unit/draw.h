/* Random numbers for tests: the same in every run, so that a failure can be reproduced. */
#ifndef TESTS_UNIT_DRAW_H
#define TESTS_UNIT_DRAW_H

#include <stdint.h>

/* Each test is a process of its own and starts with this; a test may set it. */
static uint64_t draw_state = 20261117;

/* Returns a number from 0 to below - 1. */
static inline uint32_t draw(uint32_t below)
{
    draw_state = draw_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(draw_state >> 33) % below;
}

#endif
