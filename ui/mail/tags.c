/* Tags that were used before. */
#include "ui/mail/tags.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "store/scan/load.h"
#include "ui/ui_private.h"

#include <stdlib.h>

enum { TAGS_MOST = 500, FILES_MOST = 200 };

void tags_free(struct tags *tags)
{
    span_list_free(&tags->names);
    map_free(&tags->seen);
    arena_free(&tags->arena);
    *tags = (struct tags){0};
}

static void add_tag(struct tags *tags, struct span tag)
{
    bool fresh;

    if (!tag.len || tags->names.count == TAGS_MOST || map_get(&tags->seen, tag))
        return;
    tag = arena_copy(&tags->arena, tag);
    map_put(&tags->seen, tag, &fresh);
    span_list_add(&tags->names, tag);
}

void tags_take(struct tags *tags, const struct message *message)
{
    struct json_walk walk;
    struct json key, value;
    struct arena arena = {0};
    struct err ignored;

    if (!message->data || !message->data->tags.len ||
        !json_open(&walk, message->data->tags, JSON_STRICT, &ignored))
        return;
    while (json_next(&walk, &key, &value))
        if (value.kind == JSON_STRING)
            add_tag(tags, json_text(&arena, value));
    arena_free(&arena);
}

static void take_batch(void *context, struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        tags_take(context, &batch->items[i]);
    batch_free(batch);
}

void tags_read(struct tags *tags, const struct source *source)
{
    struct load load = {.inbox = true, .archive = true, .most = FILES_MOST, .want = WANT_DATA};
    struct err ignored; /* what cannot be read has no tags to offer */

    if (source->format->fields & FIELD_TAGS)
        load_source(source, &load, take_batch, tags, NULL, &ignored);
}

/* --- for queries --- */

struct tags_task {
    struct ui_task task;
    struct tags tags;
};

static void work(struct ui_task *task, struct store *store)
{
    struct tags_task *look = (struct tags_task *)task;

    for (size_t i = 0; i < store_source_count(store); i++)
        tags_read(&look->tags, store_source(store, i));
}

static void done(struct ui_task *task, struct ui *ui)
{
    struct tags_task *look = (struct tags_task *)task;

    tags_free(&ui->tags.tags);
    /* mail that came while they were looked for is no reason to let the person wait again */
    ui->tags = (struct tags_known){.tags = look->tags, .number = ui_picture(ui)->number};
    look->tags = (struct tags){0};
    prompt_complete_again(ui);
}

static void task_free(struct ui_task *task)
{
    tags_free(&((struct tags_task *)task)->tags);
    free(task);
}

static void begin(struct ui *ui)
{
    struct tags_task *look;

    if (ui->tags.asked)
        return;
    look = mem_zero(1, sizeof *look);
    look->task = (struct ui_task){.work = work, .done = done, .free = task_free};
    ui->tags.asked = true;
    ui_begin(ui, UI_READ, &look->task);
}

void tags_add(struct ui *ui, struct completion *completion)
{
    const struct span_list *names = &ui->tags.tags.names;

    completion->later = ui->tags.number != ui_picture(ui)->number;
    if (completion->later)
        begin(ui);
    for (size_t i = 0; i < names->count; i++)
        complete_add(completion, names->items[i], (struct span){0}, 0);
}
