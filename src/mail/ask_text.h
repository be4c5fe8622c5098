/* Asks: what is asked, in words. */
#ifndef MAIL_ASK_TEXT_H
#define MAIL_ASK_TEXT_H

#include "mail/message.h"

/* Appends what a request asks for, whole: the tool and what it is to work on, the host, the plan,
 * the reason to stop; else its subject or, without one, its text. Needs data and body where the
 * layout has them in a protocol. It holds raw text of others: clean it. */
void ask_add_text(struct str *out, const struct message *message);

/* Appends the same on one line: the first one, or a plan's title, with "..." when there is more. */
void ask_add_title(struct str *out, const struct message *message);

#endif
