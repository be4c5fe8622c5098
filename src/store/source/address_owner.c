/* Whose mail a message is: who is addressed, and whether that is us. */
#include "store/source/address_owner.h"

#include "base/mem.h"
#include "mail/message/kind.h"
#include "store/source/address.h"

#include <stdlib.h>

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
    /* one agent may be addressed with and without its swarm */
    struct span bare = without_swarm(to), own = without_swarm(agent);
    return (bare.len == to.len || own.len == agent.len) && span_eq(bare, own);
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
    return source->format->answered_archived && !message->place->archived &&
           address_is_owner(source, message, self);
}
