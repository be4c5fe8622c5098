/* Tasks: the entries of a layout's own task list. Read-only. */
#ifndef STORE_SOURCE_TASK_LIST_H
#define STORE_SOURCE_TASK_LIST_H

#include "store/source/source.h"

struct tasks {
    struct arena arena;
    struct task *items;
    size_t count, cap;
};

void tasks_free(struct tasks *tasks);

/* Adds the tasks of all lists of the source, ordered by list and number. Skips files that cannot be
 * read, and entries by which programs keep track of themselves. */
bool source_tasks(const struct source *source, struct tasks *tasks, struct err *err);

#endif
