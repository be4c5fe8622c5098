/* Trust: whether a host pattern is one, and is the one it looks like. */
#include "mail/security/trust_private.h"

#include "base/text/lookalike.h"
#include "base/text/utf8.h"
#include "mail/security/host.h"

#include <utf8proc.h>

enum { HOST_BYTES_MAX = 1000, LABEL_CHARACTERS_MAX = 63 };

/* Letters, digits and marks; of other scripts only those that no reader turns into others. */
static bool is_host_character(int32_t code)
{
    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
               (code >= '0' && code <= '9') || code == '-' || code == '_';
    const utf8proc_property_t *property = utf8proc_get_property(code);
    return property->category >= UTF8PROC_CATEGORY_LU &&
           property->category <= UTF8PROC_CATEGORY_NO && property->decomp_type == 0;
}

static bool is_label(struct span label)
{
    struct span rest = label;
    size_t count = 0;

    while (rest.len) {
        if (!is_host_character(utf8_next(&rest)))
            return false;
        count++;
    }
    return count && count <= LABEL_CHARACTERS_MAX && label.at[0] != '-' &&
           label.at[label.len - 1] != '-';
}

static struct span take_label(struct span *rest)
{
    const char *dot = memchr(rest->at, '.', rest->len);
    struct span label = {rest->at, dot ? (size_t)(dot - rest->at) : rest->len};
    size_t taken = label.len + (dot ? 1 : 0);

    rest->at += taken;
    rest->len -= taken;
    return label;
}

static bool say_no_host(struct str *why, struct span host)
{
    trust_quote(why, host);
    return trust_say(why, " is not the name of a host");
}

bool trust_refuses_host(struct str *why, struct span host)
{
    struct span rest = host_without_port(host);

    if (host_is_address(host) || span_is(host, "*"))
        return false;
    if (!rest.len || rest.len > HOST_BYTES_MAX || rest.at[rest.len - 1] == '.')
        return say_no_host(why, host);
    if (span_starts(rest, span_of("*.")))
        rest = (struct span){rest.at + 2, rest.len - 2};
    while (rest.len) {
        struct span label = take_label(&rest);
        if (!is_label(label))
            return say_no_host(why, host);
        if (lookalike_mixes(label)) {
            str_puts(why, "the host ");
            trust_quote(why, host);
            return trust_say(why, " mixes letters of different scripts, which look alike");
        }
    }
    return false;
}
