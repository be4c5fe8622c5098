/* Handoffs: work that one agent passes to another, with everything the next one has to know. */
#ifndef MAIL_HANDOFF_HANDOFF_H
#define MAIL_HANDOFF_HANDOFF_H

#include "base/str.h"
#include "mail/message/message.h"

#include <cjson/cJSON.h>

/* The eleven fields of a handoff's context, and notes for its text. Absent state_file and job_id
 * are null in the context. */
struct handoff {
    struct span work_completed;
    struct span_list files_modified, files_created;
    struct span current_state;
    struct span state_file;
    struct span_list next_steps, blockers, dependencies, related_escalations;
    struct span job_id;
    struct span notes;
    struct span additional_notes; /* not part of the context: only in the text */
};

void handoff_free(struct handoff *handoff);

/* Returns the context object with its keys in their fixed order. The caller frees it with
 * cJSON_Delete(). */
cJSON *handoff_context(const struct handoff *handoff);

/* True if the context of a message is that of a handoff. */
bool handoff_is_context(struct span context);

/* The type of a part of a handoff. */
enum handoff_part_kind { HANDOFF_TEXT, HANDOFF_ITEMS, HANDOFF_FILES };

struct handoff_part {
    const char *key;   /* key in the context */
    const char *title; /* title in a text */
    enum handoff_part_kind kind;
    size_t at; /* offset in struct handoff of a span or a span_list */
};

enum { HANDOFF_PARTS = 8 };
/* The parts that a handoff can copy from an earlier one: all except work_completed, current_state
 * and notes. */
extern const struct handoff_part handoff_parts[HANDOFF_PARTS];

/* Returns the handoff for a layout that has only its text: fields without a place in the text are
 * moved to the end of the notes, under titles. The result borrows, its lists included: free only
 * the original. */
struct arena;
struct handoff handoff_fold(const struct handoff *handoff, struct arena *arena);

/* Start of the text; and, in layouts without a subject, of the line before the text, which has the
 * subject. */
extern const char handoff_start[], handoff_title[];
/* Returns the text as handoff_body() writes it, without such a line; absent if the body is not a
 * handoff. */
struct span handoff_text(struct span body);

/* Appends the message text. With `alone`, for layouts without a context, includes the notes of the
 * context. */
void handoff_body(struct str *out, const struct handoff *handoff, struct span from, struct span to,
                  bool alone);
/* Appends the notes, then the additional ones unless they are the same. */
void handoff_add_notes(struct str *out, const struct handoff *handoff);

/* Returns the attachments: files modified, then files created. The caller frees them with
 * cJSON_Delete(). */
cJSON *handoff_attachments(const struct handoff *handoff);

/* Returns a JSON array of strings. The caller frees it with cJSON_Delete(). */
cJSON *span_list_json(const struct span_list *list);

/* Words about handed over work in a message: its owner, or its result. */

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
