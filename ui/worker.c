/* Tasks for stores, which are opened on demand, and descriptors that the loop follows. */
#include "base/mem.h"
#include "ui/process/sandbox.h"
#include "ui/ui_state.h"

#include <stdlib.h>

static void say_waiting(void *context, const char *sentence)
{
    ui_say(context, STYLE_DIM, "%s", sentence);
}

static void landlock_thread(void *context, const struct store *store)
{
    sandbox_enter(context, store);
}

/* Opens a store with the sources that the first store has found, so that all have the same. */
static struct store *open_like(struct ui *ui, const struct store_options *options, struct err *err)
{
    size_t count = ui_source_count(ui);
    CLEANUP(arena_free) struct arena arena = {0};
    const char **texts = arena_alloc(&arena, (count + 1) * sizeof *texts);
    struct store_options same = *options;

    for (size_t i = 0; i < count; i++) {
        CLEANUP(str_free) struct str spec = {0};
        str_addf(&spec, "%s:%s", ui_source(ui, i)->format->name, ui_source(ui, i)->path);
        texts[i] = arena_copy(&arena, str_span(&spec)).at;
    }
    same.sources = texts;
    same.source_count = count;
    same.absent = true; /* it was present when the first store was opened */
    return store_open(&same, err);
}

bool ui_open_store(struct ui *ui, enum ui_store which, struct err *err)
{
    struct store_options options = ui->options->store;

    if (ui->stores[which])
        return true;
    options.tell = say_waiting;
    options.tell_context = ui;
    options.patient = options.lasting = true;
    options.local_only = which == UI_DRAFTS;
    options.bystander = which == UI_SEARCH || which == UI_INDEX;
    options.found =
        which == UI_WATCH ? landlock_thread : NULL; /* the first store, before any thread */
    if (which == UI_WATCH || which == UI_DRAFTS)
        ui->stores[which] = store_open(&options, err);
    else
        ui->stores[which] = open_like(ui, &options, err);
    return ui->stores[which] != NULL;
}

static void run_task(struct store *store, void *context)
{
    struct ui_task *task = context;

    task->work(task, store);
}

void ui_begin(struct ui *ui, enum ui_store which, struct ui_task *task)
{
    task->next = ui->tasks;
    ui->tasks = task;
    task->unbegun = !ui_open_store(ui, which, &task->err);
    if (task->unbegun) {
        ui_fail(ui, &task->err);
        ui->unbegun++;
    } else {
        store_begin(ui->stores[which], run_task, task);
    }
}

void ui_free_task(struct ui_task *task)
{
    if (task->free)
        task->free(task);
    else
        free(task);
}

void ui_close_stores(struct ui *ui)
{
    for (size_t i = UI_STORES; i-- > 0;)
        store_close(ui->stores[i]);
    while (ui->tasks) {
        struct ui_task *task = ui->tasks;
        ui->tasks = task->next;
        ui_free_task(task);
    }
}

void ui_follow(struct ui *ui, int fd, void (*ready)(struct ui *ui, void *context), void *context)
{
    if (ui->followed_count < FOLLOWED_MAX)
        ui->followed[ui->followed_count++] = (struct followed){fd, ready, context};
}

bool ui_follow_room(const struct ui *ui)
{
    return ui->followed_count < FOLLOWED_MAX;
}

void ui_unfollow(struct ui *ui, int fd)
{
    size_t kept = 0;

    for (size_t i = 0; i < ui->followed_count; i++)
        if (ui->followed[i].fd != fd)
            ui->followed[kept++] = ui->followed[i];
    ui->followed_count = kept;
}
