/* Owners of messages: the agent that is addressed, and whether that is us. */
#include "store/source/address.h"

#include "base/mem.h"
#include "base/str.h"
#include "mail/message/kind.h"

#include <stdlib.h>

/* Addresses: found among the listed names first, derived from the spelling only if no listed name
 * matches. */

bool address_book(const struct source *source, struct agent_names *names, struct err *err)
{
    return (source_boxes(source, names, err) && source_rosters(source, names, err)) ||
           err_at(err, source->path);
}

bool address_is_member(const struct agent_name *member, struct span agent)
{
    size_t qualified = member->team.len + 1 + member->name.len;

    if (span_eq(member->name, agent))
        return true;
    return agent.len == qualified && member->team.len && span_starts(agent, member->team) &&
           agent.at[member->team.len] == '/' &&
           memcmp(agent.at + member->team.len + 1, member->name.at, member->name.len) == 0;
}

/* True if the entry is the agent. If the layout has rosters, a box without a roster entry matches
 * only by its plain name. */
static bool knows_agent(const struct format *format, const struct agent_name *entry,
                        struct span agent)
{
    if (entry->on_roster)
        return address_is_member(entry, agent);
    return span_eq(entry->name, agent) ||
           (format->parse_roster ? format_is_plain_spelling(format, agent, entry->name)
                                 : format_is_spelling(format, agent, entry->name));
}

static bool is_team(const struct format *format, const struct agent_name *entry, struct span team)
{
    return span_eq(entry->team_title, team) || format_is_spelling(format, team, entry->team);
}

/* Finds the directory of the named team: by its own name, or by the spelling of a roster or a
 * program. */
static bool find_team_dir(const struct format *format, const struct agent_names *names,
                          struct address *address, struct err *err)
{
    struct span team = address->team, found = {0};

    for (size_t i = 0; i < names->count; i++)
        if (span_eq(names->items[i].team, team))
            return true;
    for (size_t i = 0; i < names->count; i++) {
        if (!is_team(format, &names->items[i], team))
            continue;
        if (found.at && !span_eq(found, names->items[i].team))
            return err_set(err, ERR_REFUSED,
                           "\"%.*s\" can be the team in %.*s and in %.*s; name its directory",
                           (int)team.len, team.at, (int)found.len, found.at,
                           (int)names->items[i].team.len, names->items[i].team.at);
        found = names->items[i].team;
    }
    if (found.at)
        address->team = found;
    else if (span_is(team, ".") || span_is(team, "..") || memchr(team.at, '/', team.len))
        return err_set(err, ERR_REFUSED, "\"%.*s\" cannot be the name of a team", (int)team.len,
                       team.at);
    return true;
}

/* Splits @TEAM off, unless the whole text is an agent's name. */
static bool split_team(const struct format *format, const struct agent_names *names,
                       struct address *address, struct err *err)
{
    struct span whole = address->agent, agent, team;

    if (!span_split_last(whole, '@', &agent, &team))
        return true;
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].on_roster && span_eq(names->items[i].name, whole))
            return true;
    address->agent = agent;
    address->team = team;
    return find_team_dir(format, names, address, err);
}

static bool say_ambiguous(const struct agent_names *names, const struct format *format,
                          struct span agent, struct err *err)
{
    CLEANUP(str_free) struct str some = {0};

    for (size_t i = 0; i < names->count; i++) {
        struct span team = names->items[i].team;
        bool named = !knows_agent(format, &names->items[i], agent);
        for (size_t k = 0; !named && k < i; k++)
            named =
                span_eq(names->items[k].team, team) && knows_agent(format, &names->items[k], agent);
        if (!named)
            str_addf(&some, "%s%.*s@%.*s", some.len ? ", " : "", (int)agent.len, agent.at,
                     (int)team.len, team.at);
    }
    return err_set(err, ERR_REFUSED, "\"%.*s\" is in several teams; say which one is meant: %s",
                   (int)agent.len, agent.at, str_c(&some));
}

/* True if the team that was named with our identity knows the agent: then that team is meant. */
static bool is_in_our_team(const struct source *source, const struct agent_names *names,
                           struct span agent)
{
    for (size_t i = 0; source->team && i < names->count; i++)
        if (span_is(names->items[i].team, source->team) &&
            knows_agent(source->format, &names->items[i], agent))
            return true;
    return false;
}

/* Finds the one team that knows the agent or, if none does, the only one there is. */
static bool find_team(const struct source *source, const struct agent_names *names,
                      struct address *address, struct err *err)
{
    const struct format *format = source->format;
    struct span only = {0};
    bool several = false;

