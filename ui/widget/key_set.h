/* A set of keys: rows that are tagged, or unfolded. No curses. */
#ifndef UI_WIDGET_KEY_SET_H
#define UI_WIDGET_KEY_SET_H

#include "base/map.h"

/* Zero-initialised is empty and valid. */
struct key_set {
    struct map keys; /* 1 for what is in it */
    struct arena arena;
};

/* Afterwards it is empty. */
void key_set_free(struct key_set *set);
bool key_set_has(const struct key_set *set, struct span key);
/* Puts it in, or takes it out. The key is copied. */
void key_set_toggle(struct key_set *set, struct span key);
size_t key_set_count(const struct key_set *set);

#endif
