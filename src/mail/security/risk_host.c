/* Risks: host patterns for many hosts, near hosts, and confusable names. */
#include "mail/security/risk_private.h"

#include "base/text/confusables.h"
#include "base/text/utf8.h"
#include "mail/security/sender.h"

/* Names and addresses of the machine itself and of its network. An entry that ends in a dot or a
 * colon is the start of an address, an entry that starts with a dot is the end of a name. */
static const char near_hosts[] =
    "localhost .localhost .local .internal .lan .home.arpa .localdomain 127. 10. 192.168. "
    "169.254. 0. 172.16. 172.17. 172.18. 172.19. 172.20. 172.21. 172.22. 172.23. 172.24. "
    "172.25. 172.26. 172.27. 172.28. 172.29. 172.30. 172.31. ::1 ::ffff: fe80: ::";

/* True for fc00::/7, which is not routed: its first part has all four digits. */
static bool is_unique_local(struct span host, const char *colon)
{
    return colon == host.at + 4 && host.at[0] == 'f' && (host.at[1] == 'c' || host.at[1] == 'd');
}

static bool ends_with(struct span host, struct span end)
{
    return host.len >= end.len && memcmp(host.at + host.len - end.len, end.at, end.len) == 0;
}

static bool is_near(struct span host)
{
    const char *near = near_hosts;
    const char *dot = memchr(host.at, '.', host.len), *colon = memchr(host.at, ':', host.len);

    if (is_unique_local(host, colon))
        return true;
    for (struct span known; (known = risk_take(&near)).len;) {
        char first = known.at[0], last = known.at[known.len - 1];
        bool ends = first == '.' && ends_with(host, known);
        bool starts = (last == '.' || (last == ':' && known.len > 2)) && span_starts(host, known);
        if (ends || starts || span_eq(host, known))
            return true;
    }
    return !dot && !colon && !span_is(host, "*"); /* only a local network knows such a name */
}

/* True for digits, also hexadecimal, in any number of parts: some reader takes each for an
 * address. */
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

static bool is_forged(struct span host)
{
    for (size_t i = 0; i < host.len; i++)
        if ((unsigned char)host.at[i] >= 0x80)
            return true;
    return host.len && memmem(host.at, host.len, "xn--", 4);
}

/* Hosts that imitate others. */

/* Hosts that agents use all the time and that others imitate. Names beneath these are fine. */
static const char known_hosts[] =
    "github.com github.io githubusercontent.com githubassets.com gitlab.com bitbucket.org "
    "codeberg.org sourceforge.net python.org cython.org nodejs.org rust-lang.org golang.org "
    "go.dev ruby-lang.org apache.org gradle.org docker.com kubernetes.io kernel.org gnu.org "
    "mozilla.org google.com googleapis.com gstatic.com microsoft.com azure.com windows.net "
    "amazon.com amazonaws.com apple.com cloudflare.com anthropic.com claude.ai openai.com "
    "chatgpt.com huggingface.co stackoverflow.com readthedocs.io wikipedia.org slack.com "
    "atlassian.com example.com example.org";

enum { EDIT_SHORTEST = 8, NAME_LONGEST = 1000 };

/* Appends the skeleton of a host, label by label: dots stay dots. */
static void add_skeleton(struct str *out, struct span host)
{
    while (host.len) {
        const char *dot = memchr(host.at, '.', host.len);
        size_t len = dot ? (size_t)(dot - host.at) : host.len, taken = len + (dot ? 1 : 0);
        confusable_skeleton(out, (struct span){host.at, len});
        if (dot)
            str_putc(out, '.');
        host = (struct span){host.at + taken, host.len - taken};
    }
}

/* Appends the skeletons of the known hosts, as a list too. */
static void add_skeletons(struct str *out)
{
    const char *hosts = known_hosts;

    for (struct span known; (known = risk_take(&hosts)).len; str_putc(out, ' '))
        add_skeleton(out, known);
}

static bool is_beneath_host(struct span host, struct span known)
{
    return ends_with(host, known) &&
           (host.len == known.len || host.at[host.len - known.len - 1] == '.');
}

/* True if one letter is added, removed or replaced, or two letters changed places. */
static bool is_one_edit_apart(struct span a, struct span b)
{
    size_t start = 0, end = 0;

    if (a.len > b.len)
        return is_one_edit_apart(b, a);
    if (b.len - a.len > 1)
        return false;
    while (start < a.len && a.at[start] == b.at[start])
        start++;
    while (end < a.len - start && a.at[a.len - 1 - end] == b.at[b.len - 1 - end])
        end++;
    size_t left_a = a.len - start - end, left_b = b.len - start - end;
    if (left_b <= 1)
        return left_a + left_b > 0;
    return left_a == 2 && left_b == 2 && a.at[start] == b.at[start + 1] &&
           a.at[start + 1] == b.at[start];
}

/* Returns the last labels of a host, as many as the known one has. */
static struct span last_labels(struct span host, struct span known)
{
    size_t dots = 1, at = host.len;

    for (size_t i = 0; i < known.len; i++)
        dots += known.at[i] == '.';
    while (at && !(host.at[at - 1] == '.' && !--dots))
        at--;
    return (struct span){host.at + at, host.len - at};
}

/* True if the skeleton of the known host occurs in the other as whole labels, with more after
 * it. */
