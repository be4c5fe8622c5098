/* The page of one agent: what is known about it, above its conversations. */
#ifndef UI_VIEWS_AGENT_VIEW_H
#define UI_VIEWS_AGENT_VIEW_H

#include "mail/agent/agent.h"
#include "ui/ui.h"

/* What the page's head keeps. Zero-initialised is right. */
struct agent_head {
    bool on;    /* the keys are for the head, which has most of the screen then */
    int top;    /* the first row of it that is shown */
    int rows;   /* as it was drawn */
    int in_all; /* rows that there are */
};

void agent_view_open(struct ui *ui, const struct agent *agent);
/* Its conversations with one other. */
void agent_view_open_with(struct ui *ui, const struct agent *agent, const struct agent *with);

/* Draws the head and takes its rows off the area. `agent` is a number of the picture's agents, or
 * AGENT_NONE for one that is not known any more. */
void agent_head_draw(struct agent_head *head, struct ui *ui, struct grid *grid, struct area *area,
                     uint32_t agent);
/* Actions that are the head's; false for those of the list. From the head the way to the other pane
 * leads to the list or, when there is one, on to the preview. */
bool agent_head_act(struct agent_head *head, enum action action, bool preview);

#endif
