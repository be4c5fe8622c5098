/* Keepers: a form's draft on disk. */
#include "ui/compose/keeper.h"

#include "base/mem.h"
#include "ui/ui_private.h"

#include <stdlib.h>
#include <unistd.h>

struct keeper {
    size_t holders; /* counted on the thread of the screens */
    char id[DRAFT_ID_LEN + 1];
    int64_t version, created_us;
};

struct keeper *keeper_new(void)
{
    struct keeper *keeper = mem_zero(1, sizeof *keeper);

    keeper->holders = 1;
    return keeper;
}

struct keeper *keeper_of(const struct saved_draft *draft)
{
    struct keeper *keeper = keeper_new();

    if (draft->id.len <= DRAFT_ID_LEN)
        memcpy(keeper->id, draft->id.at, draft->id.len);
    keeper->version = draft->version;
    keeper->created_us = draft->created_us;
    return keeper;
}

struct keeper *keeper_hold(struct keeper *keeper)
{
    keeper->holders++;
    return keeper;
}

void keeper_drop(struct keeper *keeper)
{
    if (keeper && --keeper->holders == 0)
        free(keeper);
}

/* --- saving --- */

struct save_task {
    struct ui_task task;
    struct keeper *keeper;
    struct arena arena;
    struct saved_draft draft; /* but which one it is */
    struct span_list files;
    struct kept_draft result;
    bool last;
    void (*done)(struct ui *ui, uint64_t screen, const struct kept_draft *result);
};

void keeper_look_for(const struct span_list *files, struct span_list *absent)
{
    for (size_t i = 0; i < files->count; i++)
        if (access(files->items[i].at, F_OK) != 0)
            span_list_add(absent, files->items[i]);
}

static void work_save(struct ui_task *task, struct store *store)
{
    struct save_task *save = (struct save_task *)task;
    struct keeper *keeper = save->keeper;
    struct kept_draft *result = &save->result;
    struct err ignored;

    save->draft.id = span_of(keeper->id);
    save->draft.version = keeper->version;
    save->draft.created_us = keeper->created_us;
    task->ok = store_save_draft(store, &save->draft, &result->saved, &task->err);
    if (task->ok) {
        memcpy(keeper->id, result->saved.id, sizeof keeper->id);
        keeper->version = result->saved.version;
        keeper->created_us = result->saved.created_us;
    }
    if (save->last && keeper->id[0])
        store_release_draft(store, span_of(keeper->id), &ignored);
    keeper_look_for(&save->files, &save->result.absent);
}

static void done_save(struct ui_task *task, struct ui *ui)
{
    struct save_task *save = (struct save_task *)task;

    save->result.ok = task->ok;
    if (!task->ok)
        ui_failf(ui, "the draft is not saved: %s", task->err.text);
    if (save->done)
        save->done(ui, task->screen, &save->result);
}

static void free_save(struct ui_task *task)
{
    struct save_task *save = (struct save_task *)task;

    keeper_drop(save->keeper);
    span_list_free(&save->files);
    span_list_free(&save->result.absent);
    arena_free(&save->arena);
    free(save);
}

/* Whom it is for, for lists. */
static struct span addressee_of(const struct draft_fields *fields)
{
    if (fields->form != FORM_BROADCAST)
        return fields->to;
    return fields->everybody ? span_of("everybody") : fields->team;
}

static void describe(struct save_task *save, const struct draft_fields *fields, int64_t now_us)
{
    struct arena *arena = &save->arena;
    struct draft_fields kept = *fields;
    struct str json = {0};

    kept.order.confirm = (struct span){0}; /* it is typed each time */
    draft_fields_write(&json, &kept);
    save->draft = (struct saved_draft){.form = span_of(form_name(fields->form)),
                                       .format = arena_copy(arena, fields->format),
                                       .root = arena_copy(arena, fields->root),
                                       .to = arena_copy(arena, addressee_of(fields)),
                                       .subject = arena_copy(arena, fields->subject),
                                       .fields = arena_copy(arena, str_span(&json)),
                                       .updated_us = now_us};
    str_free(&json);
}

void keeper_save(struct ui *ui, struct keeper *keeper, const struct keep_how *how)
{
    struct save_task *save = mem_zero(1, sizeof *save);

    save->task = (struct ui_task){
        .work = work_save, .done = done_save, .free = free_save, .screen = how->screen};
    save->keeper = keeper_hold(keeper);
    describe(save, how->fields, ui_now(ui));
    if (how->files)
        span_list_copy(&save->files, how->files, &save->arena);
    save->result.number = how->number;
    save->result.purpose = how->purpose;
    save->result.saved_us = save->draft.updated_us;
    save->last = how->last;
    save->done = how->done;
    ui_begin(ui, UI_DESK, &save->task);
}

/* --- letting go --- */

struct end_task {
    struct ui_task task;
    struct keeper *keeper;
    bool remove;
};

static void work_end(struct ui_task *task, struct store *store)
{
    struct end_task *end = (struct end_task *)task;
    struct span id = span_of(end->keeper->id);

    end->task.ok =
        !id.len || (end->remove ? store_drop_draft(store, id, end->keeper->version, &end->task.err)
                                : store_release_draft(store, id, &end->task.err));
}

static void done_end(struct ui_task *task, struct ui *ui)
{
    struct end_task *end = (struct end_task *)task;

    if (!end->task.ok && end->remove)
        ui_say(ui, LOOK_WARNING, "its draft is still there: %s", end->task.err.text);
}

static void free_end(struct ui_task *task)
{
    struct end_task *end = (struct end_task *)task;

    keeper_drop(end->keeper);
    free(end);
}

static void begin_end(struct ui *ui, struct keeper *keeper, bool remove)
{
    struct end_task *end = mem_zero(1, sizeof *end);

    end->task = (struct ui_task){.work = work_end, .done = done_end, .free = free_end};
    end->keeper = keeper_hold(keeper);
    end->remove = remove;
    ui_begin(ui, UI_DESK, &end->task);
}

void keeper_remove(struct ui *ui, struct keeper *keeper)
{
    begin_end(ui, keeper, true);
}

void keeper_release(struct ui *ui, struct keeper *keeper)
{
    begin_end(ui, keeper, false);
}
