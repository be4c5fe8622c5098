/* The other verbs: changing states, what was seen, addresses, the outbox. */
#include "base/mem.h"
#include "store/job.h"
#include "store/outbox.h"
#include "store/overlay.h"

#include <stdlib.h>

struct change_job {
    struct job job;
    struct message *const *messages;
    size_t count;
    enum status status;
    struct span note;
    struct changed *outcomes;
    struct change_records *records; /* or NULL */
};

/* All messages of one source at once: those that share a file are written once. */
static void change_in(struct store *store, const struct change_job *change, size_t index)
{
    struct changing how = {.source = &store->sources[index],
                           .log = store->log,
                           .note = change->note,
                           .records = change->records};
    struct message **messages = mem_zero(change->count, sizeof(struct message *));
    struct changed *outcomes = mem_zero(change->count, sizeof *outcomes);
    size_t count = 0;

    how.state = store_state(store, true, &how.state_problem);
    for (size_t i = 0; i < change->count; i++)
        if (change->messages[i]->place->source == index)
            messages[count++] = change->messages[i];
    change_messages(&how, messages, count, change->status, outcomes);
    for (size_t i = change->count; i-- > 0;)
        if (change->messages[i]->place->source == index)
            change->outcomes[i] = outcomes[--count];
    free(messages);
    free(outcomes);
}

static bool run_change(struct job *job, struct store *store, struct err *err)
{
    struct change_job *change = (struct change_job *)job;

    (void)err;
    for (size_t i = 0; i < store->source_count; i++)
        change_in(store, change, i);
    return true;
}

void store_change(struct store *store, struct message *const *messages, size_t count,
                  enum status status, struct span note, struct changed *outcomes)
{
    store_change_recorded(store, messages, count, status, note, outcomes, NULL);
}

void store_change_recorded(struct store *store, struct message *const *messages, size_t count,
                           enum status status, struct span note, struct changed *outcomes,
                           struct change_records *records)
{
    struct change_job job = {.job.run = run_change,
                             .messages = messages,
                             .count = count,
                             .status = status,
                             .note = note,
                             .outcomes = outcomes,
                             .records = records};
    struct err err;

    if (store_may_write(store, &err))
        store_run(store, &job.job, NULL, &err);
    else
        for (size_t i = 0; i < count; i++)
            outcomes[i] = (struct changed){.err = err};
}

static bool run_seen(struct job *job, struct store *store, struct err *err)
{
    struct change_job *seen = (struct change_job *)job;
    struct state *state = store_state(store, true, err);
    struct state_key *keys = mem_zero(seen->count, sizeof *keys);
    bool ok = state != NULL;

    for (size_t i = 0; ok && i < store->source_count; i++) {
        const struct source *source = &store->sources[i];
        size_t count = 0;
        for (size_t k = 0; k < seen->count; k++) {
            const struct message *message = seen->messages[k];
            if (message->place->source == i && !message->seen && !message->damaged &&
                !message->place->archived)
                keys[count++] = overlay_key(source, message);
        }
        if (count)
            ok = state_mark_seen(state, keys, count, span_of(source->identity), err);
    }
    free(keys);
    return ok;
}

bool store_mark_seen(struct store *store, struct message *const *messages, size_t count,
                     struct err *err)
{
    struct change_job job = {.job.run = run_seen, .messages = messages, .count = count};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

struct cleanup_job {
    struct job job;
    uint32_t source;
    const struct cleaning *cleaning;
    struct span clear;
    struct cleaned *result;
};

static bool run_cleanup(struct job *job, struct store *store, struct err *err)
{
    struct cleanup_job *cleanup = (struct cleanup_job *)job;
    struct changing how = {.source = &store->sources[cleanup->source], .log = store->log};

    how.state = store_state(store, true, &how.state_problem);
    if (cleanup->clear.at)
        return cleanup_clear(&how, cleanup->clear, cleanup->cleaning->dry_run, cleanup->result,
                             err);
    return cleanup_source(&how, cleanup->cleaning, cleanup->result, err);
}

bool store_cleanup(struct store *store, uint32_t source, const struct cleaning *cleaning,
                   struct span clear, struct cleaned *result, struct err *err)
{
    struct cleanup_job job = {.job.run = run_cleanup,
                              .source = source,
                              .cleaning = cleaning,
                              .clear = clear,
                              .result = result};