static bool stands_before(struct span host, struct span known)
{
    for (size_t at = 0; at + known.len < host.len; at++)
        if ((!at || strchr(".-", host.at[at - 1])) && strchr(".-", host.at[at + known.len]) &&
            memcmp(host.at + at, known.at, known.len) == 0)
            return true;
    return false;
}

/* Names that are a part of such hosts only to imitate them: github-login.com. */
static const char known_names[] = "github gitlab openai anthropic";

/* Domains in which such names are registered; another name with a dash is most often a file. */
static const char open_ends[] = "com org net io dev co ai info site online cloud xyz";

/* True if a known name is a part, between dashes, of the registered name. */
static bool borrows_name(struct span host, struct span lookalike)
{
    struct span registered, rest, part;

    if (memchr(host.at, '_', host.len) || !span_split_last(host, '.', &registered, &rest) ||
        !risk_is_listed(rest, open_ends) || !span_split_last(lookalike, '.', &registered, &rest))
        return false;
    span_split_last(registered, '.', &rest, &registered);
    if (!memchr(registered.at, '-', registered.len))
        return false;
    while (registered.len) {
        const char *dash = memchr(registered.at, '-', registered.len);
        size_t len = dash ? (size_t)(dash - registered.at) : registered.len;
        part = (struct span){registered.at, len};
        const char *names = known_names;
        for (struct span known; (known = risk_take(&names)).len;) {
            CLEANUP(str_free) struct str name = {0};
            confusable_skeleton(&name, known);
            if (span_eq(part, str_span(&name)))
                return true;
        }
        len += dash ? 1 : 0;
        registered = (struct span){registered.at + len, registered.len - len};
    }
    return false;
}

/* `host` is in lower case. */
static bool imitates(struct span host, const char *skeletons)
{
    CLEANUP(str_free) struct str lookalike = {0};
    const char *hosts = known_hosts;

    for (struct span known; (known = risk_take(&hosts)).len;)
        if (is_beneath_host(host, known))
            return false;
    add_skeleton(&lookalike, host);
    bool found = borrows_name(host, str_span(&lookalike));
    hosts = known_hosts;
    for (struct span known; !found && (known = risk_take(&hosts)).len;) {
        struct span seen = risk_take(&skeletons);
        found = is_beneath_host(str_span(&lookalike), seen) ||
                stands_before(str_span(&lookalike), seen) ||
                (known.len >= EDIT_SHORTEST && is_one_edit_apart(last_labels(host, known), known));
    }
    return found;
}

static bool is_of_host(int32_t code)
{
    return code == '.' || code == '-' || code == '_' || (code >= 0 && risk_is_of_word(code));
}

/* Checks a name with a dot, from `at` up to `end` of the text. */
static void check_name(struct risk_search *search, size_t at, size_t end, const char *skeletons)
{
    const char *text = search->text.at;
    CLEANUP(str_free) struct str lower = {0};

    while (at < end && strchr(".-_", text[at]))
        at++;
    while (at < end && strchr(".-_", text[end - 1]))
        end--;
    if (at == end || end - at > NAME_LONGEST || !memchr(text + at, '.', end - at))
        return;
    fold_add(&lower, (struct span){text + at, end - at});
    if (imitates(str_span(&lower), skeletons))
        risk_note(search, RISK_HOST, at, end);
    else if (memmem(lower.at, lower.len, "xn--", 4))
        risk_note(search, RISK_ALIKE, at, end);
}

/* Finds users that look like hosts: in https://known.host@another the first is a user's name. */
static void check_users(struct risk_search *search)
{
    struct span text = search->text;

    for (size_t at = 0; at < text.len;) {
        const char *found = memmem(text.at + at, text.len - at, "://", 3);
        if (!found)
            return;
        size_t start = (size_t)(found - text.at) + 3, end = start;
        bool dot = false;
        while (end < text.len && !strchr("/?#@ \t\r\n\"'<>)", text.at[end]))
            dot |= text.at[end++] == '.';
        if (dot && end < text.len && text.at[end] == '@')
            risk_note(search, RISK_HOST, start, end + 1);
        at = end;
    }
}

void risk_in_hosts(struct risk_search *search)
{
    CLEANUP(str_free) struct str skeletons = {0};
    struct span text = search->text, name;

    if (!text.len || !memchr(text.at, '.', text.len))
        return;
    add_skeletons(&skeletons);
    for (size_t at = 0; risk_next_run(text, &at, is_of_host, &name);)
        check_name(search, (size_t)(name.at - text.at), (size_t)(name.at - text.at) + name.len,
                   str_c(&skeletons));
    check_users(search);
}

void risk_in_host(struct risk_search *search)
{
    CLEANUP(str_free) struct str folded = {0};

    fold_add(&folded, span_trim(search->text));
    struct span host = host_without_port(str_span(&folded));
    if (host.len > 2 && host.at[0] == '[' && host.at[host.len - 1] == ']')
        host = (struct span){host.at + 1, host.len - 2};
    if (host.len && memchr(host.at, '*', host.len))
        risk_note(search, RISK_WIDE, 0, search->text.len);
    if (host.len && is_near(host))
        risk_note(search, RISK_NEAR, 0, search->text.len);
    if (is_number(host))
        risk_note(search, RISK_ADDRESS, 0, search->text.len);
    if (is_forged(host))
        risk_note(search, RISK_ALIKE, 0, search->text.len);
    risk_in_hosts(search);
}
