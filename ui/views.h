/* Views: the screens at the bottom, of which one is open. */
#ifndef UI_VIEWS_H
#define UI_VIEWS_H

#include "ui/screen.h"

enum { VIEW_COUNT = ACTION_LAST_VIEW - ACTION_FIRST_VIEW + 1 };

struct view {
    const char *title; /* behind its number, at the top */
    struct screen *(*open)(struct ui *ui);
    size_t (*count)(const struct ui *ui); /* what is told behind its title; NULL: nothing is */
};

extern const struct view views[VIEW_COUNT];

#endif
