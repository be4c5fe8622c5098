/* Lists of conversations: the inbox, the archive, the queue of decisions, the mail of one agent. */
#ifndef UI_MAIL_MAILBOX_H
#define UI_MAIL_MAILBOX_H

#include "mail/agent/agent.h"
#include "ui/ui.h"

enum mailbox_kind { MAILBOX_INBOX, MAILBOX_ARCHIVE, MAILBOX_AGENT };

struct screen *mailbox_new(struct ui *ui, enum mailbox_kind kind);

/* Shows only the mail of that agent or, with `with`, what the two wrote to each other; NULL for
 * everybody's. */
void mailbox_show_agent(struct screen *screen, const struct agent *agent, const struct agent *with);

#endif
