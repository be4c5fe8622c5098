/* Forms: which of the files that they name are not there. */
#include "base/mem.h"
#include "ui/compose/form_private.h"

#include <stdlib.h>

void form_add_files(struct span_list *files, const struct form_screen *form)
{
    for (size_t i = 0; i < form->count; i++) {
        const struct entry *entry = &form->entries[i];
        for (size_t k = 0; entry->spec->files && k < entry->count; k++)
            if (edit_text(&entry->edits[k]).len)
                span_list_add(files, edit_text(&entry->edits[k]));
    }
}

void form_take_absent(struct form_screen *form, const struct span_list *absent)
{
    span_list_free(&form->absent);
    arena_free(&form->absent_arena);
    form->absent_arena = (struct arena){0};
    span_list_copy(&form->absent, absent, &form->absent_arena);
    form_judge(form);
}

/* --- looking --- */

struct looking {
    struct ui_task task;
    struct arena arena;
    struct span_list files, absent;
};

static void work(struct ui_task *task, struct store *store)
{
    struct looking *looking = (struct looking *)task;

    (void)store;
    keeper_look_for(&looking->files, &looking->absent);
}

static void done(struct ui_task *task, struct ui *ui)
{
    struct looking *looking = (struct looking *)task;

    form_take_absent(form_of(ui_screen(ui, task->screen)), &looking->absent);
    ui_touch(ui);
}

static void looking_free(struct ui_task *task)
{
    struct looking *looking = (struct looking *)task;

    span_list_free(&looking->files);
    span_list_free(&looking->absent);
    arena_free(&looking->arena);
    free(looking);
}

void form_look_for_files(struct form_screen *form)
{
    struct looking *looking = mem_zero(1, sizeof *looking);
    struct span_list files = {0};

    looking->task = (struct ui_task){
        .work = work, .done = done, .free = looking_free, .screen = form->screen.id};
    form_add_files(&files, form);
    span_list_copy(&looking->files, &files, &looking->arena);
    span_list_free(&files);
    if (looking->files.count)
        ui_begin(form->screen.ui, UI_DESK, &looking->task);
    else
        looking_free(&looking->task);
}
