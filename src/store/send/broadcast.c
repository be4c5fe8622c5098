/* Broadcasting: plans one outgoing message for each recipient, then sends or previews them. */
#include "base/mem.h"
#include "base/text/suggest.h"
#include "base/uuid.h"
#include "store/source/recipient.h"
#include "store/store_private.h"

#include <stdlib.h>

/* The arguments of a broadcast and its result. */
struct broadcast_wish {
    const struct draft *draft;
    uint32_t source; /* STORE_ANY: the only source that has the swarm */
    struct span swarm;
    const struct span_list *exclude;
    struct broadcast *result;
};

/* Planning: one message for each member of a swarm, or one message that all members see. */

static bool is_named(const struct agent_name *member, const struct broadcast_wish *wish,
                     struct span from)
{
    if (recipient_is_member(member, from))
        return true;
    for (size_t i = 0; i < wish->exclude->count; i++)
        if (recipient_is_member(member, wish->exclude->items[i]))
            return true;
    return false;
}

static bool is_same_agent(const struct format *format, const struct agent_name *a,
                          const struct agent_name *b)
{
    return span_eq(a->name, b->name) && (!format_has_teams(format) || span_eq(a->team, b->team));
}

/* True if the agent gets a message for this entry of the roster. An agent may be in several swarms
 * under one name: each of these entries can exclude it, and only the first one gets the message. */
static bool is_addressed(const struct format *format, const struct agent_names *members,
                         size_t index, const struct broadcast_wish *wish, struct span from)
{
    for (size_t i = 0; i < members->count; i++) {
        if (!is_same_agent(format, &members->items[i], &members->items[index]))
            continue;
        if (i < index || is_named(&members->items[i], wish, from))
            return false;
    }
    return true;
}

static void leave_out(struct broadcast *result, const struct agent_name *member, const char *why)
{
    if (!result->left_out)
        result->left_out =
            arena_alloc(&result->arena, result->members.count * sizeof *result->left_out);
    result->left_out[result->left_out_count++] =
        (struct left_out){.name = member->name, .why = why};
}

/* Names an agent that gets no message once, with the reason. An agent that gets the message through
 * another entry of the roster is not left out. */
static void note_left_out(const struct broadcast_wish *wish, const struct format *format,
                          size_t index, struct span from)
{
    const struct agent_names *members = &wish->result->members;
    const struct agent_name *member = &members->items[index];
    bool sender = false, named = false;

    for (size_t i = 0; i < members->count; i++) {
        if (!is_same_agent(format, &members->items[i], member))
            continue;
        if (i < index)
            return;
        sender |= recipient_is_member(&members->items[i], from);
        named |= is_named(&members->items[i], wish, from);
    }
    if (named)
        leave_out(wish->result, member, sender ? "sends it" : "excluded");
}

static struct outgoing_message *add_letter(const struct broadcast_wish *wish,
                                           const struct source *source, struct span to,
                                           struct span team)
{
    const struct draft *draft = wish->draft;
    struct outgoing_message *letter = &wish->result->letters[wish->result->count++];

    letter->draft = *draft;
    letter->draft.tags = (struct span_list){0};
    for (size_t i = 0; i < draft->tags.count; i++)
        span_list_add(&letter->draft.tags, draft->tags.items[i]);
    letter->draft.to = to;
    if (!letter->draft.from.at)
        letter->draft.from = span_of(source->identity);
    if (wish->result->count > 1) /* all copies are one conversation */
        letter->draft.thread = wish->result->letters[0].draft.thread;
    /* If the id of a message is made from its text and time, give each copy its own time. */
    if (!source->format->new_id)
        letter->draft.created_us = time_now() + (int64_t)wish->result->count * INT64_C(1000);
    if (source->format->broadcast)
        source->format->broadcast(&letter->draft, team, &wish->result->arena);
    return letter;
}

/* Resolves the address of the member into `letter->to`. Refuses a member that shares its mailbox
 * with another name. */
static bool address_member(const struct source *source, const struct agent_names *book,
                           const struct agent_name *member, struct outgoing_message *letter,
                           struct arena *arena, struct err *err)
{
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, member->name);
    if (format_has_teams(source->format)) {
        str_putc(&text, '@');
        str_add_span(&text, member->team);
    }
    if (!address_resolve(source, book, arena_copy(arena, str_span(&text)), &letter->to, arena, err))
        return false;
    struct span other = address_collision(source, book, &letter->to);
    return !other.at ||
           err_set(err, ERR_REFUSED,
                   "\"%.*s\" and \"%.*s\" share one mailbox: the layout %s spells both alike",
                   (int)member->name.len, member->name.at, (int)other.len, other.at,
                   source->format->title);
}

/* Adds one message that all members of a team see. */
static void add_for_team(const struct broadcast_wish *wish, const struct source *source,
                         struct span team, struct span from)
{
    struct broadcast *result = wish->result;
    struct outgoing_message *letter = add_letter(wish, source, span_of("all"), team);

