/* Recipients: checks rosters, boxes and senders, in this order. */
#include "store/source/recipient.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/text/suggest.h"
#include "store/scan/load.h"

#include <stdlib.h>

bool recipient_is_member(const struct agent_name *member, struct span address)
{
    struct span name, team;

    if (address_is_member(member, address))
        return true;
    return member->team.at && span_split_last(address, '@', &name, &team) &&
           span_eq(member->name, name) &&
           (span_eq(member->team, team) || span_eq(member->team_title, team));
}

/* All agents that have written or, if boxes have no place of their own, were written to. */
struct senders {
    const struct address *wanted;
    bool with_recipients;
    bool found;
    struct span_list teams; /* the teams in which the wanted agent was found */
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
    if (!span_eq(name, senders->wanted->agent) ||
        (senders->wanted->team.at && !span_eq(team, senders->wanted->team)))
        return;
    senders->found = true;
    if (team.at && !span_list_has(&senders->teams, team))
        span_list_add(&senders->teams, arena_copy(&senders->arena, team));
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

static const char offer_mailbox[] = "check the name, or make a new mailbox with --create";

/* Returns the end of an error message: what to do. */
static const char *advice(enum recipient_rule rule, const char *offer)
{
    return rule == RECIPIENT_OFFER ? offer : "check the name";
}

bool recipient_say_unknown(struct span text, const struct span_list *names,
                           enum recipient_rule rule, struct err *err)
{
    CLEANUP(str_free) struct str near = {0};

    suggest_hint(&near, text, names->items, names->count);
    return err_set(err, ERR_REFUSED,
                   "\"%.*s\" has no mailbox, is on no roster and never wrote%s; %s", (int)text.len,
                   text.at, str_c(&near), advice(rule, offer_mailbox));
}

void recipient_met_free(struct recipient_met *met)
{
    span_list_free(&met->names);
    arena_free(&met->arena);
}

/* A search for an agent in a source. */
struct inquiry {
    const struct source *source;
    struct agent_names names;
    enum recipient_rule rule;
    struct recipient_met *met; /* or NULL */
};

static void note_met(struct recipient_met *met, struct span name, struct span team)
{
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, name);
    if (met->with_teams && team.len)
        str_addf(&text, "@%.*s", (int)team.len, team.at);
    span_list_add(&met->names, arena_copy(&met->arena, str_span(&text)));
}

static void note_all_met(const struct inquiry *inquiry, const struct senders *senders)
{
    bool teams = format_has_teams(inquiry->source->format);
    struct recipient_met *met = inquiry->met;

    if (!met)
        return;
    met->unknown = true;
    for (size_t i = 0; i < inquiry->names.count; i++)
        note_met(met, inquiry->names.items[i].name,
                 teams ? inquiry->names.items[i].team : (struct span){0});
    for (size_t i = 0; senders && i < senders->names.count; i++)
        note_met(met, senders->names.items[i], (struct span){0});
}

/* Reports that the members of the team are unknown, and only senders are known. */
static bool say_rosterless(const struct inquiry *inquiry, const struct address *address,
                           const struct span_list *names, struct err *err)
{
    CLEANUP(str_free) struct str text = {0};

    str_addf(&text, "nobody called \"%.*s\" ever wrote in \"%.*s\" or was written to, and ",
             (int)address->agent.len, address->agent.at, (int)address->team.len, address->team.at);
    roster_add_missing(&text, inquiry->source, address->team);
    suggest_hint(&text, address->agent, names->items, names->count);
    return err_set(err, ERR_REFUSED, "%s; %s", str_c(&text),
                   advice(inquiry->rule, "check the name, or send all the same with --create"));
}

/* Reports an unknown recipient. Without senders, boxes are the only roster. */
static bool say_unknown(const struct inquiry *inquiry, const struct address *address,
                        const struct senders *senders, struct err *err)
{
    CLEANUP(span_list_free) struct span_list all = {0};

    for (size_t i = 0; i < inquiry->names.count; i++)
        span_list_add(&all, inquiry->names.items[i].name);
    for (size_t i = 0; senders && i < senders->names.count; i++)
        span_list_add(&all, senders->names.items[i]);
    note_all_met(inquiry, senders);
    bool rosterless = roster_is_missing(inquiry->source, &inquiry->names, address->team);
    if (rosterless && inquiry->met)
        inquiry->met->rosterless = true;
    return rosterless ? say_rosterless(inquiry, address, &all, err)
                      : recipient_say_unknown(address->agent, &all, inquiry->rule, err);
}

