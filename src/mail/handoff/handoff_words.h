/* Work: what a message tells of handed over work in words: whose it is, or what became of it. */
#ifndef MAIL_HANDOFF_HANDOFF_WORDS_H
#define MAIL_HANDOFF_HANDOFF_WORDS_H

#include "mail/message/message.h"

/* What an answer says became of the work. */
enum handoff_words_said { WORK_UNSAID, WORK_ACCEPTED, WORK_DECLINED, WORK_COMPLETED, WORK_FAILED };

/* These are called while a message is read, when its recipient is known; texts of others go into
 * the arena.
 *
 * A text that starts with "Accepted" or "Declined", in letters of any case and as a whole word, or
 * with "Completed" or "Failed" before the end of a line, a full stop, a colon, a comma or an
 * exclamation mark, says so of the handoff that it answers. A first line that starts with "Re:",
 * and marks of Markdown, do not matter; what is quoted does not count. A text that starts with
 * "Work handoff from A to B." is a handoff, of A's work. */
void handoff_words_read_text(struct message *message, struct span text, struct arena *arena);
/* The same for an object {"x_protocol":"handoff","approved":BOOLEAN} or, in place of the latter,
 * "status" with one of the words accepted, declined, completed and failed. Of members that stand
 * there twice the last one counts. */
void handoff_words_read_payload(struct message *message, struct span payload);
/* The context of a handoff: the job, and whose work it is where the notes start with that. */
void handoff_words_read_context(struct message *message, struct span context, struct arena *arena);
/* When its recipient read a handoff, and completed it. */
void handoff_words_read_times(struct message *message, int64_t read_us, int64_t completed_us,
                              struct arena *arena);

/* False when a text that starts like this, still escaped as JSON, tells nothing: spares decoding.
 */
bool handoff_words_may_report(struct span start);

/* What a message says of the handoff that it answers: its words or, where it has none, its type,
 * "completed" or "failure". */
enum handoff_words_said handoff_words_said(const struct message *message);

#endif