    letter->to = (struct address){.agent = span_of("all"), .team = team, .box = span_of("all")};
    for (size_t i = 0; i < result->members.count; i++) {
        const struct agent_name *member = &result->members.items[i];
        if (!span_eq(member->team, team))
            continue;
        const char *why = span_eq(member->name, from) ? "sends it"
                          : member->member.lead ? "leads the team: such a message is for teammates"
                          : !span_is(member->member.status, "active") ? "is not active"
                                                                      : NULL;
        if (why)
            leave_out(result, member, why);
        else
            span_list_add(&result->reached, member->name);
    }
}

static bool add_for_all(const struct broadcast_wish *wish, const struct source *source,
                        struct span from, struct err *err)
{
    const struct agent_names *members = &wish->result->members;

    for (size_t i = 0; i < wish->exclude->count; i++)
        if (!span_eq(wish->exclude->items[i], from))
            return err_set(err, ERR_REFUSED,
                           "nobody but the sender can be excluded: a broadcast of the layout %s is "
                           "one message that the whole team sees",
                           source->format->title) ||
                   err_about(err, "exclude");
    for (size_t i = 0; i < members->count; i++)
        if (!i || !span_eq(members->items[i].team, members->items[i - 1].team))
            add_for_team(wish, source, members->items[i].team, from);
    return true;
}

/* Refuses an excluded name that no swarm has: it is a typing error, and a broadcast cannot be
 * undone. */
static bool all_excluded_exist(const struct source *source, const struct span_list *exclude,
                               struct err *err)
{
    CLEANUP(agent_names_free) struct agent_names rosters = {0};
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(str_free) struct str near = {0};

    if (!recipient_all(source, &rosters, err))
        return false;
    for (size_t i = 0; i < rosters.count; i++)
        span_list_add(&names, rosters.items[i].name);
    for (size_t i = 0; i < exclude->count; i++) {
        struct span name = exclude->items[i];
        bool found = false;
        for (size_t k = 0; k < rosters.count; k++)
            found |= recipient_is_member(&rosters.items[k], name);
        if (found)
            continue;
        if (!agent_names_are_all(&rosters, (struct span){0}, err))
            return false;
        suggest_hint(&near, name, names.items, names.count);
        return err_set(err, ERR_REFUSED, "\"%.*s\" is to be excluded, but is in no swarm%s",
                       (int)name.len, name.at, str_c(&near)) ||
               err_about(err, "exclude");
    }
    return true;
}

static bool add_for_each(const struct broadcast_wish *wish, const struct source *source,
                         struct span from, struct err *err)
{
    struct broadcast *result = wish->result;
    CLEANUP(agent_names_free) struct agent_names book = {0};
    bool ok = all_excluded_exist(source, wish->exclude, err) && address_book(source, &book, err);

    for (size_t i = 0; ok && i < result->members.count; i++) {
        const struct agent_name *member = &result->members.items[i];
        if (!is_addressed(source->format, &result->members, i, wish, from)) {
            note_left_out(wish, source->format, i, from);
            continue;
        }
        struct outgoing_message *letter = add_letter(wish, source, member->name, member->team);
        ok = address_member(source, &book, member, letter, &result->arena, err);
        letter->draft.color =
            arena_copy(&result->arena, roster_color(&book, member->team, letter->draft.from));
    }
    return ok;
}

/* Reports that no source has the swarm, with similar names from all sources. Always returns
 * false. */
static bool say_nowhere(const struct store *store, struct span swarm, const struct err *first,
                        struct err *err)
{
    CLEANUP(span_list_free) struct span_list swarms = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < store->source_count; i++) {
        CLEANUP(agent_names_free) struct agent_names names = {0};
        struct err ignored;
        source_rosters(&store->sources[i], &names, &ignored);
        for (size_t k = 0; k < names.count; k++)
            if (names.items[k].team.len &&
                (!k || !span_eq(names.items[k].team, names.items[k - 1].team)))
                span_list_add(&swarms, arena_copy(&arena, names.items[k].team));
    }
    suggest_hint(&near, swarm, swarms.items, swarms.count);
    if (first->scope == ERR_REFUSED && near.len)
        err_set(err, ERR_REFUSED, "no swarm \"%.*s\" has agents in any source%s", (int)swarm.len,
                swarm.at, str_c(&near));
    else
        *err = *first;
    return false;
}

/* Warns that a source whose members are not all known may have the swarm too. */
static void report_missed(const struct source *source, const struct err *missed)
{
    CLEANUP(str_free) struct str sentence = {0};

    if (missed->scope == ERR_NONE || !source->tell)
        return;
    str_addf(&sentence, "not all members are known: %s", missed->text);
    source->tell(source->report_context, str_c(&sentence));
}

/* Finds the source to broadcast in: the only one that has the swarm. */
static bool find_swarm(const struct store *store, const struct broadcast_wish *wish, size_t *index,
                       struct err *err)
{
    struct err first = {0}, missed = {0};
    size_t found = 0;