static int cmp_teams(const void *a, const void *b)
{
    return span_cmp(*(const struct span *)a, *(const struct span *)b);
}

static bool say_several(const struct inquiry *inquiry, struct span agent,
                        const struct span_list *teams, struct err *err)
{
    CLEANUP(str_free) struct str some = {0};

    qsort(teams->items, teams->count, sizeof *teams->items, cmp_teams);
    for (size_t i = 0; i < teams->count; i++)
        str_addf(&some, "%s%.*s@%.*s", i ? ", " : "", (int)agent.len, agent.at,
                 (int)teams->items[i].len, teams->items[i].at);
    if (inquiry->met)
        inquiry->met->several = true;
    return err_set(err, ERR_REFUSED, "\"%.*s\" is in several teams; say which one is meant: %s",
                   (int)agent.len, agent.at, str_c(&some));
}

/* Sets the team in which the name was found: the only one, or else ours. */
static bool take_team(const struct inquiry *inquiry, const struct senders *senders,
                      struct address *address, struct err *err)
{
    const struct span_list *teams = &senders->teams;
    const char *ours = inquiry->source->team;

    if (address->team.at || !teams->count)
        return true;
    if (teams->count == 1)
        address->team = teams->items[0];
    else if (ours && span_list_has(teams, span_of(ours)))
        address->team = span_of(ours);
    else
        return say_several(inquiry, address->agent, teams, err);
    address->has_team = true;
    for (size_t i = 0; i < inquiry->names.count; i++)
        address->has_roster |= inquiry->names.items[i].on_roster &&
                               span_eq(inquiry->names.items[i].team, address->team);
    return true;
}

/* Searches all messages for an agent of that name. */
static bool has_written(const struct inquiry *inquiry, struct address *address, struct arena *arena,
                        struct err *err)
{
    const struct source *source = inquiry->source;
    struct senders senders = {.wanted = address,
                              .with_recipients = !place_has_box(source->format->rules[0].pattern)};
    struct load all = {.inbox = true, .archive = true};
    bool ok = load_source(source, &all, note_senders, &senders, NULL, err);

    ok = ok && take_team(inquiry, &senders, address, err);
    address->team = arena_copy(arena, address->team);
    if (ok && !senders.found && inquiry->rule != RECIPIENT_NEW)
        ok = say_unknown(inquiry, address, &senders, err);
    span_list_free(&senders.names);
    span_list_free(&senders.teams);
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

/* Spells the directory of a new team like a box. */
static bool spell_team(const struct format *format, struct address *address, struct arena *arena,
                       struct err *err)
{
    CLEANUP(str_free) struct str spelled = {0};
    bool ok = format->box_name(&spelled, address->team, 0, err);

    address->team = arena_copy(arena, str_span(&spelled));
    return ok;
}

static bool say_no_team(const struct inquiry *inquiry, struct span team, struct err *err)
{
    CLEANUP(span_list_free) struct span_list teams = {0};
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < inquiry->names.count; i++)
        if (inquiry->names.items[i].team.at)
            span_list_add(&teams, inquiry->names.items[i].team);
    for (size_t i = 0; i < inquiry->names.teams.count; i++)
        span_list_add(&teams, inquiry->names.teams.items[i]);
    suggest_hint(&near, team, teams.items, teams.count);
    note_all_met(inquiry, NULL);
    return err_set(err, ERR_REFUSED, "there is no team \"%.*s\" here%s; %s", (int)team.len, team.at,
                   str_c(&near),
                   advice(inquiry->rule, "check the name, or make a new one with --create"));
}

bool recipient_seek(const struct source *source, struct span text, enum recipient_rule rule,
                    struct recipient_met *met, struct address *address, struct arena *arena,
                    struct err *err)
{
    struct inquiry inquiry = {.source = source, .rule = rule, .met = met};
    struct agent_names *names = &inquiry.names;
    bool ok = address_book(source, names, err) &&
              address_resolve(source, names, text, address, arena, err);

