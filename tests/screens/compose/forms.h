/* What tests of forms share: a mailbox to write from, a message that is ready to be sent, and what
 * became of it. */
#ifndef SCREENS_FORMS_H
#define SCREENS_FORMS_H

#include "tests/screens/harness/stage.h"

#define FORMS_BUILDER_BOX "home/.claude/teams/dev/inboxes/builder-1.json"

/* Makes the mailbox and starts the program on it; returns when mail and agents are known. */
void forms_open(unsigned parts);
/* Starts the program on a mailbox that is made already. */
void forms_start(const struct terminal_options *options);
/* A new message to builder-1 that is ready to be sent. */
void forms_write_message(void);
/* Leaves by Q from a list, which has to end well. */
void forms_leave(void);
/* When the program was killed: the next one has the message as a draft. */
void forms_check_kept(void);

#endif
