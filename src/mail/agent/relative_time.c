/* Aging: sentences with ages in them. */
#include "mail/agent/relative_time.h"

#include "base/time.h"

void aging_add_age(struct str *out, int64_t since_us, bool ago, int64_t now_us)
{
    size_t start = out->len;

    if (since_us == WHEN_NONE)
        str_puts(out, "unknown");
    else
        when_add_age(out, now_us - since_us);
    if (ago && strcmp(out->at + start, "now") != 0)
        str_puts(out, " ago");
}

void aging_add(struct str *out, struct span sentence, const struct aging *aging, int64_t now_us)
{
    size_t done = 0;

    for (size_t i = 0; aging && i < aging->count; i++) {
        const struct aged *age = &aging->items[i];
        str_add(out, sentence.at + done, age->at - done);
        aging_add_age(out, age->since_us, age->ago, now_us);
        done = age->at + age->len;
    }
    if (done < sentence.len)
        str_add(out, sentence.at + done, sentence.len - done);
}
