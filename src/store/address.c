/* Addresses: found by listing first, derived only when nothing of the kind exists. */
#include "store/address.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "mail/kind.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { VARIANTS_MAX = 8 };

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

/* The n-th spelling of a name as a box; false when there are no more. */
static bool spell(const struct format *format, struct span name, unsigned variant, struct str *out)
{
    struct err ignored;

    str_clear(out);
    return format->box_name(out, name, variant, &ignored);
}

static bool is_spelling(const struct format *format, struct span name, struct span box)
{
    struct str spelled = {0};
    bool same = span_eq(name, box);

    for (unsigned v = 0; !same && v < VARIANTS_MAX && spell(format, name, v, &spelled); v++)
        same = span_eq(str_span(&spelled), box);
    str_free(&spelled);
    return same;
}

static bool is_plain_spelling(const struct format *format, struct span name, struct span box)
{
    struct str spelled = {0};
    bool same = spell(format, name, 0, &spelled) && span_eq(str_span(&spelled), box);

    str_free(&spelled);
    return same;
}

static bool knows(const struct format *format, const struct agent_name *entry, struct span agent)
{
    return entry->on_roster ? address_is_member(entry, agent)
                            : is_spelling(format, agent, entry->name);
}

static bool is_team(const struct format *format, const struct agent_name *entry, struct span team)
{
    return span_eq(entry->team_title, team) || is_spelling(format, team, entry->team);
}

/* The directory of the team that is meant: its own name, or how a roster or a program spells it. */
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

/* Splits @TEAM off, unless somebody is called by all of it. */
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
    struct str some = {0};

    for (size_t i = 0; i < names->count; i++) {
        struct span team = names->items[i].team;
        bool named = !knows(format, &names->items[i], agent);
        for (size_t k = 0; !named && k < i; k++)
            named = span_eq(names->items[k].team, team) && knows(format, &names->items[k], agent);
        if (!named)
            str_addf(&some, "%s%.*s@%.*s", some.len ? ", " : "", (int)agent.len, agent.at,
                     (int)team.len, team.at);
    }
    err_set(err, ERR_REFUSED, "\"%.*s\" is in several teams; say which one is meant: %s",
            (int)agent.len, agent.at, str_c(&some));
    str_free(&some);
    return false;
}

/* The one team that knows the agent or, when none does, the only one there is. */
static bool find_team(const struct source *source, const struct agent_names *names,
                      struct address *address, struct err *err)
{
    const struct format *format = source->format;
    struct span only = {0};
    bool several = false;

    for (size_t i = 0; source->team && i < names->count; i++) { /* ours first */
        if (span_is(names->items[i].team, source->team) &&
            knows(format, &names->items[i], address->agent)) {
            address->team = names->items[i].team;
            return true;
        }
    }

    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        several |= only.at && !span_eq(only, entry->team);
        only = entry->team;
        if (!knows(format, entry, address->agent))
            continue;
        if (address->team.at && !span_eq(address->team, entry->team))
            return say_ambiguous(names, format, address->agent, err);
        address->team = entry->team;
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

static void find_box(const struct format *format, const struct agent_names *names,
                     struct address *address, struct arena *arena)
{
    struct str spelled = {0};

    address->box = address->agent;
    address->has_box = has_box(names, address->team, address->box);
    for (unsigned v = 0; !address->has_box && v < VARIANTS_MAX; v++) {
        if (!spell(format, address->agent, v, &spelled))
            break;
        address->has_box = has_box(names, address->team, str_span(&spelled));
        if (address->has_box || !v)
            address->box = arena_copy(arena, str_span(&spelled));
    }
    str_free(&spelled);
}

/* A box that was not listed may be the one that is meant: another spelling, or a new box, would be
 * somebody else's. */
static bool box_is_known(const struct source *source, const struct agent_names *names,
                         const struct address *address, struct err *err)
{
    return (address->has_box && is_plain_spelling(source->format, address->agent, address->box)) ||
           agent_names_are_all(names, address->team, err);
}

/* A name that is spelled like a box means whoever on the roster has that box, if only one has. */
static void find_member(const struct source *source, const struct agent_names *names,
                        struct address *address)
{
    const struct agent_name *found = NULL;
    struct str box = {0};
    size_t count = 0;

    for (size_t i = 0; source->format->parse_roster && i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        if (!entry->on_roster || !span_eq(entry->team, address->team) ||
            !spell(source->format, entry->name, 0, &box) || !span_eq(str_span(&box), address->box))
            continue;
        found = entry;
        count++;
    }
    if (count == 1 && !address->on_roster && span_eq(address->agent, address->box)) {
        address->agent = found->name;
        address->on_roster = true;
    }
    str_free(&box);
}

bool address_resolve(const struct source *source, const struct agent_names *names, struct span text,
                     struct address *address, struct arena *arena, struct err *err)
{
    const struct format *format = source->format;
    struct str probe = {0};

