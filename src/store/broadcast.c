/* Broadcasting: one message for each member of a swarm, or one that all of them see. */
#include "base/mem.h"
#include "base/nearest.h"
#include "store/job.h"
#include "store/recipient.h"

#include <stdlib.h>

struct broadcast_job {
    struct job job;
    const struct draft *draft;
    struct span swarm;
    const struct span_list *exclude;
    enum verify verify;
    struct broadcast *result;
};

static bool is_named(const struct agent_name *member, const struct broadcast_job *broadcast,
                     struct span from)
{
    if (recipient_is_member(member, from))
        return true;
    for (size_t i = 0; i < broadcast->exclude->count; i++)
        if (recipient_is_member(member, broadcast->exclude->items[i]))
            return true;
    return false;
}

/* An agent may be in several swarms under one name: any of them can exclude it, and it gets the
 * message once. */
static bool is_addressed(const struct format *format, const struct agent_names *members,
                         size_t index, const struct broadcast_job *broadcast, struct span from)
{
    const struct agent_name *member = &members->items[index];
    bool by_team = format_has_teams(format);

    for (size_t i = 0; i < members->count; i++) {
        if (!span_eq(members->items[i].name, member->name) ||
            (by_team && !span_eq(members->items[i].team, member->team)))
            continue;
        if (i < index || is_named(&members->items[i], broadcast, from))
            return false;
    }
    return true;
}

static struct letter *add_letter(const struct broadcast_job *broadcast, const struct source *source,
                                 struct span to, struct span team)
{
    const struct draft *draft = broadcast->draft;
    struct letter *letter = &broadcast->result->letters[broadcast->result->count++];

    letter->draft = *draft;
    letter->draft.tags = (struct span_list){0};
    for (size_t i = 0; i < draft->tags.count; i++)
        span_list_add(&letter->draft.tags, draft->tags.items[i]);
    letter->draft.to = to;
    if (!letter->draft.from.at)
        letter->draft.from = span_of(source->identity);
    if (broadcast->result->count > 1) /* all copies are one conversation */
        letter->draft.thread = broadcast->result->letters[0].draft.thread;
    /* Where a message's id comes from its text and time, each copy gets a time of its own. */
    if (!source->format->new_id)
        letter->draft.created_us = when_now() + (int64_t)broadcast->result->count * INT64_C(1000);
    source->format->broadcast(&letter->draft, team, &broadcast->result->arena);
    return letter;
}

/* Where the member's mail goes. */
static bool address_member(const struct source *source, const struct agent_names *book,
                           const struct agent_name *member, struct letter *letter,
                           struct arena *arena, struct err *err)
{
    struct str text = {0};

    str_add_span(&text, member->name);
    if (format_has_teams(source->format)) {
        str_putc(&text, '@');
        str_add_span(&text, member->team);
    }
    bool ok =
        address_resolve(source, book, arena_copy(arena, str_span(&text)), &letter->to, arena, err);
    struct span other = ok ? address_collision(source, book, &letter->to) : (struct span){0};
    if (other.at)
        ok = err_set(err, ERR_REFUSED,
                     "\"%.*s\" and \"%.*s\" share one mailbox: the layout %s spells both alike",
                     (int)member->name.len, member->name.at, (int)other.len, other.at,
                     source->format->title);
    str_free(&text);
    return ok;
}

/* One message that all members of a team look at. */
static void add_for_team(const struct broadcast_job *broadcast, const struct source *source,
                         struct span team, struct span from)
{
    struct broadcast *result = broadcast->result;
    struct letter *letter = add_letter(broadcast, source, span_of("all"), team);

    letter->to = (struct address){.agent = span_of("all"), .team = team, .box = span_of("all")};
    for (size_t i = 0; i < result->members.count; i++) {
        const struct agent_name *member = &result->members.items[i];
        if (span_eq(member->team, team) && span_is(member->member.status, "active") &&
            !member->member.lead && !span_eq(member->name, from))
            span_list_add(&result->reached, member->name);
    }
}

static bool add_for_all(const struct broadcast_job *broadcast, const struct source *source,
                        struct span from, struct err *err)
{
    const struct agent_names *members = &broadcast->result->members;

    for (size_t i = 0; i < broadcast->exclude->count; i++)
        if (!span_eq(broadcast->exclude->items[i], from))
            return err_set(err, ERR_REFUSED,
                           "nobody but the sender can be excluded: a broadcast of the layout %s is "
                           "one message that the whole team sees",
                           source->format->title);
    for (size_t i = 0; i < members->count; i++)
        if (!i || !span_eq(members->items[i].team, members->items[i - 1].team))
            add_for_team(broadcast, source, members->items[i].team, from);
    return true;
}

