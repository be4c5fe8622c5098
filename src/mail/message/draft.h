/* A draft: a message that is about to be sent, before any layout has given it bytes. */
#ifndef MAIL_MESSAGE_DRAFT_H
#define MAIL_MESSAGE_DRAFT_H

#include "base/err.h"
#include "mail/handoff/handoff.h"
#include "mail/message/message.h"

/* Texts are borrowed until the draft is sent. */
struct draft {
    struct span id; /* filled in by the store when absent */
    struct span from, to, team;
    struct span subject, body;
    struct span type; /* absent: what the layout takes for a plain message */
    enum priority priority;
    struct span_list tags, attachments;
    struct span payload, context;  /* JSON objects that were scanned, or absent */
    const struct handoff *handoff; /* gives body, context and attachments, or NULL */
    struct span giver;             /* whose work the handoff is; absent: the sender's */
    int64_t created_us, expires_us;
    const struct zone *zone; /* in which times are written that name none; NULL: ours */
    struct span thread, reply_to, swarm;
    struct span protocol; /* a protocol message's JSON, which stands for the text; or absent */
    struct span color;    /* the sender's, where the layout has colours; filled in by the store */
    bool requires_response;
    bool expects_no_response; /* the sender decided so: a plain message must not ask for one */
};

/* An empty draft of normal priority, without any time. */
struct draft draft_new(void);
void draft_free(struct draft *draft);

/* Checks a payload or a context, and leaves of it what is JSON: an object in which no key stands
 * twice. Absent is fine. The error is ERR_USAGE and calls it by that name. */
bool draft_read_object(const char *name, struct span *object, struct err *err);

/* Whose work is handed over. */
struct span draft_giver(const struct draft *draft);

/* The fields of a form as one JSON object, for keeping what is being written.
 *
 * Every text comes back byte for byte. Members that are not known, from a newer program, are
 * carried along. */

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
    int64_t sending_us;  /* when sending it was begun, if its end was not seen; or TIME_NONE */
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
