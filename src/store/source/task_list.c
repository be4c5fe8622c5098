/* Tasks: one small file each. */
#include "store/source/task_list.h"

#include "base/file/file.h"
#include "base/io_error.h"
#include "base/mem.h"
#include "store/scan/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void tasks_free(struct tasks *tasks)
{
    free(tasks->items);
    arena_free(&tasks->arena);
    *tasks = (struct tasks){0};
}

struct gathering {
    const struct source *source;
    struct tasks *tasks;
};

static void read_task(struct walker *walker, const struct found *file)
{
    struct gathering *gathering = walker->context;
    struct tasks *tasks = gathering->tasks;
    struct task task = {.list = arena_copy(&tasks->arena, file->names.team)};
    CLEANUP(str_free) struct str bytes = {0};
    struct file_id id;
    struct err err;
    int dir = file->problem ? -1 : source_dir(gathering->source, file->dir.at);
    enum file_result result =
        dir >= 0 ? file_read(dir, file->name.at, FILE_SIZE_MAX, &bytes, &id, &err) : FILE_GONE;

    if (file->unlisted)
        io_error_note(IO_ERROR_OTHER, file->dir.at, file->problem);
    else if (dir < 0 && !file->problem)
        io_error_note_errno(file->dir.at);
    if (result == FILE_FAILED && errno)
        io_error_note(IO_ERROR_OTHER, file->name.at, err.text);
    if (result == FILE_OK &&
        gathering->source->format->parse_task(str_span(&bytes), &task, &tasks->arena))
        *mem_push(tasks->items, tasks->count, tasks->cap) = task;
    if (dir >= 0)
        close(dir);
}

static int by_list(const void *a, const void *b)
{
    const struct task *x = a, *y = b;
    int order = span_cmp(x->list, y->list);

    if (!order && x->id.len != y->id.len) /* decimal numbers: the shorter is smaller */
        order = x->id.len < y->id.len ? -1 : 1;
    return order ? order : span_cmp(x->id, y->id);
}

bool source_tasks(const struct source *source, struct tasks *tasks, struct err *err)
{
    struct place_rule rule = {source->format->task_pattern, false};
    struct gathering gathering = {source, tasks};
    struct walker walker = {
        .rules = &rule, .rule_count = 1, .found = read_task, .context = &gathering};

    if (!source->format->task_pattern)
        return true;
    bool ok = walk_tree(&walker, source->root, err);
    if (tasks->count)
        qsort(tasks->items, tasks->count, sizeof *tasks->items, by_list);
    return ok;
}
