/* Taking back, and bringing back out of the archive. */
#include "base/mem.h"
#include "store/job.h"
#include "store/restore.h"

#include <stdlib.h>

struct undo_job {
    struct job job;
    const struct change_records *records; /* to be taken back, or else ... */
    struct message *const *messages;      /* ... to be brought back */
    size_t count;
    struct changed *outcomes;
    struct change_records *restored; /* what was brought back; or NULL */
};

static struct changing begin(struct store *store, size_t index)
{
    struct changing how = {.source = &store->sources[index], .log = store->log};

    how.state = store_state(store, true, &how.state_problem);
    return how;
}

/* A message that was changed twice in one go comes back step by step: the last change goes first.
 */
static void take_back_in(struct store *store, const struct undo_job *undo, size_t index)
{
    struct changing how = begin(store, index);
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
        struct changing how = begin(store, undo->messages[i]->place->source);
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

static void run(struct store *store, struct undo_job *undo)
{
    struct err err;

    if (store_may_write(store, &err))
        store_run(store, &undo->job, NULL, &err);
    else
        for (size_t i = 0; i < undo->count; i++)
            undo->outcomes[i] = (struct changed){.err = err};
}

void store_take_back(struct store *store, const struct change_records *records,
                     struct changed *outcomes)
{
    struct undo_job undo = {.job.run = run_take_back,
                            .records = records,
                            .count = records->count,
                            .outcomes = outcomes};

    run(store, &undo);
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

    run(store, &undo);
}
