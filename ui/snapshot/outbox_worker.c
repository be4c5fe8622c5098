/* Errands: when there are some, and running them where they may wait for others. */
#include "ui/snapshot/outbox_worker.h"

#include "base/mem.h"
#include "store/source/agent_directory.h"
#include "ui/ui_state.h"

#include <stdlib.h>

#define AFTER_FAILURE_US INT64_C(10000000)

struct outbox_worker_task {
    struct ui_task task;
    int64_t next_us; /* by the clock */
};

void outbox_worker_open(struct ui *ui)
{
    ui->errands.due_us = TIME_NONE;
}

void outbox_worker_close(struct ui *ui)
{
    free(ui->errands.queued);
}

/* --- running them --- */

static void outbox_task_work(struct ui_task *task, struct store *store)
{
    struct outbox_worker_task *run = (struct outbox_worker_task *)task;

    run->task.ok = store_outbox_work(store, &run->next_us, &run->task.err);
}

static void begin_outbox_task(struct ui *ui);

/* The outbox itself reports what was changed. */
static void outbox_task_done(struct ui_task *task, struct ui *ui)
{
    struct outbox_worker_task *run = (struct outbox_worker_task *)task;
    struct outbox_workers *errands = &ui->errands;

    errands->busy = false;
    errands->due_us = run->task.ok ? run->next_us : time_steady() + AFTER_FAILURE_US;
    if (errands->again)
        begin_outbox_task(ui);
}

static void begin_outbox_task(struct ui *ui)
{
    struct outbox_workers *errands = &ui->errands;

    errands->again = errands->busy;
    errands->due_us = TIME_NONE;
    if (errands->busy)
        return;
    struct outbox_worker_task *run = mem_zero(1, sizeof *run);
    run->task = (struct ui_task){.work = outbox_task_work, .done = outbox_task_done};
    errands->busy = true;
    ui_begin(ui, UI_WRITE, &run->task);
}

/* --- when there are some --- */

static bool is_in(const struct outbox_entry *entry, const struct source *source)
{
    return span_is(entry->format, source->format->name) && span_is(entry->root, source->path);
}

void outbox_worker_known(struct ui *ui, const struct agent_directory *world)
{
    struct outbox_workers *errands = &ui->errands;
    bool any = false;

    if (ui_is_readonly(ui))
        return;
    errands->source_count = ui_source_count(ui);
    free(errands->queued);
    errands->queued = mem_zero(errands->source_count + 1, sizeof *errands->queued);
    for (size_t i = 0; i < world->outbox.count; i++) {
        const struct outbox_entry *entry = &world->outbox.items[i];
        any |= !outbox_is_stuck(entry->state);
        for (size_t k = 0; entry->state == OUTBOX_QUEUED && k < errands->source_count; k++)
            errands->queued[k] |= is_in(entry, ui_source(ui, k));
    }
    if (any)
        begin_outbox_task(ui);
    else
        errands->due_us = TIME_NONE;
}

void outbox_worker_mail(struct ui *ui, uint32_t source)
{
    const struct outbox_workers *errands = &ui->errands;

    if (source < errands->source_count && errands->queued[source])
        begin_outbox_task(ui);
}

int64_t outbox_worker_due_us(const struct ui *ui)
{
    return time_left(ui->errands.due_us);
}

void outbox_worker_work(struct ui *ui)
{
    if (outbox_worker_due_us(ui) == 0)
        begin_outbox_task(ui);
}
