/* Dangers: hosts that are many, near, or not what they look like. */
#include "mail/danger_private.h"

#include "base/fold.h"
#include "mail/host.h"

/* Names and addresses of the machine itself and of the network it is in; what ends in a dot or a
 * colon starts an address, what starts with a dot ends a name. */
static const char *const near_hosts[] = {
    "localhost", ".localhost", ".local",   ".internal", ".lan",    ".home.arpa", ".localdomain",
    "127.",      "10.",        "192.168.", "169.254.",  "0.",      "172.16.",    "172.17.",
    "172.18.",   "172.19.",    "172.20.",  "172.21.",   "172.22.", "172.23.",    "172.24.",
    "172.25.",   "172.26.",    "172.27.",  "172.28.",   "172.29.", "172.30.",    "172.31.",
    "::1",       "::ffff:",    "fe80:",    "::",        NULL,
};

/* fc00::/7, which nobody routes: its first part has all four digits. */
static bool is_unique_local(struct span host, const char *colon)
{
    return colon == host.at + 4 && host.at[0] == 'f' && (host.at[1] == 'c' || host.at[1] == 'd');
}

static bool is_near(struct span host)
{
    const char *dot = memchr(host.at, '.', host.len), *colon = memchr(host.at, ':', host.len);

    if (is_unique_local(host, colon))
        return true;
    for (size_t i = 0; near_hosts[i]; i++) {
        struct span known = span_of(near_hosts[i]);
        char first = known.at[0], last = known.at[known.len - 1];
        bool ends = first == '.' && span_ends(host, near_hosts[i]);
        bool starts = (last == '.' || (last == ':' && known.len > 2)) && span_starts(host, known);
        if (ends || starts || span_eq(host, known))
            return true;
    }
    return !dot && !colon && !span_is(host, "*"); /* only a network of one's own knows it */
}

/* Digits, hexadecimal ones too, in as many parts as may be: all of it is an address to someone. */
static bool is_number(struct span host)
{
    bool hex = span_starts(host, span_of("0x"));

    if (host_is_address(host))
        return true;
    for (size_t i = 0; i < host.len; i++) {
        char c = host.at[i];
        bool digit = (c >= '0' && c <= '9') || c == '.' || c == 'x';
        bool more = hex && c >= 'a' && c <= 'f';
        if (!digit && !more)
            return false;
    }
    return host.len;
}

static bool is_foreign(struct span host)
{
    for (size_t i = 0; i < host.len; i++)
        if ((unsigned char)host.at[i] >= 0x80)
            return true;
    return host.len && memmem(host.at, host.len, "xn--", 4);
}

void danger_in_host(struct danger_search *search)
{
    struct str folded = {0};

    fold_add(&folded, span_trim(search->text));
    struct span host = host_without_port(str_span(&folded));
    if (host.len > 2 && host.at[0] == '[' && host.at[host.len - 1] == ']')
        host = (struct span){host.at + 1, host.len - 2};
    if (host.len && memchr(host.at, '*', host.len))
        danger_note(search, DANGER_WIDE, 0, search->text.len);
    if (host.len && is_near(host))
        danger_note(search, DANGER_NEAR, 0, search->text.len);
    if (is_number(host))
        danger_note(search, DANGER_ADDRESS, 0, search->text.len);
    if (is_foreign(host))
        danger_note(search, DANGER_ALIKE, 0, search->text.len);
    str_free(&folded);
}