    if (ok && address->team.at && !address->has_team && (names->count || names->teams.count))
        ok = rule == RECIPIENT_NEW ? spell_team(source->format, address, arena, err)
                                   : say_no_team(&inquiry, address->team, err);
    bool known =
        ok && (address->has_box || address->on_roster || span_is(address->agent, source->identity));
    if (ok && !known && source->format->reply_box && rule != RECIPIENT_NEW)
        ok = say_unknown(&inquiry, address, NULL, err);
    else if (ok && !known)
        ok = has_written(&inquiry, address, arena, err);
    ok = ok && check_box(source, names, address, err);
    agent_names_free(names);
    return ok;
}

bool recipient_find(const struct source *source, struct span text, enum recipient_rule rule,
                    struct address *address, struct arena *arena, struct err *err)
{
    return recipient_seek(source, text, rule, NULL, address, arena, err);
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
    bool found = source->format->is_manager(box) &&
                 recipient_find(source, span_of(reply_box), RECIPIENT_OFFER, address, arena, err);
    if (!found && err->scope != ERR_REFUSED)
        return false; /* it may exist after all */
    if (!found)
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
    CLEANUP(str_free) struct str box = {0};
    struct err ignored;

    /* Only a name with the stand-in can share another one's box. */
    if (format_spell(source->format, agent, 0, &box) &&
        strchr(str_c(&box), source->format->stand_in))
        load_source(source, &some, note_spelling, &spelling, NULL, &ignored);
    return !spelling.used ? spelling.other : (struct span){0};
}

static bool has_box_of(const struct source *source, const struct agent_names *names,
                       struct span agent)
{
    CLEANUP(str_free) struct str box = {0};
    bool found = false;

    if (format_spell(source->format, agent, 0, &box))
        for (size_t i = 0; i < names->count; i++)
            found |= !names->items[i].on_roster && span_eq(names->items[i].name, str_span(&box));
    return found;
}

struct span recipient_other_name(const struct source *source, const struct address *to,
                                 struct arena *arena)
{
    CLEANUP(agent_names_free) struct agent_names names = {0};
    struct span other = {0}, swarm, bare;
    struct err ignored;

    if (to->has_box || !source->format->exact_to || !address_book(source, &names, &ignored))
        return other;
    if (span_split_last(to->agent, '/', &swarm, &bare) && has_box_of(source, &names, bare))
        other = arena_copy(arena, bare);
    for (size_t i = 0; !other.at && i < names.count; i++) {
        const struct agent_name *entry = &names.items[i];
        CLEANUP(str_free) struct str whole = {0};
        str_addf(&whole, "%.*s/%.*s", (int)entry->team.len, entry->team.at, (int)to->agent.len,
                 to->agent.at);
        if (entry->on_roster && span_eq(entry->name, to->agent) &&
            has_box_of(source, &names, str_span(&whole)))
            other = arena_copy(arena, str_span(&whole));
    }
    return other;
}

/* Lists the agents that have a box, for layouts without a roster. */
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
    CLEANUP(span_list_free) struct span_list swarms = {0};
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < rosters->count; i++)
        if (!i || !span_eq(rosters->items[i].team, rosters->items[i - 1].team))
            span_list_add(&swarms, rosters->items[i].team);
    suggest_hint(&near, swarm, swarms.items, swarms.count);
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
    return false;
}

bool recipient_is_rosterless(const struct source *source, struct span swarm, struct err *err)
{
    CLEANUP(agent_names_free) struct agent_names names = {0};
    CLEANUP(str_free) struct str text = {0};
    struct err ignored;

    if (address_book(source, &names, &ignored))
        for (size_t i = 0; !text.len && i < names.teams.count; i++)
            if ((!swarm.at || span_eq(names.teams.items[i], swarm)) &&
                roster_is_missing(source, &names, names.teams.items[i]))
                roster_add_missing(&text, source, names.teams.items[i]);
    if (text.len)
        err_set(err, ERR_REFUSED, "%s/%s", source->roster_path, str_c(&text));
    return text.len > 0;
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
    /* an unreadable file may name members who would not get the message */
    ok = ok && agent_names_are_all(names, swarm, err);
    if (ok && !found)
        ok =
            !recipient_is_rosterless(source, swarm, err) && say_no_swarm(source, swarm, names, err);
    size_t kept = 0;
    for (size_t i = 0; i < names->count; i++)
        if (is_in_swarm(&names->items[i], swarm))
            names->items[kept++] = names->items[i];
    names->count = kept;
    return ok;
}
