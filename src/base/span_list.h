/* A list of texts. */
#ifndef BASE_SPAN_LIST_H
#define BASE_SPAN_LIST_H

#include "base/arena.h"

/* Grows by span_list_add(); the texts are borrowed. Zero-initialised is empty and valid. */
struct span_list {
    struct span *items;
    size_t count, cap;
};

void span_list_add(struct span_list *list, struct span text);
bool span_list_has(const struct span_list *list, struct span text);
/* Adds all of the other one, copied into the arena. */
void span_list_copy(struct span_list *list, const struct span_list *other, struct arena *arena);
void span_list_free(struct span_list *list);

#endif
