/* Shared by the tests of forms: a mailbox, a message that is ready to be sent, and checks of its
 * fate. */
#ifndef SCREENS_FORMS_H
#define SCREENS_FORMS_H

#include "tests/screens/harness/stage.h"

#define FORMS_BUILDER_BOX "home/.claude/teams/dev/inboxes/builder-1.json"

/* Makes the mailbox and starts the program on it; returns when mail and agents are loaded. */
void forms_open(unsigned parts);
/* Starts the program on an existing mailbox. */
void forms_start(const struct terminal_options *options);
/* Writes a new message to builder-1, up to the key that sends it. */
void forms_write_message(void);
/* Quits with Q from a list, which must succeed. */
void forms_leave(void);
/* After the program was killed: checks that the next one has the message as a draft. */
void forms_check_kept(void);

#endif
