/* Hostile mailboxes, which try to harm their reader: names, texts, kinds, ids and files in every
 * layout. */
#ifndef SCREENS_HOSTILE_MAILBOX_H
#define SCREENS_HOSTILE_MAILBOX_H

#include "mailbox.h"

enum { HOSTILE_NAMES = 15 };

/* Makes all of mailbox_make(), and in addition a team and letters with such names. */
void hostile_make(struct mailbox *mailbox);
/* Like hostile_make(), with requests of every kind, tasks, bytes that are not UTF-8, and mail from
 * the person to all agents. */
void hostile_make_more(struct mailbox *mailbox);

#endif