/* A name that nobody has is a slip, and a broadcast cannot be taken back. */
static bool all_excluded_exist(const struct source *source, const struct span_list *exclude,
                               struct err *err)
{
    struct agent_names rosters = {0};
    struct span_list names = {0};
    struct str near = {0};
    bool ok = recipient_swarm(source, (struct span){0}, &rosters, err);

    for (size_t i = 0; i < rosters.count; i++)
        span_list_add(&names, rosters.items[i].name);
    for (size_t i = 0; ok && i < exclude->count; i++) {
        struct span name = exclude->items[i];
        bool found = false;
        for (size_t k = 0; k < rosters.count; k++)
            found |= recipient_is_member(&rosters.items[k], name);
        if (found)
            continue;
        nearest_hint(&near, name, names.items, names.count);
        ok = err_set(err, ERR_REFUSED, "\"%.*s\" is to be excluded, but is in no swarm%s",
                     (int)name.len, name.at, str_c(&near));
    }
    span_list_free(&names);
    str_free(&near);
    agent_names_free(&rosters);
    return ok;
}

static bool add_for_each(const struct broadcast_job *broadcast, const struct source *source,
                         struct span from, struct err *err)
{
    struct broadcast *result = broadcast->result;
    struct agent_names book = {0};
    bool ok =
        all_excluded_exist(source, broadcast->exclude, err) && address_book(source, &book, err);

    for (size_t i = 0; ok && i < result->members.count; i++) {
        const struct agent_name *member = &result->members.items[i];
        if (!is_addressed(source->format, &result->members, i, broadcast, from))
            continue;
        struct letter *letter = add_letter(broadcast, source, member->name, member->team);
        ok = address_member(source, &book, member, letter, &result->arena, err);
        letter->draft.color =
            arena_copy(&result->arena, roster_color(&book, member->team, letter->draft.from));
    }
    agent_names_free(&book);
    return ok;
}

/* The source that is broadcast in: with several, the only one that has the swarm. */
static bool find_swarm(struct store *store, struct broadcast_job *broadcast, size_t *index,
                       struct err *err)
{
    struct err first = {0};
    size_t found = 0;

    for (size_t i = 0; i < store->source_count; i++) {
        struct agent_names names = {0};
        struct err here;
        if (recipient_swarm(&store->sources[i], broadcast->swarm, &names, &here)) {
            *index = i;
            found++;
        } else if (!first.scope) {
            first = here;
        }
        agent_names_free(&names);
    }
    if (found > 1)
        return err_set(err, ERR_REFUSED,
                       "%zu sources have such a swarm; name the one that is meant with --source",
                       found);
    if (!found)
        *err = first;
    return found == 1;
}

/* A name for what is sent together, by which it is told later what became of it. */
static struct span new_mailing(struct broadcast *result)
{
    struct str uuid = {0};

    if (result->count < 2)
        return (struct span){0};
    parcel_add_uuid(&uuid);
    struct span kept = arena_copy(&result->arena, str_span(&uuid));
    str_free(&uuid);
    return kept;
}

static bool run_broadcast(struct job *job, struct store *store, struct err *err)
{
    struct broadcast_job *broadcast = (struct broadcast_job *)job;
    struct broadcast *result = broadcast->result;
    size_t index;

    if (!find_swarm(store, broadcast, &index, err))
        return false;
    const struct source *source = &store->sources[index];
    if (!recipient_swarm(source, broadcast->swarm, &result->members, err))
        return false;
    struct span from =
        broadcast->draft->from.at ? broadcast->draft->from : span_of(source->identity);
    result->letters = mem_zero(result->members.count, sizeof *result->letters);
    if (!(source->format->one_for_all ? add_for_all : add_for_each)(broadcast, source, from, err))
        return false;
    if (!result->count)
        return err_set(err, ERR_ABSENT, "nobody is left to send to: all members are excluded");
    struct delivery how = {.source = source,
                           .state = store_state(store, true, err),
                           .verify = broadcast->verify,
                           .mailing = new_mailing(result),
                           .log = store->log};
    if (source->format->caveat)
        str_puts(&result->letters[0].warning, source->format->caveat);
    return how.state && deliver(&how, result->letters, result->count, err);
}

bool store_broadcast(struct store *store, const struct draft *draft, struct span swarm,
                     const struct span_list *exclude, enum verify verify, struct broadcast *result,
                     struct err *err)
{
    struct broadcast_job job = {.job.run = run_broadcast,
                                .draft = draft,
                                .swarm = swarm,
                                .exclude = exclude,
                                .verify = verify,
                                .result = result};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

void broadcast_free(struct broadcast *broadcast)
{
    for (size_t i = 0; i < broadcast->count; i++)
        letter_free(&broadcast->letters[i]);
    free(broadcast->letters);
    span_list_free(&broadcast->reached);
    agent_names_free(&broadcast->members);
    arena_free(&broadcast->arena);
}
