/* The sidebar: everybody and each agent, with what of theirs is unread and what needs the person.
 * No curses. */
#ifndef UI_MAIL_SIDEBAR_H
#define UI_MAIL_SIDEBAR_H

#include "mail/thread/conversation.h"
#include "ui/snapshot/agent_index.h"
#include "ui/ui.h"

enum { SIDEBAR_FROM = 100 }; /* columns of the screen from which on there is one */

/* Conversations. */
struct side_count {
    size_t unread; /* with something that the person has not read */
    size_t needs;  /* that wait for the person, or tell that an agent may be stuck */
};

/* Zero-initialised is empty and valid. */
struct sidebar {
    struct side_count all, *agents; /* one for each of the picture's agents */
    size_t count;
    unsigned number; /* the picture that was counted */
    size_t top;
    size_t name;       /* columns that the longest name wants; 0: not counted yet */
    int unread, needs; /* columns of the numbers */
    int rows;          /* as it was drawn */
};

void sidebar_free(struct sidebar *side);

/* Counts them for so many agents, whatever is archived left out. What needs the person is counted
 * for who asks or may be stuck, what is unread for everybody who takes part. */
void sidebar_count(struct sidebar *side, size_t agents, struct who_index *index,
                   const struct conversations *conversations);

/* How wide it is to be on a screen of so many columns, without the wall behind it; counts anew if
 * the picture is a new one. */
int sidebar_width(struct sidebar *side, struct ui *ui, int columns, unsigned clean);
/* `chosen` is the number of the agent whose mail is shown, or AGENT_NONE. */
void sidebar_draw(struct sidebar *side, struct ui *ui, struct grid *grid, const struct area *area,
                  uint32_t chosen);
/* What is drawn at that line: false for nothing; AGENT_NONE for everybody. */
bool sidebar_at(const struct sidebar *side, int y, uint32_t *agent);

#endif
