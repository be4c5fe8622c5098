/* The search index while the screens are open: when it is built, and on whose time. */
#include "ui/snapshot/indexer.h"

#include "base/mem.h"
#include "base/thread.h"
#include "mail/message/message.h"
#include "store/search/search_results.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* WORTH: with fewer changed files searching reads them as quickly. TOLD_MOST: longer lists of
 * changed files are not kept. */
enum { WORTH = 64, TOLD_MOST = 4096, SHOWN_FILES = 3000 };

#define START_US INT64_C(1000000) /* after everything is on the screen */
#define REST_US INT64_C(30000000) /* between two times */
#define FAILED_US INT64_C(300000000)
#define YOUNG_US INT64_C(5000000) /* until what was touched just now can be trusted */
#define SHOW_US INT64_C(500000)

void indexer_open(struct ui *ui)
{
    ui->indexing.due_us = TIME_NONE;
    ui->indexing.told.all = true;
}

void indexer_stop(struct ui *ui)
{
    atomic_store(&ui->indexing.stop, true);
}

void indexer_close(struct ui *ui)
{
    index_changes_free(&ui->indexing.told);
}

/* --- what has changed --- */

void index_changes_free(struct index_changes *told)
{
    free(told->files);
    arena_free(&told->arena);
    *told = (struct index_changes){0};
}

struct index_changes indexer_take_changes(struct ui *ui)
{
    struct index_changes told = ui->indexing.told;

    ui->indexing.told = (struct index_changes){0};
    return told;
}

void index_changes_add(const struct index_changes *told, struct store *store)
{
    if (told->all)
        store_search_report(store, 0, (struct span){0}, (struct span){0});
    for (size_t i = 0; !told->all && i < told->count; i++)
        store_search_report(store, told->files[i].source, told->files[i].dir, told->files[i].name);
}

static void report_files(struct index_changes *told, uint32_t source,
                         const struct update_file *file)
{
    if (told->all)
        return;
    if (told->count == TOLD_MOST) {
        index_changes_free(told);
        told->all = true;
        return;
    }
    told->files = mem_grow(told->files, &told->cap, told->count + 1, sizeof *told->files);
    told->files[told->count++] =
        (struct index_changed_file){.source = source,
                                    .dir = arena_copy(&told->arena, file->place->dir),
                                    .name = arena_copy(&told->arena, file->name)};
}

static void plan(struct indexing *indexing, int64_t in_us)
{
    if (indexing->due_us == TIME_NONE && !indexing->busy)
        indexing->due_us = time_steady() + in_us;
}

void indexer_news(struct ui *ui, const struct update *update)
{
    struct indexing *indexing = &ui->indexing;

    for (size_t i = 0; i < update->count; i++)
        if (!update->files[i].place->local)
            report_files(&indexing->told, update->source, &update->files[i]);
    if (update->looking) { /* a scan does not name the files that vanished */
        index_changes_free(&indexing->told);
        indexing->told.all = true;
    }
    indexing->changed += update->count + update->batch.count;
    if (ui->picture->ready && indexing->changed >= WORTH && !ui->options->readonly)
        plan(indexing, REST_US);
}

void indexer_ready(struct ui *ui)
{
    if (!ui->options->readonly && ui->indexing.changed >= WORTH)
        plan(&ui->indexing, START_US);
}

void indexer_mend(struct ui *ui)
{
    if (!ui->options->readonly)
        plan(&ui->indexing, START_US);
}

/* --- building --- */

struct index_task {
    struct ui_task task;
    struct indexing *indexing;
    size_t young; /* work that was left for a moment later */
};

static void progress(void *context, size_t done, size_t total)
{
    struct indexing *indexing = context;

    atomic_store(&indexing->total, total);
    atomic_store(&indexing->done, done);
}

static void index_task_work(struct ui_task *task, struct store *store)
{
    struct index_task *run = (struct index_task *)task;

    background_enter();
    run->task.ok = true;
    for (uint32_t i = 0; i < store_source_count(store) && !atomic_load(&run->indexing->stop); i++) {
        struct index_build build = {.least = WORTH,
                                    .stop = &run->indexing->stop,
                                    .progress = progress,
                                    .context = run->indexing};
        run->task.ok &= store_index_update(store, i, &build, &run->task.err);
        run->young += build.young;
    }
}

static void index_task_done(struct ui_task *task, struct ui *ui)
{
    struct index_task *run = (struct index_task *)task;
    struct indexing *indexing = &ui->indexing;

    indexing->busy = false;
    atomic_store(&indexing->total, 0);
    if (!run->task.ok) { /* searching does without */
        log_add(ui->options->log, "index: %s", run->task.err.text);
        plan(indexing, FAILED_US);
    } else if (indexing->changed >= WORTH || run->young >= WORTH) {
        plan(indexing, run->young >= WORTH ? YOUNG_US : REST_US);
    }
}

int64_t indexer_due_us(const struct ui *ui)
{
    if (indexer_percent(ui) >= 0)
        return SHOW_US;
    return time_left(ui->indexing.due_us);
}

void indexer_work(struct ui *ui)
{
    struct indexing *indexing = &ui->indexing;

    if (indexing->busy || time_left(indexing->due_us) != 0)
        return;
    struct index_task *run = mem_zero(1, sizeof *run);
    run->task = (struct ui_task){.work = index_task_work, .done = index_task_done};
    run->indexing = indexing;
    indexing->due_us = TIME_NONE;
    indexing->changed = 0;
    indexing->busy = true;
    ui_begin(ui, UI_INDEX, &run->task);
}

int indexer_percent(const struct ui *ui)
{
    size_t total = atomic_load(&ui->indexing.total), read = atomic_load(&ui->indexing.done);

    if (!ui->indexing.busy || total < SHOWN_FILES)
        return -1;
    return (int)(read * 100 / total);
}
