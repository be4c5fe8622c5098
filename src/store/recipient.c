/* Recipients: rosters, boxes and senders, asked in this order. */
#include "store/recipient.h"

#include "base/map.h"
#include "base/nearest.h"
#include "base/span_list.h"
#include "store/load.h"

bool recipient_is_member(const struct agent_name *member, struct span address)
{
    struct span name, team;

    if (address_is_member(member, address))
        return true;
    return member->team.at && span_split_last(address, '@', &name, &team) &&
           span_eq(member->name, name) &&
           (span_eq(member->team, team) || span_eq(member->team_title, team));
}

/* Everybody who has written or, where boxes have no place of their own, was written to. */
struct senders {
    struct address *wanted;
    bool with_recipients;
    bool found;
    struct arena arena;
    struct map seen;
    struct span_list names;
};

static void note_name(struct senders *senders, struct span name, struct span team)
{
    bool fresh;

    if (!name.len)
        return;
    if (!map_get(&senders->seen, name)) {
        struct span kept = arena_copy(&senders->arena, name);
        map_put(&senders->seen, kept, &fresh);
        span_list_add(&senders->names, kept);
    }
    if (senders->found || !span_eq(name, senders->wanted->agent) ||
        (senders->wanted->team.at && !span_eq(team, senders->wanted->team)))
        return;
    senders->found = true;
    senders->wanted->team = arena_copy(&senders->arena, team);
}

static void note_senders(void *context, struct batch *batch)
{
    struct senders *senders = context;

    for (size_t i = 0; i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        note_name(senders, message->from, message->place->team);
        if (senders->with_recipients)
            note_name(senders, message->to, message->place->team);
    }
}

/* How an error goes on. */
static const char *advice(enum recipient_rule rule, const char *offer)
{
    return rule == RECIPIENT_OFFER ? offer : "check the name";
}

static bool say_unknown(struct span agent, const struct agent_names *known,
                        const struct senders *senders, enum recipient_rule rule, struct err *err)
{
    struct span_list all = {0};
    struct str near = {0};

    for (size_t i = 0; i < known->count; i++)
        span_list_add(&all, known->items[i].name);
    for (size_t i = 0; i < senders->names.count; i++)
        span_list_add(&all, senders->names.items[i]);
    nearest_hint(&near, agent, all.items, all.count);
    err_set(err, ERR_REFUSED, "\"%.*s\" has no mailbox, is on no roster and never wrote%s; %s",
            (int)agent.len, agent.at, str_c(&near),
            advice(rule, "check the name, or make a new mailbox with --create"));
    span_list_free(&all);
    str_free(&near);
    return false;
}

/* Looks through everything for somebody of that name. */
static bool has_written(const struct source *source, struct address *address,
                        const struct agent_names *names, enum recipient_rule rule,
                        struct arena *arena, struct err *err)
{
    struct senders senders = {
        .wanted = address, .with_recipients = !place_tells_box(source->format->rules[0].pattern)};
    struct load all = {.inbox = true, .archive = true};
    bool ok = load_source(source, &all, note_senders, &senders, NULL, err);

    address->team = arena_copy(arena, address->team);
    if (ok && !senders.found && rule != RECIPIENT_NEW)
        ok = say_unknown(address->agent, names, &senders, rule, err);
    span_list_free(&senders.names);
    map_free(&senders.seen);
    arena_free(&senders.arena);
    return ok;
}

static bool check_box(const struct source *source, const struct agent_names *names,
                      const struct address *address, struct err *err)
{
    struct span other = address_collision(source, names, address);

    if (other.at)
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" would share the mailbox of \"%.*s\": the layout %s spells both "
                       "names alike",
                       (int)address->agent.len, address->agent.at, (int)other.len, other.at,
                       source->format->title);
    if (source->format->parse_roster && address->has_box && !address->on_roster &&
        !span_eq(address->agent, address->box) &&
        format_is_plain_spelling(source->format, address->agent, address->box))
        return err_set(err, ERR_REFUSED,
                       "nobody is called \"%.*s\" here, and its mail would go into the mailbox of "
                       "\"%.*s\": use that name if it is meant",
                       (int)address->agent.len, address->agent.at, (int)address->box.len,
                       address->box.at);
    if (format_has_teams(source->format) && !address->team.len)
        return err_set(err, ERR_REFUSED, "say in which team \"%.*s\" is: %.*s@TEAM",
                       (int)address->agent.len, address->agent.at, (int)address->agent.len,
                       address->agent.at);
    return true;
}