    *address = (struct address){.agent = text};
    if (format_has_teams(format)) {
        if (!split_team(format, names, address, err))
            return false;
        if (!address->team.at && !find_team(source, names, address, err))
            return false;
    }
    bool ok = format->box_name(&probe, address->agent, 0, err);
    str_free(&probe);
    if (!ok)
        return false;
    find_box(format, names, address, arena);
    if (!box_is_known(source, names, address, err))
        return false;
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

bool address_read(const struct source *source, struct span text, struct address *address,
                  struct arena *arena, struct err *err)
{
    struct agent_names names = {0};
    bool ok = address_book(source, &names, err) &&
              address_resolve(source, &names, text, address, arena, err);

    agent_names_free(&names);
    return ok;
}

struct span address_collision(const struct source *source, const struct agent_names *names,
                              const struct address *address)
{
    struct str box = {0};
    struct span other = {0};

    for (size_t i = 0; source->format->parse_roster && !other.at && i < names->count; i++) {
        const struct agent_name *entry = &names->items[i];
        if (entry->on_roster && !span_eq(entry->name, address->agent) &&
            span_eq(entry->team, address->team) && spell(source->format, entry->name, 0, &box) &&
            span_eq(str_span(&box), address->box))
            other = entry->name;
    }
    str_free(&box);
    return other;
}

static bool has_plain_box(const struct source *source, const struct place *place, struct span agent)
{
    const struct format *format = source->format;
    struct str box = {0}, path = {0};
    int fd = -1;

    if (place_names_box(format->rules[0].pattern) && spell(format, agent, 0, &box)) {
        struct place_names names = {.team = place->team, .box = str_span(&box)};
        format_dir(&path, format, false, &names);
        str_putc(&path, '/');
        place_file(&path, format->rules[0].pattern, str_span(&box));
        fd = file_open_beneath(source->root, str_c(&path), O_PATH);
    }
    if (fd >= 0)
        close(fd);
    str_free(&box);
    str_free(&path);
    return fd >= 0;
}

bool address_is_owner(const struct source *source, const struct message *message, struct span agent)
{
    const struct place *place = message->place;
    struct span to = message->to;
    struct span name, team;

    if (place->team.at && span_split_last(agent, '@', &name, &team) && span_eq(team, place->team))
        agent = name;
    if (span_eq(to, agent) || (source->format->one_for_all && span_is(to, "all")))
        return true;
    if (!source->format->exact_to) {
        struct span box = place->box.at ? place->box : to;
        /* another spelling counts only while nobody has a box under the plain one */
        return is_plain_spelling(source->format, agent, box) ||
               (is_spelling(source->format, agent, box) &&
                !(source->format->edit && has_plain_box(source, place, agent)));
    }
    /* one agent may be addressed with and without its swarm */
    const char *slash = to.len ? memrchr(to.at, '/', to.len) : NULL;
    const char *own_slash = agent.len ? memrchr(agent.at, '/', agent.len) : NULL;
    struct span bare = {slash ? slash + 1 : to.at,
                        slash ? (size_t)(to.at + to.len - slash - 1) : to.len};
    struct span own = {own_slash ? own_slash + 1 : agent.at,
                       own_slash ? (size_t)(agent.at + agent.len - own_slash - 1) : agent.len};
    return (!slash || !own_slash) && span_eq(bare, own);
}

bool address_narrow(struct source *source, struct err *err)
{
    struct agent_names names = {0};
    struct str some = {0};
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
    str_free(&some);
    agent_names_free(&names);
    return ok;
}

/* Whether a name with a swarm is one that our bare name stands for. */
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
    struct place anywhere = *place; /* a sender's box is not where its messages lie */

    anywhere.box = (struct span){0};
    from.place = &anywhere;
    return !(source->format->one_for_all && span_is(name, "all")) && address_is_ours(source, &from);
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
    struct str owner = {0};

    str_add_span(&owner, message->to);
    if (message->place->team.at) {
        str_putc(&owner, '@');
        str_add_span(&owner, message->place->team);
    }
    err_set(err, ERR_REFUSED,
            "%.*s is mail for \"%s\", and only they mark it; you are \"%s%s%s\" here: use --as %s",
            (int)message->id.len, message->id.at, str_c(&owner), source->identity,
            source->team ? "@" : "", source->team ? source->team : "", str_c(&owner));
    str_free(&owner);
    return false;
}

bool address_ends_by_answer(const struct source *source, const struct message *message,
                            struct span self)
{
    return source->format->archiving == ARCHIVE_MOVE && !message->place->archived &&
           address_is_owner(source, message, self);
}
