/* Recipients: rosters, boxes and senders, asked in this order. */
#include "store/recipient.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "mail/handoff.h"
#include "store/load.h"

bool recipient_is_member(const struct agent_name *member, struct span address)
{
    size_t qualified = member->team.len + 1 + member->name.len;

    if (span_eq(member->name, address))
        return true;
    return member->on_roster && address.len == qualified && span_starts(address, member->team) &&
           address.at[member->team.len] == '/' &&
           memcmp(address.at + member->team.len + 1, member->name.at, member->name.len) == 0;
}

struct senders {
    struct span wanted;
    bool found;
    struct arena arena;
    struct map seen;
    struct span_list names;
};

static void note_senders(void *context, struct batch *batch)
{
    struct senders *senders = context;
    bool fresh;

    for (size_t i = 0; i < batch->count; i++) {
        struct span from = batch->items[i].from;
        if (!from.len || map_get(&senders->seen, from))
            continue;
        struct span kept = arena_copy(&senders->arena, from);
        map_put(&senders->seen, kept, &fresh);
        span_list_add(&senders->names, kept);
        if (span_eq(from, senders->wanted))
            senders->found = true;
    }
}

static bool say_unknown(struct span agent, const struct agent_names *known,
                        const struct senders *senders, struct err *err)
{
    struct span_list all = {0};
    struct str near = {0};

    for (size_t i = 0; i < known->count; i++)
        span_list_add(&all, known->items[i].name);
    for (size_t i = 0; i < senders->names.count; i++)
        span_list_add(&all, senders->names.items[i]);
    nearest_hint(&near, agent, all.items, all.count);
    err_set(err, ERR_REFUSED,
            "\"%.*s\" has no mailbox, is on no roster and never wrote%s; check the name, or make "
            "a new mailbox with --create",
            (int)agent.len, agent.at, str_c(&near));
    span_list_free(&all);
    str_free(&near);
    return false;
}

bool recipient_known(const struct source *source, struct span agent, struct err *err)
{
    struct agent_names known = {0};
    struct senders senders = {.wanted = agent};
    struct load all = {.inbox = true, .archive = true};
    struct str box = {0};
    bool ok = span_is(agent, source->identity);

    if (!source->format->box_name(&box, agent, 0, err))
        goto out;
    if (!source_boxes(source, &known, err) || !source_rosters(source, &known, err)) {
        err_at(err, source->path);
        goto out;
    }
    for (size_t i = 0; !ok && i < known.count; i++)
        ok = known.items[i].on_roster ? recipient_is_member(&known.items[i], agent)
                                      : span_eq(known.items[i].name, str_span(&box));
    if (ok || !load_source(source, &all, note_senders, &senders, NULL, err))
        goto out;
    ok = senders.found || say_unknown(agent, &known, &senders, err);
out:
    str_free(&box);
    agent_names_free(&known);
    span_list_free(&senders.names);
    map_free(&senders.seen);
    arena_free(&senders.arena);
    return ok;
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
    if (source->format->box_name(&box, agent, 0, &ignored) &&
        strchr(str_c(&box), source->format->stand_in))
        load_source(source, &some, note_spelling, &spelling, NULL, &ignored);
    str_free(&box);
    return spelling.used ? (struct span){0} : spelling.other;
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
    if (!swarms.count)
        err_set(err, ERR_REFUSED,
                "%s: no swarm has agents here; name the directory of the swarms with --swarms",
                source->roster_path ? source->roster_path : source->path);
    else
        err_set(err, ERR_REFUSED, "%s: no swarm \"%.*s\" has agents here%s", source->roster_path,
                (int)swarm.len, swarm.at, str_c(&near));
    span_list_free(&swarms);
    str_free(&near);
    return false;
}

bool recipient_swarm(const struct source *source, struct span swarm, struct agent_names *names,
                     struct err *err)
{
    bool ok = source_rosters(source, names, err), found = false;

    for (size_t i = 0; i < names->count; i++)
        found |= !swarm.at || span_eq(names->items[i].team, swarm);
    if (ok && !found)
        ok = say_no_swarm(source, swarm, names, err);
    size_t kept = 0;
    for (size_t i = 0; i < names->count; i++)
        if (!swarm.at || span_eq(names->items[i].team, swarm))
            names->items[kept++] = names->items[i];
    names->count = kept;
    return ok;
}
