/* Sentences with ages in them that are updated while the sentence is shown. */
#include "mail/agent/relative_time.h"

#include "base/time.h"

void relative_time_add_age(struct str *out, int64_t since_us, bool ago, int64_t now_us)
{
    size_t start = out->len;

    if (since_us == TIME_NONE)
        str_puts(out, "unknown");
    else
        time_add_age(out, now_us - since_us);
    if (ago && strcmp(out->at + start, "now") != 0)
        str_puts(out, " ago");
}

void relative_time_add(struct str *out, struct span sentence, const struct aging *aging,
                       int64_t now_us)
{
    size_t done = 0;

    for (size_t i = 0; aging && i < aging->count; i++) {
        const struct aged *age = &aging->items[i];
        str_add(out, sentence.at + done, age->at - done);
        relative_time_add_age(out, age->since_us, age->ago, now_us);
        done = age->at + age->len;
    }
    if (done < sentence.len)
        str_add(out, sentence.at + done, sentence.len - done);
}