    if (is_in_our_team(source, names, address->agent)) {
        address->team = span_of(source->team);
        return true;
    }
    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        several |= only.at && !span_eq(only, entry->team);
        only = entry->team;
        if (!knows_agent(format, entry, address->agent))
            continue;
        if (address->team.at && !span_eq(address->team, entry->team))
            return say_ambiguous(names, format, address->agent, err);
        address->team = entry->team;
    }
    for (size_t i = 0; i < names->teams.count; i++) {
        several |= only.at && !span_eq(only, names->teams.items[i]);
        only = names->teams.items[i];
    }
    if (!address->team.at && !several)
        address->team = only.at || !format->default_team ? only : span_of(format->default_team);
    return true;
}

static bool has_box(const struct agent_names *names, struct span team, struct span box)
{
    for (size_t i = 0; i < names->count; i++)
        if (!names->items[i].on_roster && span_eq(names->items[i].name, box) &&
            span_eq(names->items[i].team, team))
            return true;
    return false;
}

/* True if two boxes have the same loosest spelling: they differ only in case, or in the characters
 * that replace others. */
static bool are_alike(const struct format *format, struct span a, struct span b)
{
    CLEANUP(str_free) struct str loose = {0}, other = {0};
    bool alike = false;

    for (unsigned v = 0; format_spell(format, a, v, &loose) && format_spell(format, b, v, &other);
         v++)
        alike = span_eq(str_span(&loose), str_span(&other));
    return alike;
}

/* True if a box that is not spelled plainly can only be the agent's. If the layout has rosters, the
 * agent must be on one, no other entry may have that box, and no other box may be like it. */
static bool is_variant_of(const struct format *format, const struct agent_names *names,
                          const struct address *address, struct span box)
{
    bool member = false;

    for (size_t i = 0; format->parse_roster && i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        if (!span_eq(entry->team, address->team))
            continue;
        member |= entry->on_roster && address_is_member(entry, address->agent);
        if (entry->on_roster ? format_is_plain_spelling(format, entry->name, box)
                             : !span_eq(entry->name, box) && are_alike(format, entry->name, box))
            return false;
    }
    return member || !format->parse_roster;
}

static void find_box(const struct format *format, const struct agent_names *names,
                     struct address *address, struct arena *arena)
{
    CLEANUP(str_free) struct str spelled = {0};

    address->box = address->agent;
    address->has_box = has_box(names, address->team, address->box);
    for (unsigned v = 0; !address->has_box && format_spell(format, address->agent, v, &spelled);
         v++) {
        address->has_box = has_box(names, address->team, str_span(&spelled)) &&
                           (!v || is_variant_of(format, names, address, str_span(&spelled)));
        if (address->has_box || !v)
            address->box = arena_copy(arena, str_span(&spelled));
    }
}

/* True if the box of a place is the agent's although its name is not spelled plainly there. Reads
 * the names of the source. */
static bool address_has_variant(const struct source *source, const struct place *place,
                                struct span agent)
{
    struct address address = {.agent = agent, .team = place->team};
    CLEANUP(agent_names_free) struct agent_names names = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    struct err ignored;

    if (!source->format->parse_roster || !place->box.at)
        return !source->format->parse_roster;
    if (address_book(source, &names, &ignored))
        find_box(source->format, &names, &address, &arena);
    return address.has_box && span_eq(address.box, place->box);
}

/* False if the box may be one that could not be listed: another spelling, or a new box, would be a
 * different agent's. */
static bool box_is_known(const struct source *source, const struct agent_names *names,
                         const struct address *address, struct err *err)
{
    return (address->has_box &&
            format_is_plain_spelling(source->format, address->agent, address->box)) ||
           agent_names_are_all(names, address->team, err);
}

/* Counts the roster entries, except `except`, that have that box; *found is the first. */
static size_t count_owners(const struct source *source, const struct agent_names *names,
                           const struct address *address, struct span except, struct span *found)
{
    size_t count = 0;

    for (size_t i = 0; source->format->parse_roster && i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        if (!entry->on_roster || span_eq(entry->name, except) ||
            !span_eq(entry->team, address->team) ||
            !format_is_plain_spelling(source->format, entry->name, address->box))
            continue;
        if (!count++)
            *found = entry->name;
    }
    return count;
}

/* Maps a name that is spelled like a box to the roster entry with that box, if there is exactly
 * one. */
static void find_member(const struct source *source, const struct agent_names *names,
                        struct address *address)
{
    struct span found;

