/* The tag around messages: finding it however it is spelled. */
#include "mail/teammate_tag.h"

#include "base/clean.h"
#include "base/utf8.h"

/* Whether the name of the tag, or a slash and the name, follows. */
static bool starts_tag(struct span rest)
{
    static const char name[] = "teammate-message";
    size_t matched = 0;

    while (rest.len) {
        int32_t code = utf8_next(&rest);
        if (clean_is_blank(code) || (code == '/' && !matched))
            continue;
        if (code >= 'A' && code <= 'Z')
            code += 'a' - 'A';
        if (code != name[matched])
            return false;
        if (!name[++matched])
            return true;
    }
    return false;
}

bool teammate_tag_found(struct span text)
{
    const char *open;

    while (text.len && (open = memchr(text.at, '<', text.len))) {
        text.len -= (size_t)(open + 1 - text.at);
        text.at = open + 1;
        if (starts_tag(text))
            return true;
    }
    return false;
}
