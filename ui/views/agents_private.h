/* The agents, inside. */
#ifndef UI_VIEWS_AGENTS_PRIVATE_H
#define UI_VIEWS_AGENTS_PRIVATE_H

#include "ui/ui.h"
#include "ui/widget/list.h"

struct agents_view {
    struct screen screen;
    struct list list;                   /* item: a number of the picture's agents */
    struct str filter;                  /* words; see who_matches() */
    size_t in_state[AGENT_STATE_COUNT]; /* of those that are shown */
    bool bare;                          /* without the pane at the foot */
    int name_width, source_width;
    struct grid *grid; /* while it is drawn */
};

/* The agent of a row, or the selected one; NULL in a list without any. */
const struct agent *agents_view_at(const struct agents_view *view, const struct list_row *row);
const struct agent *agents_view_here(const struct agents_view *view);

/* Fills the list from the picture. */
void agents_view_fill(struct agents_view *view);
/* Those actions that choose what is shown. */
bool agents_view_find_act(struct agents_view *view, enum action action, struct span argument);
bool agents_view_search(struct screen *screen, struct span text, bool forward, bool live);

void agents_view_draw(struct screen *screen, struct grid *grid, const struct area *area);

#endif
