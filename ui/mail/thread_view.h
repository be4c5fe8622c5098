/* A conversation: its messages, and the one that is being read. */
#ifndef UI_MAIL_THREAD_VIEW_H
#define UI_MAIL_THREAD_VIEW_H

#include "ui/ui.h"

/* Returns a screen with the conversation of this message of the snapshot, at that message. */
struct screen *thread_new(struct ui *ui, const struct message *message);

/* Returns the message of a conversation to start reading with: the open request to the person, else
 * the first unread one, else the last. */
const struct message *thread_start(const struct conversations *conversations,
                                   const struct conversation *conversation);

#endif
