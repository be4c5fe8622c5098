/* Mailboxes that want to do harm to whoever looks at them: hostile names, texts, kinds, ids and
 * files in every layout. */
#ifndef SCREENS_HOSTILE_MAILBOX_H
#define SCREENS_HOSTILE_MAILBOX_H

#include "mailbox.h"

enum { HOSTILE_NAMES = 15 };

/* Everything that mailbox_make() makes, and besides a team and letters of such names. */
void hostile_make(struct mailbox *mailbox);
/* The same with requests of every kind, tasks, bytes that are no UTF-8, and mail of the person's to
 * all of them. */
void hostile_make_more(struct mailbox *mailbox);

#endif
