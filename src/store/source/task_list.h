/* Tasks: what a layout's own list says is to be done. Only ever read. */
#ifndef STORE_SOURCE_TASK_LIST_H
#define STORE_SOURCE_TASK_LIST_H

#include "store/source/source.h"

struct tasks {
    struct arena arena;
    struct task *items;
    size_t count, cap;
};

void tasks_free(struct tasks *tasks);

/* Adds the tasks of all lists of the source, in the order of lists and numbers. What cannot be read
 * is left out, as are entries by which programs keep track of themselves. */
bool source_tasks(const struct source *source, struct tasks *tasks, struct err *err);

#endif