/* Where boxes are the only roster. */
static bool say_boxless(struct span agent, const struct agent_names *names,
                        enum recipient_rule rule, struct err *err)
{
    struct senders nobody = {0};

    return say_unknown(agent, names, &nobody, rule, err);
}

/* A new team's directory is spelled as a box is. */
static bool spell_team(const struct format *format, struct address *address, struct arena *arena,
                       struct err *err)
{
    struct str spelled = {0};
    bool ok = format->box_name(&spelled, address->team, 0, err);

    address->team = arena_copy(arena, str_span(&spelled));
    str_free(&spelled);
    return ok;
}

static bool say_no_team(struct span team, const struct agent_names *names, enum recipient_rule rule,
                        struct err *err)
{
    struct span_list teams = {0};
    struct str near = {0};

    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].team.at)
            span_list_add(&teams, names->items[i].team);
    nearest_hint(&near, team, teams.items, teams.count);
    err_set(err, ERR_REFUSED, "there is no team \"%.*s\" here%s; %s", (int)team.len, team.at,
            str_c(&near), advice(rule, "check the name, or make a new one with --create"));
    span_list_free(&teams);
    str_free(&near);
    return false;
}

bool recipient_find(const struct source *source, struct span text, enum recipient_rule rule,
                    struct address *address, struct arena *arena, struct err *err)
{
    struct agent_names names = {0};
    bool ok = address_book(source, &names, err) &&
              address_resolve(source, &names, text, address, arena, err);

    if (ok && address->team.at && !address->has_team && names.count)
        ok = rule == RECIPIENT_NEW ? spell_team(source->format, address, arena, err)
                                   : say_no_team(address->team, &names, rule, err);
    bool known =
        ok && (address->has_box || address->on_roster || span_is(address->agent, source->identity));
    if (ok && !known && source->format->reply_box && rule != RECIPIENT_NEW)
        ok = say_boxless(address->agent, &names, rule, err);
    else if (ok && !known)
        ok = has_written(source, address, &names, rule, arena, err);
    ok = ok && check_box(source, &names, address, err);
    agent_names_free(&names);
    return ok;
}

bool recipient_find_sender(const struct source *source, struct span text, struct span box,
                           struct address *address, struct arena *arena, struct err *err)
{
    const char *reply_box = source->format->reply_box;

    if (recipient_find(source, text, reply_box ? RECIPIENT_OFFER : RECIPIENT_NEW, address, arena,
                       err))
        return true;
    if (!reply_box || err->scope != ERR_REFUSED)
        return false;
    if (!source->format->is_manager(box) ||
        !recipient_find(source, span_of(reply_box), RECIPIENT_OFFER, address, arena, err))
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\", who wrote it, has no inbox here; answer with send --to INBOX "
                       "--reply-to ID",
                       (int)text.len, text.at);
    address->agent = arena_copy(arena, text);
    return true;
}

struct spelling {
    struct span agent, other;
    bool used;
    struct arena *arena;
};

static void note_spelling(void *context, struct batch *batch)
{
    struct spelling *spelling = context;

    for (size_t i = 0; i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        if (message->damaged)
            continue;
        if (span_eq(message->to, spelling->agent))
            spelling->used = true;
        else if (!spelling->other.at)
            spelling->other = arena_copy(spelling->arena, message->to);
    }
}

struct span recipient_other_spelling(const struct source *source, struct span agent,
                                     struct arena *arena)
{
    struct spelling spelling = {.agent = agent, .arena = arena};
    struct load some = {.agent = agent, .inbox = true, .archive = true, .most = 16};
    struct str box = {0};
    struct err ignored;

    /* Only a name with the stand-in can be another one's box. */
    if (format_spell(source->format, agent, 0, &box) &&
        strchr(str_c(&box), source->format->stand_in))
        load_source(source, &some, note_spelling, &spelling, NULL, &ignored);
    str_free(&box);
    return !spelling.used ? spelling.other : (struct span){0};
}

