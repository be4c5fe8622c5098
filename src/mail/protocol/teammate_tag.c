/* The tag around messages: finding it however it is spelled. */
#include "mail/protocol/teammate_tag.h"

#include "base/text/clean.h"
#include "base/text/lookalike.h"
#include "base/text/utf8.h"

static char next_sign(struct span *rest)
{
    int32_t code = utf8_next(rest);

    return clean_is_blank(code) ? ' ' : lookalike_ascii(code);
}

/* Whether the name of the tag, or a slash and the name, follows. */
static bool starts_tag(struct span rest)
{
    static const char name[] = "teammate-message";
    size_t matched = 0;

    while (rest.len) {
        char sign = next_sign(&rest);
        if (sign == ' ' || (sign == '/' && !matched))
            continue;
        if (sign != name[matched])
            return false;
        if (!name[++matched])
            return true;
    }
    return false;
}

bool teammate_tag_found(struct span text)
{
    while (text.len) {
        char sign = *text.at;
        if ((unsigned char)sign >= 0x80) {
            sign = next_sign(&text);
        } else {
            text.at++;
            text.len--;
        }
        if (sign == '<' && starts_tag(text))
            return true;
    }
    return false;
}
