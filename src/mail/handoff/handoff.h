/* Handoffs: work that one agent passes to another, with everything the next one has to know. */
#ifndef MAIL_HANDOFF_HANDOFF_H
#define MAIL_HANDOFF_HANDOFF_H

#include "base/str.h"

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

#endif
