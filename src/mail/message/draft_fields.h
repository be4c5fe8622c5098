/* The fields of a form as one JSON object, for keeping what is being written.
 *
 * Every text comes back byte for byte. Members that are not known, from a newer program, are
 * carried along. */
#ifndef MAIL_MESSAGE_DRAFT_FIELDS_H
#define MAIL_MESSAGE_DRAFT_FIELDS_H

#include "base/err.h"
#include "mail/handoff/handoff.h"
#include "mail/message/message.h"

enum form {
    FORM_COMPOSE,
    FORM_REPLY,
    FORM_FORWARD,
    FORM_HANDOFF,
    FORM_BROADCAST,
    FORM_NUDGE,
    FORM_SHUTDOWN,
    FORM_MODE,
    FORM_ASSIGN,
    FORM_RULES,
    FORM_ESCALATE,
    FORM_COUNT,
};

const char *form_name(enum form form);
/* False when the word names none. */
bool form_parse(struct span word, enum form *form);

/* As they stand in the form: what cannot be sent yet can be kept. Absent texts stay absent. */
struct draft_fields {
    enum form form;
    struct span format, root; /* the source it is for */
    struct span from, to, team;
    struct span_list exclude; /* who does not get a broadcast */
    struct span subject, body, type, expires;
    struct span payload; /* as typed, JSON or not */
    enum priority priority;
    struct span_list tags, attachments;
    struct span thread, reply_to;
    struct handoff handoff;

    /* Of orders. What a task is about is the subject, all of it the body. */
    struct {
        struct span reason, mode, task, tool, behavior, directory;
        struct span level, id;  /* of an escalation */
        struct span_list rules; /* what the tool is used for */
        struct span confirm;    /* the recipient once more, where protection is taken away */
    } order;

    /* The message that is answered, forwarded or handed over; how to find it again. */
    struct {
        struct span format, root, team, box, id;
    } about;

    int64_t quote_count; /* so many messages are quoted, if quote is set */
    int64_t sending_us;  /* when sending it was begun, if its end was not seen; or WHEN_NONE */
    bool quote, requires_response, create;
    bool everybody; /* an answer to all, a broadcast to all swarms */
    bool archive;   /* what is answered goes to the archive when this was sent */

    struct span_list unknown; /* "key":value each */
};

/* Empty, of normal priority, for that form. */
struct draft_fields draft_fields_new(enum form form);
/* Frees the lists; texts belong to whoever gave them. */
void draft_fields_free(struct draft_fields *fields);

/* Notes which message it is about, borrowed. It is known again wherever it lies in its box by then.
 */
void draft_fields_set_about(struct draft_fields *fields, const char *format,
                            const struct message *message);

/* Appends the object, on one line. */
void draft_fields_write(struct str *out, const struct draft_fields *fields);

/* Replaces `fields` by what the object says; texts live in the arena. What is missing or of another
 * kind is as in an empty form. False only when it is no JSON object. The caller frees the fields in
 * any case. */
bool draft_fields_read(struct draft_fields *fields, struct span json, struct arena *arena,
                       struct err *err);

#endif
