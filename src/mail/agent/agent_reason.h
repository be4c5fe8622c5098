/* Sentences with ages in them that are updated while the sentence is shown. */
#ifndef MAIL_AGENT_AGENT_REASON_H
#define MAIL_AGENT_AGENT_REASON_H

#include "base/str.h"

#include <stdint.h>

/* One age of a sentence: its bytes in the sentence, and the time it counts from. */
struct aged {
    uint32_t at, len;
    int64_t since_us;
    bool ago; /* "2m ago" or "now"; else just "2m" */
};

struct aging {
    const struct aged *items; /* in order */
    size_t count;
};

/* Appends an age as of now: "unknown" if since_us is TIME_NONE. */
void relative_time_add_age(struct str *out, int64_t since_us, bool ago, int64_t now_us);
/* Appends the sentence with its ages updated to now_us. If `aging` is NULL, appends it
 * unchanged. */
void relative_time_add(struct str *out, struct span sentence, const struct aging *aging,
                       int64_t now_us);

#endif
