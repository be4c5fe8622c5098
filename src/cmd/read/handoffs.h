/* The progress of handoffs, for the commands that show messages. */
#ifndef CMD_READ_HANDOFFS_H
#define CMD_READ_HANDOFFS_H

#include "cmd/mail_filter.h"

/* Appends the progress of a handoff of the view as one sentence; nothing for any other message, or
 * before mail_view_derive(). */
void handoff_states_add(const struct mail_view *view, const struct message *message,
                        struct str *sentence);

#endif
