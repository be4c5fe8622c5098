/* A draft: a message that is about to be sent, before any layout has given it bytes. */
#ifndef MAIL_MESSAGE_DRAFT_H
#define MAIL_MESSAGE_DRAFT_H

#include "base/err.h"
#include "mail/handoff/handoff.h"
#include "mail/message/message.h"

/* A message to send. Texts are borrowed until the draft is sent. */
struct draft {
    struct span id; /* set by the store if absent */
    struct span from, to, team;
    struct span subject, body;
    struct span type; /* absent: the layout's type for a plain message */
    enum priority priority;
    struct span_list tags, attachments;
    struct span payload, context; /* JSON objects that draft_read_object() has checked, or absent */
    const struct handoff *handoff; /* the source of body, context and attachments, or NULL */
    struct span giver; /* the owner of the work that is handed over; absent: the sender */
    int64_t created_us, expires_us;
    const struct zone *zone; /* zone for times that are written without one; NULL: the local zone */
    struct span thread, reply_to, swarm;
    struct span protocol; /* JSON of a protocol message, sent in place of the text; or absent */
    struct span color;    /* the sender's color, set by the store; absent if the layout has none */
    bool requires_response;
    bool expects_no_response; /* decided by the sender: a plain message must not ask for one */
};

/* Returns an empty draft of normal priority, without any time. */
struct draft draft_new(void);
void draft_free(struct draft *draft);

/* Checks that the text is a JSON object without duplicate keys, and trims it to the bytes of the
 * object. An absent text is valid. On failure the error is ERR_USAGE and names the text `name`. */
bool draft_read_object(const char *name, struct span *object, struct err *err);

/* Returns the owner of the work that the draft hands over: `giver`, or the sender. */
struct span draft_giver(const struct draft *draft);

/* The fields of a form as one JSON object, to save an unfinished message.
 *
 * Every text is restored byte for byte. Unknown members, from a newer program, are kept. */

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
/* Returns false if no form has that name. */
bool form_parse(struct span word, enum form *form);

/* The fields of a form as typed, so that a message that cannot be sent yet can be saved. Absent
 * texts stay absent. */
struct draft_fields {
    enum form form;
    struct span format, root; /* the source that the message is for */
    struct span from, to, team;
    struct span_list exclude; /* recipients that do not get a broadcast */
    struct span subject, body, type, expires;
    struct span payload; /* as typed, JSON or not */
    enum priority priority;
    struct span_list tags, attachments;
    struct span thread, reply_to;
    struct handoff handoff;

    /* Fields of lead commands. The title of a task is in subject, its full text in body. */
    struct {
        struct span reason, mode, task, tool, behavior, directory;
        struct span level, id;  /* of an escalation */
        struct span_list rules; /* uses of the tool that the rules allow or deny */
        struct span confirm; /* the recipient's name again, to confirm that protection is removed */
    } order;

    /* The message that is answered, forwarded or handed over: enough to find it again. */
    struct {
        struct span format, root, team, box, id;
    } about;

    int64_t quote_count; /* number of messages to quote, if quote is set */
    int64_t sending_us;  /* start of a send whose end was not seen; or TIME_NONE */
    bool quote, requires_response, create;
    bool everybody; /* an answer goes to all, a broadcast to all swarms */
    bool archive;   /* archive the answered message after this one was sent */

    struct span_list unknown; /* one "key":value each */
};

/* Returns empty fields of normal priority for that form. */
struct draft_fields draft_fields_new(enum form form);
/* Frees the lists and resets the fields; the texts are not owned. */
void draft_fields_free(struct draft_fields *fields);

/* Makes a deep copy, with its texts in the arena. The caller frees it. */
void draft_fields_copy(struct draft_fields *copy, const struct draft_fields *fields,
                       struct arena *arena);

/* Sets the texts and lists that are empty to those of `given`, each made by `make`; an item that it
 * makes empty is left out. */
void draft_fields_start(struct draft_fields *fields, const struct draft_fields *given,
                        struct span (*make)(void *context, struct span text), void *context);

/* True if the member at that offset is the same in both; an absent text is the same as an empty
 * one. */
bool draft_fields_same(const struct draft_fields *a, const struct draft_fields *b, size_t at);

/* Sets `about` to that message; its texts are borrowed. The message is found again even if its file
 * moves within the box. */
void draft_fields_set_about(struct draft_fields *fields, const char *format,
                            const struct message *message);

/* Appends the fields as a JSON object on one line. */
void draft_fields_write(struct str *out, const struct draft_fields *fields);

/* Replaces `fields` by the members of the object; the texts are in the arena. Fields that are
 * missing or of another type are as in an empty form. False only if the text is not a JSON object.
 * The caller frees the fields in any case. */
bool draft_fields_read(struct draft_fields *fields, struct span json, struct arena *arena,
                       struct err *err);

#endif
