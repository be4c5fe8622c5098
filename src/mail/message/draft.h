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

#endif
