/* Forms: completing tags that were used where the form goes to. */
#include "base/mem.h"
#include "ui/compose/form_private.h"
#include "ui/mail/tags.h"

#include <stdlib.h>

struct tags_task {
    struct ui_task task;
    uint32_t source;
    struct tags tags;
};

static void work_tags(struct ui_task *task, struct store *store)
{
    struct tags_task *look = (struct tags_task *)task;

    tags_read(&look->tags, store_source(store, look->source));
}

static void done_tags(struct ui_task *task, struct ui *ui)
{
    const struct span_list *names = &((struct tags_task *)task)->tags.names;
    struct form_screen *form = form_of(ui_screen(ui, task->screen));

    span_list_copy(&form->tags, names, &form->arena);
}

static void free_tags(struct ui_task *task)
{
    tags_free(&((struct tags_task *)task)->tags);
    free(task);
}

void form_find_tags(struct form_screen *form)
{
    const struct source *source = form_source(form);
    struct tags_task *tags;

    if (!source || form->tags_of == source)
        return;
    form->tags_of = source;
    tags = mem_zero(1, sizeof *tags);
    tags->task = (struct ui_task){.work = work_tags, .done = done_tags, .free = free_tags};
    tags->task.screen = form->screen.id;
    tags->source = source->index;
    ui_begin(form->screen.ui, UI_READ, &tags->task);
}

void form_complete_tags(struct form_screen *form, struct span before, size_t *from,
                        struct completion *completion)
{
    (void)before;
    (void)from;
    for (size_t i = 0; i < form->tags.count; i++)
        complete_add(completion, form->tags.items[i], (struct span){0}, 0);
}
