/* Views: the screens at the bottom, of which one is open.
 *
 * Each is a file of its own that defines view_NAME, and a line in store/views.h. */
#ifndef UI_VIEWS_H
#define UI_VIEWS_H

#include "ui/screen.h"

struct view {
    const char *title; /* behind its number, at the top */
    struct screen *(*open)(struct ui *ui);
    size_t (*count)(const struct ui *ui); /* what is told behind its title; NULL: nothing is */
};

#define DECLARE_VIEW(symbol, name, key, help) extern const struct view view_##name;
VIEWS(DECLARE_VIEW)
#undef DECLARE_VIEW

extern const struct view *const views[VIEW_COUNT];

#endif
