/* The verbs that write: sending, broadcasting, changing a message's state. */
#include "base/mem.h"
#include "base/nearest.h"
#include "store/change.h"
#include "store/job.h"
#include "store/recipient.h"

#include <stdlib.h>

static bool refuse_writing(const struct store *store, struct err *err)
{
    return !store->readonly ||
           err_set(err, ERR_REFUSED, "nothing is written: --readonly was given");
}

struct send_job {
    struct job job;
    struct letter *letter;
    const struct send_options *options;
};

/* Which source the recipient is in; exactly one may know them. */
static bool find_recipient(const struct store *store, const struct send_job *send, size_t *index,
                           struct err *err)
{
    struct span to = send->letter->draft.to;
    size_t known = 0;
    struct err first = {0};

    for (size_t i = 0; i < store->source_count; i++) {
        struct err here;
        if (recipient_known(&store->sources[i], to, &here)) {
            *index = i;
            known++;
        } else if (here.scope != ERR_REFUSED) {
            *err = here;
            return false;
        } else if (!first.scope) {
            first = here;
        }
    }
    if (known == 1)
        return true;
    if (known > 1)
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is known in %zu sources; name the one that is meant with --source",
                       (int)to.len, to.at, known);
    if (send->options->create && store->source_count == 1) {
        *index = 0;
        return true;
    }
    if (send->options->create)
        return err_set(err, ERR_REFUSED,
                       "there are %zu sources; name the one for the new mailbox with --source",
                       store->source_count);
    *err = first;
    return false;
}

/* Names that share a box are told apart only by the address inside the message. */
static void warn_of_spelling(const struct source *source, struct letter *letter)
{
    struct arena arena = {0};
    struct span to = letter->draft.to, other = recipient_other_spelling(source, to, &arena);

    if (other.at)
        str_addf(&letter->warning,
                 "this mailbox has only held mail for \"%.*s\" so far; whoever reads it may not "
                 "look for \"%.*s\"",
                 (int)other.len, other.at, (int)to.len, to.at);
    arena_free(&arena);
}

static bool run_send(struct job *job, struct store *store, struct err *err)
{
    struct send_job *send = (struct send_job *)job;
    size_t index = send->options->source;

    if (index != STORE_ANY && !send->options->create &&
        !recipient_known(&store->sources[index], send->letter->draft.to, err))
        return false;
    if (index == STORE_ANY && !find_recipient(store, send, &index, err))
        return false;
    const struct source *source = &store->sources[index];
    if (!send->letter->draft.from.at)
        send->letter->draft.from = span_of(source->identity);
    warn_of_spelling(source, send->letter);
    return deliver(source, send->letter, 1, send->options->verify, store->log, err);
}

bool store_send(struct store *store, struct letter *letter, const struct send_options *options,
                struct err *err)
{
    struct send_job job = {.job.run = run_send, .letter = letter, .options = options};

    return refuse_writing(store, err) && store_run(store, &job.job, NULL, err);
}

bool store_prepare_reply(struct store *store, const struct message *original, struct draft *draft,
                         struct arena *arena, struct err *err)
{
    const struct source *source = &store->sources[original->place->source];

    if (source->format->verbs[VERB_REPLY].ability == ABILITY_NONE)
        return err_set(err, ERR_REFUSED, "the layout %s has no way to reply",
                       source->format->title);
    if (!original->from.len)
        return err_set(err, ERR_REFUSED, "%s: it does not say who sent it", original->file.at);
    source->format->reply(original, draft, arena);
    return true;
}

struct broadcast_job {
    struct job job;
    const struct draft *draft;
    struct span swarm;
    const struct span_list *exclude;
    bool verify;
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
static bool is_addressed(const struct agent_names *members, size_t index,
                         const struct broadcast_job *broadcast, struct span from)
{
    struct span name = members->items[index].name;

    for (size_t i = 0; i < members->count; i++) {
        if (!span_eq(members->items[i].name, name))
            continue;
        if (i < index || is_named(&members->items[i], broadcast, from))
            return false;
    }
    return true;
}

static void address_letter(struct letter *letter, const struct broadcast_job *broadcast,
                           const struct source *source, const struct agent_name *member)
{
    const struct draft *draft = broadcast->draft;

    letter->draft = *draft;
    letter->draft.tags = (struct span_list){0};
    for (size_t i = 0; i < draft->tags.count; i++)
        span_list_add(&letter->draft.tags, draft->tags.items[i]);
    letter->draft.to = member->name;
    if (!letter->draft.from.at)
        letter->draft.from = span_of(source->identity);
    source->format->broadcast(&letter->draft, member->team, &broadcast->result->arena);
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

/* A name that nobody has is a slip, and a broadcast cannot be taken back. */
static bool all_excluded_exist(const struct source *source, const struct span_list *exclude,
                               struct err *err)
{
    struct agent_names rosters = {0};
    struct span_list names = {0};
    struct str near = {0};
    bool ok = source_rosters(source, &rosters, err);

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

static bool run_broadcast(struct job *job, struct store *store, struct err *err)
{
    struct broadcast_job *broadcast = (struct broadcast_job *)job;
    struct broadcast *result = broadcast->result;
    size_t index;

    if (!find_swarm(store, broadcast, &index, err))
        return false;
    const struct source *source = &store->sources[index];
    if (!recipient_swarm(source, broadcast->swarm, &result->members, err) ||
        !all_excluded_exist(source, broadcast->exclude, err))
        return false;
    struct span from =
        broadcast->draft->from.at ? broadcast->draft->from : span_of(source->identity);
    result->letters = mem_zero(result->members.count, sizeof *result->letters);
    for (size_t i = 0; i < result->members.count; i++) {
        const struct agent_name *member = &result->members.items[i];
        if (is_addressed(&result->members, i, broadcast, from))
            address_letter(&result->letters[result->count++], broadcast, source, member);
    }
    if (!result->count)
        return err_set(err, ERR_ABSENT, "nobody is left to send to: all members are excluded");
    return deliver(source, result->letters, result->count, broadcast->verify, store->log, err);
}

bool store_broadcast(struct store *store, const struct draft *draft, struct span swarm,
                     const struct span_list *exclude, bool verify, struct broadcast *result,
                     struct err *err)
{
    struct broadcast_job job = {.job.run = run_broadcast,
                                .draft = draft,
                                .swarm = swarm,
                                .exclude = exclude,
                                .verify = verify,
                                .result = result};

    return refuse_writing(store, err) && store_run(store, &job.job, NULL, err);
}

void broadcast_free(struct broadcast *broadcast)
{
    for (size_t i = 0; i < broadcast->count; i++)
        letter_free(&broadcast->letters[i]);
    free(broadcast->letters);
    agent_names_free(&broadcast->members);
    arena_free(&broadcast->arena);
}

struct change_job {
    struct job job;
    const struct message *message;
    enum status status;
};

static bool run_change(struct job *job, struct store *store, struct err *err)
{
    struct change_job *change = (struct change_job *)job;

    return change_status(&store->sources[change->message->place->source], change->message,
                         change->status, store->log, err);
}

bool store_change(struct store *store, const struct message *message, enum status status,
                  struct err *err)
{
    struct change_job job = {.job.run = run_change, .message = message, .status = status};

    return refuse_writing(store, err) && store_run(store, &job.job, NULL, err);
}
