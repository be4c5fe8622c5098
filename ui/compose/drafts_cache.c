/* The drafts cache: reads the drafts in the background, whenever some process changes them. */
#include "ui/compose/drafts_cache.h"

#include "base/mem.h"
#include "store/store_local.h"
#include "ui/ui_state.h"

#include <stdlib.h>

struct load_task {
    struct ui_task task;
    struct saved_drafts drafts;
};

void drafts_cache_free(struct desk *desk)
{
    saved_drafts_free(&desk->drafts);
    str_free(&desk->problem);
}

static void load_task_work(struct ui_task *task, struct store *store)
{
    struct load_task *load = (struct load_task *)task;

    load->task.ok = store_drafts(store, &load->drafts, &load->task.err);
}

/* Keeps the known drafts if reading fails, since they may still exist. */
static void load_task_done(struct ui_task *task, struct ui *ui)
{
    struct load_task *load = (struct load_task *)task;
    struct desk *desk = &ui->desk;
    struct screen *view = ui->views[VIEW_DRAFTS];

    desk->asked = false;
    str_clear(&desk->problem);
    if (load->task.ok) {
        saved_drafts_free(&desk->drafts);
        desk->drafts = load->drafts;
        load->drafts = (struct saved_drafts){0};
        desk->known = true;
    } else {
        str_puts(&desk->problem, load->task.err.text);
    }
    if (view && view->ops->renew)
        view->ops->renew(view);
    if (desk->again)
        drafts_cache_load(ui);
}

static void load_free(struct ui_task *task)
{
    saved_drafts_free(&((struct load_task *)task)->drafts);
    free(task);
}

void drafts_cache_load(struct ui *ui)
{
    struct desk *desk = &ui->desk;

    desk->again = desk->asked;
    if (desk->asked)
        return;
    struct load_task *load = mem_zero(1, sizeof *load);
    load->task =
        (struct ui_task){.work = load_task_work, .done = load_task_done, .free = load_free};
    desk->asked = true;
    ui_begin(ui, UI_DRAFTS, &load->task);
}

size_t drafts_cache_unsent(const struct ui *ui)
{
    const struct agents_world *world = ui->picture->world;
    size_t count = 0;

    for (size_t i = 0; world && i < world->outbox.count; i++)
        count += world->outbox.items[i].state == OUTBOX_QUEUED ||
                 outbox_is_stuck(world->outbox.items[i].state);
    return count;
}