    if (!address->on_roster && span_eq(address->agent, address->box) &&
        count_owners(source, names, address, (struct span){0}, &found) == 1) {
        address->agent = found;
        address->on_roster = true;
    }
}

/* Finds the box and the roster entry, after the team is known. */
static bool resolve_in_team(const struct source *source, const struct agent_names *names,
                            struct address *address, struct arena *arena, struct err *err)
{
    const struct format *format = source->format;
    CLEANUP(str_free) struct str probe = {0};

    if (!format->box_name(&probe, address->agent, 0, err))
        return false;
    find_box(format, names, address, arena);
    if (!box_is_known(source, names, address, err))
        return false;
    address->has_team |= span_list_has(&names->teams, address->team);
    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        address->has_team |= address->team.at && span_eq(entry->team, address->team);
        if (!entry->on_roster || (address->team.at && !span_eq(entry->team, address->team)))
            continue;
        address->has_roster = true;
        if (!address_is_member(entry, address->agent))
            continue;
        address->on_roster = true;
        address->color = arena_copy(arena, entry->member.color);
    }
    find_member(source, names, address);
    for (size_t i = 0; format->built_in && format->built_in[i]; i++)
        address->on_roster |= span_is(address->agent, format->built_in[i]);
    address->agent = arena_copy(arena, address->agent);
    address->team = arena_copy(arena, address->team);
    address->box = arena_copy(arena, address->box);
    return true;
}

bool address_resolve(const struct source *source, const struct agent_names *names, struct span text,
                     struct address *address, struct arena *arena, struct err *err)
{
    *address = (struct address){.agent = text};
    if (format_has_teams(source->format)) {
        if (!split_team(source->format, names, address, err))
            return false;
        if (!address->team.at && !find_team(source, names, address, err))
            return false;
    }
    return resolve_in_team(source, names, address, arena, err);
}

bool address_read(const struct source *source, struct span text, struct address *address,
                  struct arena *arena, struct err *err)
{
    CLEANUP(agent_names_free) struct agent_names names = {0};

    return address_book(source, &names, err) &&
           address_resolve(source, &names, text, address, arena, err);
}

static void add_team(struct span_list *teams, struct span team)
{
    if (!span_list_has(teams, team))
        span_list_add(teams, team);
}

/* Lists the teams where a bare name has a box, or may have one; none if at most one team is
 * meant. */
static void find_teams(const struct source *source, const struct agent_names *names,
                       struct span agent, struct span_list *teams)
{
    if (is_in_our_team(source, names, agent))
        return;
    for (size_t i = 0; i < names->count; i++)
        if (knows_agent(source->format, &names->items[i], agent))
            add_team(teams, names->items[i].team);
    for (size_t i = 0; teams->count && i < names->unread_count; i++)
        if (names->unread[i].team.at)
            add_team(teams, names->unread[i].team);
}

static void add_address(struct addresses *addresses, const struct address *address)
{
    *mem_push(addresses->items, addresses->count, addresses->cap) = *address;
}

/* Adds a box that may exist in a team that cannot be read: its plain name. */
static void add_unread(struct addresses *addresses, const struct source *source,
                       const struct address *given, struct arena *arena)
{
    struct address address = {.agent = arena_copy(arena, given->agent),
                              .team = arena_copy(arena, given->team)};
    CLEANUP(str_free) struct str box = {0};

    format_spell(source->format, address.agent, 0, &box);
    address.box = arena_copy(arena, str_span(&box));
    add_address(addresses, &address);
}

bool address_read_all(const struct source *source, struct span text, struct addresses *addresses,
                      struct arena *arena, struct err *err)
{
    bool has_teams = format_has_teams(source->format);
    struct address given = {.agent = text}, found;
    CLEANUP(agent_names_free) struct agent_names names = {0};
    CLEANUP(span_list_free) struct span_list teams = {0};
    bool ok = address_book(source, &names, err) &&
              (!has_teams || split_team(source->format, &names, &given, err));

    if (ok && has_teams && !given.team.at)
        find_teams(source, &names, given.agent, &teams);
    for (size_t i = 0; ok && teams.count > 1 && i < teams.count; i++) {
        found = given;
        found.team = teams.items[i];
        ok = resolve_in_team(source, &names, &found, arena, err);
        if (ok)
            add_address(addresses, &found);
        else if (err->scope == ERR_BOX) {
            given.team = teams.items[i];
            add_unread(addresses, source, &given, arena);
            ok = true;
        }
    }
    if (ok && teams.count < 2) {
        ok = address_resolve(source, &names, text, &found, arena, err);
        if (ok)
            add_address(addresses, &found);
    }
    return ok;
}

