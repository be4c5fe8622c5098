/* Aging: sentences with ages in them, which go on while the sentence is shown. */
#ifndef MAIL_AGENT_RELATIVE_TIME_H
#define MAIL_AGENT_RELATIVE_TIME_H

#include "base/str.h"

#include <stdint.h>

/* One age of a sentence: the bytes it has there, and what it counts from. */
struct aged {
    uint32_t at, len;
    int64_t since_us;
    bool ago; /* 2m ago, or now; else just 2m */
};

struct aging {
    const struct aged *items; /* in their order */
    size_t count;
};

/* Appends an age as of now: "unknown" where nobody knows since when. */
void relative_time_add_age(struct str *out, int64_t since_us, bool ago, int64_t now_us);
/* Appends the sentence with its ages as they are now. Without any, which may be NULL, as it is. */
void relative_time_add(struct str *out, struct span sentence, const struct aging *aging,
                       int64_t now_us);

#endif