    return (cleaning->dry_run || store_may_write(store, err)) &&
           store_run(store, &job.job, NULL, err);
}

struct address_job {
    struct job job;
    uint32_t source;
    struct agent_names *names; /* all of them, or else ... */
    struct tasks *tasks;       /* ... the tasks, or else what the text means */
    struct span text;
    struct address *address;
    struct arena *arena;
};

static bool run_address(struct job *job, struct store *store, struct err *err)
{
    struct address_job *ask = (struct address_job *)job;

    if (ask->names)
        return address_book(&store->sources[ask->source], ask->names, err);
    if (ask->tasks)
        return source_tasks(&store->sources[ask->source], ask->tasks, err);
    return address_read(&store->sources[ask->source], ask->text, ask->address, ask->arena, err);
}

bool store_address(struct store *store, uint32_t source, struct span text, struct address *address,
                   struct arena *arena, struct err *err)
{
    struct address_job job = {
        .job.run = run_address, .source = source, .text = text, .address = address, .arena = arena};

    return store_run(store, &job.job, NULL, err);
}

bool store_names(struct store *store, uint32_t source, struct agent_names *names, struct err *err)
{
    struct address_job job = {.job.run = run_address, .source = source, .names = names};

    return store_run(store, &job.job, NULL, err);
}

bool store_tasks(struct store *store, uint32_t source, struct tasks *tasks, struct err *err)
{
    struct address_job job = {.job.run = run_address, .source = source, .tasks = tasks};

    return store_run(store, &job.job, NULL, err);
}

struct outbox_job {
    struct job job;
    struct outbox *outbox;
    int64_t number;
    bool drop;
    int64_t next_us;
};

/* What was there once stays among what was sent. */
static bool forget(struct state *state, const struct outbox_entry *entry, struct err *err)
{
    bool was_there = entry->state == OUTBOX_WRITTEN || entry->state == OUTBOX_LOST;

    return was_there ? outbox_done(state, entry->number, entry->id, when_now(), err)
                     : outbox_remove(state, entry->number, err);
}

static bool run_outbox(struct job *job, struct store *store, struct err *err)
{
    struct outbox_job *ask = (struct outbox_job *)job;
    struct state *state = store_state(store, false, err);
    struct outbox one = {0};

    if (!state && err->scope == ERR_ABSENT) /* nothing was ever sent */
        return (ask->outbox && !ask->number) ||
               err_set(err, ERR_ABSENT, "the outbox is empty: it has no entry %lld",
                       (long long)ask->number);
    if (!state)
        return false;
    if (ask->outbox && ask->number)
        return outbox_read(state, ask->number, ask->outbox, err);
    if (ask->outbox)
        return outbox_list(state, ask->outbox, err);
    bool ok = ask->drop ? outbox_claim(state, ask->number, when_now(), &one, err) &&
                              forget(state, &one.items[0], err)
                        : outbox_retry(state, ask->number, store->log, err);
    outbox_free(&one);
    return ok;
}

bool store_outbox(struct store *store, struct outbox *outbox, struct err *err)
{
    struct outbox_job job = {.job.run = run_outbox, .outbox = outbox};

    return store_run(store, &job.job, NULL, err);
}

bool store_outbox_look(struct store *store, int64_t number, struct outbox *outbox, struct err *err)
{
    struct outbox_job job = {.job.run = run_outbox, .outbox = outbox, .number = number};

    return store_run(store, &job.job, NULL, err);
}

bool store_outbox_retry(struct store *store, int64_t number, struct err *err)
{
    struct outbox_job job = {.job.run = run_outbox, .number = number};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

bool store_outbox_drop(struct store *store, int64_t number, struct err *err)
{
    struct outbox_job job = {.job.run = run_outbox, .number = number, .drop = true};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

static bool run_outbox_work(struct job *job, struct store *store, struct err *err)
{
    struct outbox_job *work = (struct outbox_job *)job;
    struct state *state = store_state(store, false, err);

    work->next_us = WHEN_NONE;
    if (!state)
        return err->scope == ERR_ABSENT; /* nothing was ever sent */
    outbox_work(state, store->log);
    work->next_us = outbox_next_us(state, when_now(), store->log);
    return true;
}

bool store_outbox_work(struct store *store, int64_t *next_us, struct err *err)
{
    struct outbox_job job = {.job.run = run_outbox_work, .next_us = WHEN_NONE};
    bool ok = store_may_write(store, err) && store_run(store, &job.job, NULL, err);

    *next_us = job.next_us;
    return ok;
}