void addresses_free(struct addresses *addresses)
{
    free(addresses->items);
    *addresses = (struct addresses){0};
}

struct span address_collision(const struct source *source, const struct agent_names *names,
                              const struct address *address)
{
    struct span other = {0};

    count_owners(source, names, address, address->agent, &other);
    return other;
}

static struct span without_swarm(struct span name)
{
    const char *slash = name.len ? memrchr(name.at, '/', name.len) : NULL;

    return slash ? (struct span){slash + 1, (size_t)(name.at + name.len - slash - 1)} : name;
}

bool address_is_owner(const struct source *source, const struct message *message, struct span agent)
{
    const struct place *place = message->place;
    struct span to = message->to;
    struct span name, team;

    if (place->team.at && span_split_last(agent, '@', &name, &team) && span_eq(team, place->team))
        agent = name;
    if (span_eq(to, agent) || format_is_everybody(source->format, to))
        return true;
    if (!source->format->exact_to) {
        struct span box = place->box.at ? place->box : to;
        return format_is_plain_spelling(source->format, agent, box) ||
               (format_is_spelling(source->format, agent, box) &&
                address_has_variant(source, place, agent));
    }
    /* an agent may be addressed with and without its swarm */
    struct span bare = without_swarm(to), own = without_swarm(agent);
    return (bare.len == to.len || own.len == agent.len) && span_eq(bare, own);
}

bool address_narrow(struct source *source, struct err *err)
{
    CLEANUP(agent_names_free) struct agent_names names = {0};
    CLEANUP(str_free) struct str some = {0};
    struct span swarm = {"", 0};
    size_t count = 0;

    if (!source->format->exact_to || strchr(source->identity, '/'))
        return true;
    bool ok = source_rosters(source, &names, err);
    for (size_t i = 0; i < names.count; i++) {
        if (!span_is(names.items[i].name, source->identity))
            continue;
        swarm = names.items[i].team;
        str_addf(&some, "%s%.*s/%s", count++ ? ", " : "", (int)swarm.len, swarm.at,
                 source->identity);
    }
    if (count > 1)
        ok = err_set(err, ERR_REFUSED, "\"%s\" is in several swarms; say which one is meant: %s",
                     source->identity, str_c(&some));
    free(source->swarm);
    source->swarm = mem_zero(swarm.len + 1, 1);
    memcpy(source->swarm, swarm.at, swarm.len);
    return ok;
}

/* True if a name with a swarm is one that our bare name means. */
static bool is_our_swarm(const struct source *source, struct span to)
{
    struct span swarm, bare;

    return !source->swarm || strchr(source->identity, '/') ||
           !span_split_last(to, '/', &swarm, &bare) || span_is(swarm, source->swarm);
}

bool address_is_ours(const struct source *source, const struct message *message)
{
    return address_is_owner(source, message, span_of(source->identity)) &&
           is_our_swarm(source, message->to) &&
           (!source->team || span_is(message->place->team, source->team));
}

bool address_is_us(const struct source *source, const struct place *place, struct span name)
{
    struct message from = {.place = place, .to = name};
    struct place anywhere = *place; /* a sender's box is not the place of its messages */

    anywhere.box = (struct span){0};
    from.place = &anywhere;
    return !format_is_everybody(source->format, name) && address_is_ours(source, &from);
}

void address_own(const struct source *source, struct message *message)
{
    struct message addressed = *message;

    if (message->damaged)
        addressed.to = message_recipient(message);
    message->mine = address_is_ours(source, &addressed);
    message->by_us = address_is_us(source, message->place, message->from);
}

void address_settle(const struct source *source, struct message *message)
{
    address_own(source, message);
    message_classify(message);
}

bool address_refuse(const struct source *source, const struct message *message, struct err *err)
{
    CLEANUP(str_free) struct str owner = {0};

    str_add_span(&owner, message->to);
    if (message->place->team.at) {
        str_putc(&owner, '@');
        str_add_span(&owner, message->place->team);
    }
    return err_set(
        err, ERR_REFUSED,
        "%.*s is mail for \"%s\", and only they mark it; you are \"%s%s%s\" here: use --as %s",
        (int)message->id.len, message->id.at, str_c(&owner), source->identity,
        source->team ? "@" : "", source->team ? source->team : "", str_c(&owner));
}

bool address_ends_by_answer(const struct source *source, const struct message *message,
                            struct span self)
{
    return source->format->answered_archived && !message->place->archived &&
           address_is_owner(source, message, self);
}