    for (size_t i = 0; i < store->source_count; i++) {
        CLEANUP(agent_names_free) struct agent_names names = {0};
        struct err here;
        if (recipient_swarm(&store->sources[i], wish->swarm, &names, &here)) {
            *index = i;
            found++;
        } else if (here.scope != ERR_REFUSED ||
                   recipient_is_rosterless(&store->sources[i], wish->swarm, &here)) {
            missed = here;
        } else if (!first.scope) {
            first = here;
        }
    }
    if (found > 1)
        return err_set(err, ERR_REFUSED,
                       "%zu sources have such a swarm; name the one that is meant with --source",
                       found);
    if (found) {
        report_missed(&store->sources[*index], &missed);
        return true;
    }
    if (missed.scope == ERR_NONE)
        return say_nowhere(store, wish->swarm, &first, err);
    *err = missed;
    return false;
}

/* Finds the source and the members. */
static bool find_members(const struct store *store, const struct broadcast_wish *wish,
                         size_t *index, struct err *err)
{
    return ((*index != STORE_ANY || find_swarm(store, wish, index, err)) &&
            recipient_swarm(&store->sources[*index], wish->swarm, &wish->result->members, err)) ||
           (wish->swarm.at && err_about(err, "swarm"));
}

/* Fills in the messages with their addresses, and the members that are left out. Writes nothing. */
static bool broadcast_plan(const struct store *store, const struct broadcast_wish *wish,
                           struct err *err)
{
    struct broadcast *result = wish->result;
    size_t index = wish->source;

    if (!find_members(store, wish, &index, err))
        return false;
    const struct source *source = &store->sources[index];
    result->source = (uint32_t)index;
    struct span from = wish->draft->from.at ? wish->draft->from : span_of(source->identity);
    result->letters = mem_zero(result->members.count, sizeof *result->letters);
    if (!(source->format->one_for_all ? add_for_all : add_for_each)(wish, source, from, err))
        return false;
    if (!result->count)
        return err_set(err, ERR_ABSENT, "nobody is left to send to: all members are excluded");
    outgoing_message_warn_of_layout(&result->letters[0], source->format); /* once for all copies */
    return true;
}

/* Returns a new id that the messages of one broadcast share, so that their delivery status can be
 * reported together; absent for a single message. */
static struct span new_mailing(struct broadcast *result)
{
    CLEANUP(str_free) struct str uuid = {0};

    if (result->count < 2)
        return (struct span){0};
    uuid_add(&uuid);
    return arena_copy(&result->arena, str_span(&uuid));
}

static bool show_plan(struct store *store, const struct source *source, struct broadcast *result,
                      struct err *err)
{
    struct err ignored;
    struct delivery how = {
        .source = source, .state = store_state(store, false, &ignored), .log = store->log};
    bool ok = true;

    result->previews = mem_zero(result->count, sizeof *result->previews);
    for (size_t i = 0; ok && i < result->count; i++)
        ok = preview_letter(&how, &result->letters[i], &result->previews[i], err);
    return ok;
}

static bool send_plan(struct store *store, struct broadcast *plan, enum verify verify,
                      struct err *err)
{
    struct delivery how = {.source = &store->sources[plan->source],
                           .state = store_state(store, true, err),
                           .verify = verify,
                           .mailing = new_mailing(plan),
                           .log = store->log};

    return how.state && deliver(&how, plan->letters, plan->count, err);
}

bool store_broadcast(struct store *store, const struct draft *draft, struct span swarm,
                     const struct span_list *exclude, enum verify verify, struct broadcast *result,
                     struct err *err)
{
    struct broadcast_wish wish = {draft, STORE_ANY, swarm, exclude, result};

    return store_may_write(store, err) && broadcast_plan(store, &wish, err) &&
           send_plan(store, result, verify, err);
}

bool store_preview_broadcast(struct store *store, const struct draft *draft, uint32_t source,
                             struct span swarm, const struct span_list *exclude,
                             struct broadcast *plan, struct err *err)
{
    struct broadcast_wish wish = {draft, source, swarm, exclude, plan};

    return broadcast_plan(store, &wish, err) &&
           show_plan(store, &store->sources[plan->source], plan, err);
}

bool store_broadcast_plan(struct store *store, struct broadcast *plan, enum verify verify,
                          struct err *err)
{
    return store_may_write(store, err) && send_plan(store, plan, verify, err);
}

void broadcast_free(struct broadcast *broadcast)
{
    for (size_t i = 0; i < broadcast->count; i++)
        outgoing_message_free(&broadcast->letters[i]);
    for (size_t i = 0; broadcast->previews && i < broadcast->count; i++)
        preview_free(&broadcast->previews[i]);
    free(broadcast->previews);
    free(broadcast->letters);
    span_list_free(&broadcast->reached);
    agent_names_free(&broadcast->members);
    arena_free(&broadcast->arena);
}
