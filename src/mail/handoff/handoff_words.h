/* Words about handed over work in a message: its owner, or its result. */
#ifndef MAIL_HANDOFF_HANDOFF_WORDS_H
#define MAIL_HANDOFF_HANDOFF_WORDS_H

#include "mail/message/message.h"

/* The result of the work according to an answer. */
enum handoff_words_said { WORK_UNSAID, WORK_ACCEPTED, WORK_DECLINED, WORK_COMPLETED, WORK_FAILED };

/* Sets message->said and message->work from the text. This and the next three functions are called
 * while a message is parsed, when its recipient is known; texts of others are copied into the
 * arena.
 *
 * A text that starts with "Accepted" or "Declined", in letters of any case and as a whole word, or
 * with "Completed" or "Failed" before the end of a line, a full stop, a colon, a comma or an
 * exclamation mark, gives the result of the handoff that it answers. A first line that starts with
 * "Re:", and marks of Markdown, are skipped; quoted text does not count. A text that starts with
 * "Work handoff from A to B." is a handoff of A's work. */
void handoff_words_read_text(struct message *message, struct span text, struct arena *arena);
/* Like handoff_words_read_text(), but for an object {"x_protocol":"handoff","approved":BOOLEAN} or,
 * in place of "approved", "status" with one of the words accepted, declined, completed and failed.
 * If a member occurs twice, the last one counts. */
void handoff_words_read_payload(struct message *message, struct span payload);
/* Reads the context of a handoff: the job, and the owner of the work if the notes start with it. */
void handoff_words_read_context(struct message *message, struct span context, struct arena *arena);
/* Sets the times when its recipient read a handoff, and completed it. */
void handoff_words_read_times(struct message *message, int64_t read_us, int64_t completed_us,
                              struct arena *arena);

/* Returns false if a text with this start, still escaped as JSON, has none of these words: then it
 * need not be decoded. */
bool handoff_words_may_report(struct span start);

/* Returns the result that a message gives of the handoff that it answers: from its words or,
 * without any, from its type, "completed" or "failure". */
enum handoff_words_said handoff_words_said(const struct message *message);

#endif
