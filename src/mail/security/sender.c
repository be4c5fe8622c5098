/* Senders: findings from their names and files. */
#include "mail/security/sender.h"

#include "base/text/confusables.h"
#include "base/text/sanitize.h"

/* Hosts: recognizing addresses and ports. */

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

enum {
    ALIKE_MAX =
        3, /* names that are reported; a sender that resembles more of them is suspicious enough */
    NAME_COLUMNS = 60,
};

static const struct {
    unsigned flag;
    const char *text;
} sentences[] = {
    {SENDER_NAMELESS, "sender: has no name"},
    {SENDER_ON_ROSTER, "sender: on the roster"},
    {SENDER_OFF_ROSTER, "sender: not on the roster"},
    {SENDER_NO_ROSTER, "sender: there is no roster to compare with"},
    {SENDER_IS_LEAD, "sender: has the lead's name"},
    {SENDER_IS_US, "sender: has your own name"},
    {SENDER_ELSEWHERE, "sender: another team has an agent of that name"},
    {SENDER_HIDES, "sender: the name holds characters that cannot be seen"},
    {SENDER_MIXES, "sender: mixes scripts"},
    {SENDER_STRAY, "it lies in another agent's box"},
    {SENDER_OTHER_OWNER, "file belongs to another user"},
    {SENDER_OPEN_PLACE, "every user may write into its directory"},
};

static bool is_among(struct span name, const struct span *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_eq(names[i], name))
            return true;
    return false;
}

static unsigned judge_name(const struct sender_facts *facts)
{
    struct span name = facts->name;
    unsigned flags = 0;

    if (!span_trim(name).len)
        return SENDER_NAMELESS;
    if (!facts->has_roster)
        flags |= SENDER_NO_ROSTER;
    else if (facts->listed || is_among(name, facts->roster, facts->roster_count))
        flags |= SENDER_ON_ROSTER;
    else
        flags |= SENDER_OFF_ROSTER;
    if (facts->lead.len && span_eq(name, facts->lead))
        flags |= SENDER_IS_LEAD;
    if (facts->us.len && span_eq(name, facts->us))
        flags |= SENDER_IS_US;
    if (facts->elsewhere)
        flags |= SENDER_ELSEWHERE;
    if (confusable_hides(name))
        flags |= SENDER_HIDES;
    if (confusable_mixes(name))
        flags |= SENDER_MIXES;
    return flags;
}

/* The names that resemble the sender's, those of its own team first. */
struct alike {
    struct span names[ALIKE_MAX];
    size_t count;
};

static void compare_names(struct alike *alike, struct span name, const struct span *names,
                          size_t count)
{
    for (size_t i = 0; i < count && alike->count < ALIKE_MAX; i++)
        if (confusable_same(name, names[i]) && !is_among(names[i], alike->names, alike->count))
            alike->names[alike->count++] = names[i];
}

static void say_alike(const struct alike *alike, struct span_list *says, struct arena *arena)
{
    for (size_t i = 0; i < alike->count; i++) {
        CLEANUP(str_free) struct str text = {0};
        str_puts(&text, "sender: looks like \"");
        sanitize_cut(&text, alike->names[i], SANITIZE_LINE, NAME_COLUMNS);
        str_putc(&text, '"');
        span_list_add(says, arena_copy(arena, str_span(&text)));
    }
}

unsigned sender_judge(const struct sender_facts *facts, struct span_list *says, struct arena *arena)
{
    struct alike alike = {0};
    unsigned flags = judge_name(facts);

    compare_names(&alike, facts->name, facts->roster, facts->roster_count);
    compare_names(&alike, facts->name, &facts->lead, facts->lead.len ? 1 : 0);
    compare_names(&alike, facts->name, &facts->us, facts->us.len ? 1 : 0);
    compare_names(&alike, facts->name, facts->others, facts->other_count);
    flags |= facts->stray ? SENDER_STRAY : 0;
    flags |= facts->other_owner ? SENDER_OTHER_OWNER : 0;
    flags |= facts->open_directory ? SENDER_OPEN_PLACE : 0;
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (flags & sentences[i].flag)
            span_list_add(says, span_of(sentences[i].text));
    say_alike(&alike, says, arena);
    return flags | (alike.count ? SENDER_ALIKE : 0);
}
