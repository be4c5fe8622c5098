/* The page of one agent: a head with what is known about it, above its conversations. */
#ifndef UI_VIEWS_AGENT_VIEW_H
#define UI_VIEWS_AGENT_VIEW_H

#include "mail/agent/agent.h"
#include "ui/ui.h"

/* State of the page's head. Zero-initialised is valid. */
struct agent_head {
    bool on;    /* true while keys move in the head, which then fills most of the screen */
    int top;    /* the first row shown */
    int rows;   /* rows shown, as drawn last */
    int in_all; /* all rows of the head */
};

void agent_view_open(struct ui *ui, const struct agent *agent);
/* Opens the page with the agent's conversations with one other. */
void agent_view_open_with(struct ui *ui, const struct agent *agent, const struct agent *with);

/* Draws the head and takes its rows off the area. `agent` is an index into the snapshot's agents,
 * or AGENT_NONE for one that is not known any more. */
void agent_head_draw(struct agent_head *head, struct ui *ui, struct grid *grid, struct area *area,
                     uint32_t agent);
/* Performs the actions of the head; false for those of the list. From the head, ACTION_OTHER_PANE
 * leads to the list or, if `preview` says that there is one, on to the preview. */
bool agent_head_act(struct agent_head *head, enum action action, bool preview);

#endif
