/* Orders that are not ours: told by who the lead is, and by the ledger. */
#include "store/decide.h"
#include "store/decided.h"
#include "store/load.h"
#include "store/store_private.h"

struct foreign_job {
    struct job job;
    struct message *const *orders;
    size_t count;
    bool *foreign;
};

/* The lead that a roster names; without one, whoever has the name that leads have. */
static bool is_lead(const struct source *source, const struct agent_names *names,
                    const struct message *message)
{
    bool known = false;

    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *name = &names->items[i];
        if (!name->member.lead || !span_eq(name->team, message->place->team))
            continue;
        known = true;
        if (span_eq(name->name, message->from))
            return true;
    }
    return !known && span_is(message->from, source->format->identity);
}

/* What the message says now, in the batch's memory; absent when it cannot be read. */
static struct span text_of(const struct source *source, const struct message *message,
                           struct batch *batch)
{
    struct err ignored;

    if (load_again(source, message, WANT_DATA | WANT_BODY, NULL, batch, &ignored))
        for (size_t i = 0; i < batch->count; i++)
            if (span_eq(batch->items[i].id, message->id) && batch->items[i].data)
                return batch->items[i].data->body;
    return (struct span){0};
}

/* By its own id, and by what it says: anybody can name a request that we have answered, or give an
 * order of theirs the id of ours. */
static bool is_ours(const struct ledger *ledger, const struct source *source,
                    const struct message *message)
{
    struct ledger_sought sought = {.format = span_of(source->format->name),
                                   .root = span_of(source->path),
                                   .team = message->place->team,
                                   .agent = message_recipient(message),
                                   .message = message->id};
    struct batch batch = {0};
    bool ours = ledger_has_answer(ledger, &sought);

    if (ours) { /* few are: reading them costs little */
        sought.text = text_of(source, message, &batch);
        ours = sought.text.at && ledger_has_answer(ledger, &sought);
    }
    batch_free(&batch);
    return ours;
}

static bool run_foreign(struct job *base, struct store *store, struct err *err)
{
    struct foreign_job *job = (struct foreign_job *)base;
    struct agent_names names = {0};
    struct ledger ledger = {0};
    uint32_t known = STORE_ANY;
    bool ok = ledger_read(&ledger, err);

    for (size_t i = 0; ok && i < job->count; i++) {
        const struct message *message = job->orders[i];
        uint32_t number = message->place->source;
        struct err ignored;
        if (number != known) {
            agent_names_free(&names);
            names = (struct agent_names){0};
            source_rosters(&store->sources[number], &names, &ignored);
            known = number;
        }
        const struct source *source = &store->sources[number];
        job->foreign[i] = !is_lead(source, &names, message) && !is_ours(&ledger, source, message);
    }
    agent_names_free(&names);
    ledger_free(&ledger);
    return ok;
}

bool store_foreign_orders(struct store *store, struct message *const *orders, size_t count,
                          bool *foreign, struct err *err)
{
    struct foreign_job job = {
        .job.run = run_foreign, .orders = orders, .count = count, .foreign = foreign};

    return store_run(store, &job.job, NULL, err);
}
