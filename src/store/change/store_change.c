/* Changing messages through the store: their states, taking that back, what was seen, cleaning up.
 */
#include "base/mem.h"
#include "store/change/restore.h"
#include "store/scan/overlay.h"
#include "store/store_private.h"

#include <stdlib.h>

struct changing store_changing(struct store *store, size_t index)
{
    struct changing how = {.source = &store->sources[index], .log = store->log};

    how.state = store_state(store, true, &how.state_problem);
    return how;
}

/* Where nothing may be written each of them is refused. */
static void run(struct store *store, struct job *job, struct changed *outcomes, size_t count)
{
    struct err err;

    if (store_may_write(store, &err))
        store_run(store, job, NULL, &err);
    else
        for (size_t i = 0; i < count; i++)
            outcomes[i] = (struct changed){.err = err};
}

struct change_job {
    struct job job;
    struct message *const *messages;
    size_t count;
    enum status status;
    bool completes;
    struct span note;
    struct changed *outcomes;
    struct change_records *records; /* or NULL */
};

/* All messages of one source at once: those that share a file are written once. */
static void change_in(struct store *store, const struct change_job *change, size_t index)
{
    struct changing how = store_changing(store, index);
    struct message **messages = mem_zero(change->count, sizeof(struct message *));
    struct changed *outcomes = mem_zero(change->count, sizeof *outcomes);
    size_t count = 0;

    how.completes = change->completes;
    how.note = change->note;
    how.records = change->records;
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

void store_complete(struct store *store, struct message *const *messages, size_t count,
                    struct changed *outcomes)
{
    struct change_job job = {.job.run = run_change,
                             .messages = messages,
                             .count = count,
                             .status = STATUS_ARCHIVED,
                             .completes = true,
                             .outcomes = outcomes};

    run(store, &job.job, outcomes, count);
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

    run(store, &job.job, outcomes, count);
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

/* --- taking back, and bringing back out of the archive --- */

struct undo_job {
    struct job job;
    const struct change_records *records; /* to be taken back, or else ... */
    struct message *const *messages;      /* ... to be brought back */
    size_t count;
    struct changed *outcomes;
    struct change_records *restored; /* what was brought back; or NULL */
};

/* A message that was changed twice in one go comes back step by step: the last change goes first.
 */
static void take_back_in(struct store *store, const struct undo_job *undo, size_t index)
{
    struct changing how = store_changing(store, index);
    const struct change_record **which = mem_zero(undo->count, sizeof(struct change_record *));
    struct changed *outcomes = mem_zero(undo->count, sizeof *outcomes);
    size_t count = 0;

    for (size_t i = undo->count; i-- > 0;)
        if (undo->records->items[i].message.place->source == index)
            which[count++] = &undo->records->items[i];
    restore_records(&how, which, count, outcomes);
    for (size_t i = 0; i < undo->count; i++)
        if (undo->records->items[i].message.place->source == index)
            undo->outcomes[i] = outcomes[--count];
    free(which);
    free(outcomes);
}

static bool run_take_back(struct job *job, struct store *store, struct err *err)
{
    const struct undo_job *undo = (const struct undo_job *)job;

    (void)err;
    for (size_t i = 0; i < store->source_count; i++)
        take_back_in(store, undo, i);
    return true;
}

static bool run_restore(struct job *job, struct store *store, struct err *err)
{
    const struct undo_job *undo = (const struct undo_job *)job;

    (void)err;
    for (size_t i = 0; i < undo->count; i++) {
        struct changing how = store_changing(store, undo->messages[i]->place->source);
        struct change_records here = {0}, *found = undo->restored ? undo->restored : &here;
        undo->outcomes[i] = (struct changed){0};
        if (restore_find(&how, undo->messages[i], found, &undo->outcomes[i].err)) {
            const struct change_record *record = &found->items[found->count - 1];
            restore_records(&how, &record, 1, &undo->outcomes[i]);
            found->count -= !undo->outcomes[i].ok;
        }
        change_records_free(&here);
    }
    return true;
}

void store_take_back(struct store *store, const struct change_records *records,
                     struct changed *outcomes)
{
    struct undo_job undo = {.job.run = run_take_back,
                            .records = records,
                            .count = records->count,
                            .outcomes = outcomes};

    run(store, &undo.job, outcomes, undo.count);
}

void store_restore(struct store *store, struct message *const *messages, size_t count,
                   struct changed *outcomes)
{
    store_restore_recorded(store, messages, count, outcomes, NULL);
}

void store_restore_recorded(struct store *store, struct message *const *messages, size_t count,
                            struct changed *outcomes, struct change_records *records)
{
    struct undo_job undo = {.job.run = run_restore,
                            .messages = messages,
                            .count = count,
                            .outcomes = outcomes,
                            .restored = records};

    run(store, &undo.job, outcomes, undo.count);
}

/* --- cleaning up --- */

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
    struct changing how = store_changing(store, cleanup->source);

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