static bool has_box_of(const struct source *source, const struct agent_names *names,
                       struct span agent)
{
    struct str box = {0};
    bool found = false;

    if (format_spell(source->format, agent, 0, &box))
        for (size_t i = 0; i < names->count; i++)
            found |= !names->items[i].on_roster && span_eq(names->items[i].name, str_span(&box));
    str_free(&box);
    return found;
}

struct span recipient_other_name(const struct source *source, const struct address *to,
                                 struct arena *arena)
{
    struct agent_names names = {0};
    struct span other = {0}, swarm, bare;
    struct err ignored;

    if (to->has_box || !source->format->exact_to || !address_book(source, &names, &ignored)) {
        agent_names_free(&names);
        return other;
    }
    if (span_split_last(to->agent, '/', &swarm, &bare) && has_box_of(source, &names, bare))
        other = arena_copy(arena, bare);
    for (size_t i = 0; !other.at && i < names.count; i++) {
        const struct agent_name *entry = &names.items[i];
        struct str whole = {0};
        str_addf(&whole, "%.*s/%.*s", (int)entry->team.len, entry->team.at, (int)to->agent.len,
                 to->agent.at);
        if (entry->on_roster && span_eq(entry->name, to->agent) &&
            has_box_of(source, &names, str_span(&whole)))
            other = arena_copy(arena, str_span(&whole));
        str_free(&whole);
    }
    agent_names_free(&names);
    return other;
}

/* Who has a box, where nobody keeps a roster. */
static bool all_boxes(const struct source *source, struct agent_names *names, struct err *err)
{
    bool ok = source_boxes(source, names, err);

    for (size_t i = 0; i < names->count; i++)
        names->items[i].on_roster = true;
    return ok;
}

static bool say_no_swarm(const struct source *source, struct span swarm,
                         const struct agent_names *rosters, struct err *err)
{
    struct span_list swarms = {0};
    struct str near = {0};

    for (size_t i = 0; i < rosters->count; i++)
        if (!i || !span_eq(rosters->items[i].team, rosters->items[i - 1].team))
            span_list_add(&swarms, rosters->items[i].team);
    nearest_hint(&near, swarm, swarms.items, swarms.count);
    if (!format_has_teams(source->format) && !source->format->exact_to)
        err_set(err, ERR_REFUSED, "the layout %s has no swarms, only one set of agents: use --all",
                source->format->title);
    else if (!swarms.count)
        err_set(err, ERR_REFUSED,
                source->format->exact_to
                    ? "%s: no swarm has agents here; name the directory of the swarms with --swarms"
                    : "%s: no team has members here",
                source->roster_path ? source->roster_path : source->path);
    else
        err_set(err, ERR_REFUSED, "%s: no swarm \"%.*s\" has agents here%s", source->roster_path,
                (int)swarm.len, swarm.at, str_c(&near));
    span_list_free(&swarms);
    str_free(&near);
    return false;
}

static bool is_in_swarm(const struct agent_name *member, struct span swarm)
{
    return !swarm.at || span_eq(member->team, swarm) || span_eq(member->team_title, swarm);
}

bool recipient_all(const struct source *source, struct agent_names *names, struct err *err)
{
    bool ok = source_rosters(source, names, err);

    if (ok && ((!names->count && source->format->parse_roster) || !source->format->roster_pattern))
        ok = all_boxes(source, names, err);
    return ok;
}

bool recipient_swarm(const struct source *source, struct span swarm, struct agent_names *names,
                     struct err *err)
{
    bool ok = swarm.at ? source_rosters(source, names, err) : recipient_all(source, names, err);
    bool found = false;

    if (ok && swarm.at && !source->format->roster_pattern)
        ok = all_boxes(source, names, err);
    for (size_t i = 0; i < names->count; i++)
        found |= is_in_swarm(&names->items[i], swarm);
    /* what cannot be read may name members who would not get it */
    ok = ok && agent_names_are_all(names, swarm, err);
    if (ok && !found)
        ok = say_no_swarm(source, swarm, names, err);
    size_t kept = 0;
    for (size_t i = 0; i < names->count; i++)
        if (is_in_swarm(&names->items[i], swarm))
            names->items[kept++] = names->items[i];
    names->count = kept;
    return ok;
}
