/* The sidebar: a row for everybody and one for each agent, with the number of unread conversations
 * and of those that need the person. No curses. */
#ifndef UI_MAIL_SIDEBAR_H
#define UI_MAIL_SIDEBAR_H

#include "mail/thread/conversation.h"
#include "ui/snapshot/agent_index.h"
#include "ui/ui.h"

enum { SIDEBAR_FROM = 100 }; /* columns of the screen from which on there is a sidebar */

/* Numbers of conversations. */
struct side_count {
    size_t unread; /* conversations with unread mail to the person */
    size_t needs;  /* conversations that wait for the person, or suggest that an agent may be
                    * stuck */
};

/* Zero-initialised is empty and valid. */
struct sidebar {
    struct side_count all, *agents; /* `agents`: one for each agent of the snapshot */
    size_t count;
    unsigned number; /* the snapshot that was counted */
    size_t top;
    size_t name;       /* columns of the longest name; 0: not measured yet */
    int unread, needs; /* columns of the numbers */
    int rows;          /* as drawn last */
};

void sidebar_free(struct sidebar *side);

/* Counts the conversations that are not archived for that many agents. One that needs the person
 * counts for the agents that ask or may be stuck, an unread one for every agent in it. */
void sidebar_count(struct sidebar *side, size_t agents, struct who_index *index,
                   const struct conversations *conversations);

/* Returns the width of the sidebar on a screen of so many columns, without the line after it.
 * Counts again if the snapshot is a new one. */
int sidebar_width(struct sidebar *side, struct ui *ui, int columns, unsigned clean);
/* `chosen` is the index of the agent whose mail is shown, or AGENT_NONE. */
void sidebar_draw(struct sidebar *side, struct ui *ui, struct grid *grid, const struct area *area,
                  uint32_t chosen);
/* Finds the row drawn at line `y`: false if there is none; AGENT_NONE for everybody. */
bool sidebar_at(const struct sidebar *side, int y, uint32_t *agent);

#endif
