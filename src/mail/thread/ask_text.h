/* Asks: what is asked, in words. */
#ifndef MAIL_THREAD_ASK_TEXT_H
#define MAIL_THREAD_ASK_TEXT_H

#include "mail/message/message.h"

/* Appends what a request asks for, whole: the tool and what it is to work on, the host, the plan,
 * the reason to stop, or why somebody does not; else its subject or, without one, its text. Without
 * the data the subject tells the same of a protocol, except for what stands behind the first line.
 * It holds raw text of others: clean it. */
void ask_add_text(struct str *out, const struct message *message);

/* Appends the same on one line: the first one, or a plan's title, with "..." when there is more. */
void ask_add_title(struct str *out, const struct message *message);

/* The first line of the subject without the word for its kind, where a program has put that before
 * it; empty when there is nothing else. */
struct span ask_subject(const struct message *message);

#endif
