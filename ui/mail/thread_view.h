/* A conversation: its messages, and the one that is read. */
#ifndef UI_MAIL_THREAD_VIEW_H
#define UI_MAIL_THREAD_VIEW_H

#include "ui/ui.h"

/* The conversation that this message of the picture is in, at that message. */
struct screen *thread_new(struct ui *ui, const struct message *message);

/* The message of a conversation to begin with: what is asked of the person, else the first unread
 * one, else the last. */
const struct message *thread_start(const struct conversations *conversations,
                                   const struct conversation *conversation);

#endif
