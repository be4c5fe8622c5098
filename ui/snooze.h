/* Snoozing: hiding conversations for a while. */
#ifndef UI_SNOOZE_H
#define UI_SNOOZE_H

#include "ui/message_actions.h"

/* Starts reading the snoozes, without waiting: at the start, and when they have changed. */
void snooze_load(struct ui *ui);

/* Snoozes the conversations of the targets for a duration; "off" ends the snooze. Prompts if there
 * is no argument. Takes ownership of the targets. */
void snooze_begin(struct ui *ui, struct targets *acting, struct span argument);

/* Reports whether a conversation of the picture is snoozed, that is, its newest message is. */
bool snooze_hides(struct ui *ui, const struct conversation *conversation);

/* Returns in how many microseconds the next snooze ends; TIME_NONE if nothing is snoozed. */
int64_t snooze_due_us(struct ui *ui);

#endif
