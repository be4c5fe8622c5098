/* Hosts: recognizing addresses and ports. */
#include "mail/security/host.h"

enum { PORT_DIGITS_MAX = 5 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool host_is_address(struct span host)
{
    size_t colons = 0;

    if (host.len > 2 && host.at[0] == '[' && host.at[host.len - 1] == ']')
        host = (struct span){host.at + 1, host.len - 2};
    for (size_t i = 0; i < host.len; i++) {
        if (!is_digit(host.at[i]) && !(host.at[i] && strchr("abcdefABCDEF:.", host.at[i])))
            return false;
        colons += host.at[i] == ':';
    }
    return colons > 1;
}

struct span host_without_port(struct span host)
{
    size_t digits = 0;

    if (host_is_address(host)) /* the last part of an address may look like a port */
        return host;
    while (digits < host.len && is_digit(host.at[host.len - 1 - digits]))
        digits++;
    if (digits && digits <= PORT_DIGITS_MAX && digits + 1 < host.len &&
        host.at[host.len - 1 - digits] == ':')
        host.len -= digits + 1;
    return host;
}
