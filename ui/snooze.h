/* Snoozing: conversations that are put aside for a while. */
#ifndef UI_SNOOZE_H
#define UI_SNOOZE_H

#include "ui/message_actions.h"

/* Reads what is put aside, without waiting; at the start, and when somebody has changed it. */
void snooze_load(struct ui *ui);

/* Puts the conversations of these messages aside for a duration, "off" brings them back; asks for
 * how long when nothing is said. Takes the targets over. */
void snooze_begin(struct ui *ui, struct acting *acting, struct span argument);

/* Whether a conversation of the picture is put aside: its newest message is. */
bool snooze_hides(struct ui *ui, const struct conversation *conversation);

/* In how many microseconds something comes back; TIME_NONE: nothing is put aside. */
int64_t snooze_due_us(struct ui *ui);

#endif
