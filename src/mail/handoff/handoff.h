/* Handoff: work passed from one agent to another, with all the next one has to know. */
#ifndef MAIL_HANDOFF_HANDOFF_H
#define MAIL_HANDOFF_HANDOFF_H

#include "base/str.h"

#include <cjson/cJSON.h>

/* The eleven fields of a handoff's context. Absent state_file and job_id are null there. */
struct handoff {
    struct span work_completed;
    struct span_list files_modified, files_created;
    struct span current_state;
    struct span state_file;
    struct span_list next_steps, blockers, dependencies, related_escalations;
    struct span job_id;
    struct span notes;
    struct span additional_notes; /* no part of the context: they are for the text */
};

void handoff_free(struct handoff *handoff);

/* The context object with its keys in their fixed order. The caller deletes it. */
cJSON *handoff_context(const struct handoff *handoff);

/* Whether the context of a message is that of a handoff. */
bool handoff_is_context(struct span context);

/* Whose texts stand where in a handoff. Those without a title have their own place in the text. */
enum handoff_part_kind { HANDOFF_TEXT, HANDOFF_ITEMS, HANDOFF_FILES };

struct handoff_part {
    const char *key;   /* in the context */
    const char *title; /* in a text */
    enum handoff_part_kind kind;
    size_t at; /* in struct handoff: a span, or a list of them */
};

enum { HANDOFF_PARTS = 8 };
/* What a handoff can take over from an earlier one: all but what was done, how it stands, and
 * notes. */
extern const struct handoff_part handoff_parts[HANDOFF_PARTS];

/* For a layout where a handoff is its text alone: what that has no place for is moved to the end of
 * the notes, under titles. The result borrows, its lists included: only the original is freed. */
struct arena;
struct handoff handoff_fold(const struct handoff *handoff, struct arena *arena);

/* How the text starts; and in layouts without a subject the line before it, which has that. */
extern const char handoff_start[], handoff_title[];
/* The text as handoff_body() writes it, without such a line; absent when it is no handoff's. */
struct span handoff_text(struct span body);

/* Appends the message text, which has the notes of the context too when it is all there is. */
void handoff_body(struct str *out, const struct handoff *handoff, struct span from, struct span to,
                  bool alone);
/* Appends the notes, then the additional ones unless they are the same. */
void handoff_add_notes(struct str *out, const struct handoff *handoff);

/* The attachments: files modified, then files created. The caller deletes it. */
cJSON *handoff_attachments(const struct handoff *handoff);

/* A JSON array of strings. The caller deletes it. */
cJSON *span_list_json(const struct span_list *list);

#endif
