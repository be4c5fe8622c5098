/* Delivery status: the state of each message that we sent, per recipient. */
#ifndef MAIL_SENT_DELIVERY_STATUS_H
#define MAIL_SENT_DELIVERY_STATUS_H

#include "base/err.h"
#include "mail/message/model.h"

enum delivery_state {
    DELIVERY_QUEUED,     /* waits in our outbox */
    DELIVERY_FAILED,     /* it could not be sent, or its recipient marked it as failed */
    DELIVERY_DELIVERED,  /* in the mailbox, and not read */
    DELIVERY_READ,       /* at least noticed by the recipient's program */
    DELIVERY_PROCESSING, /* marked as in processing */
    DELIVERY_COMPLETED,
    DELIVERY_ANSWERED,
    DELIVERY_ARCHIVED,    /* archived by its recipient */
    DELIVERY_EXPIRED,     /* expired before anybody read it, or removed when it was old enough */
    DELIVERY_TAKEN,       /* removed by its reader, as readers of this layout do */
    DELIVERY_VANISHED,    /* delivered, but no longer there */
    DELIVERY_UNCONFIRMED, /* delivered, but its file is now missing or damaged */
    DELIVERY_COUNT,
};

const char *delivery_state_name(enum delivery_state state);

/* Our record of a sent message, for messages that are in no mailbox any more, or not yet. */
struct delivery_note {
    uint32_t source;
    struct span team, box, id, from, to, subject;
    struct span mailing; /* the same for all copies sent together; empty for a single one */
    struct span problem;
    int64_t sent_us, since_us;
    enum delivery_state state; /* queued, failed, delivered, taken, vanished or unconfirmed */
};

/* Zero-initialised is empty and valid. */
struct delivery_notes {
    struct arena arena;
    struct delivery_note *items;
    size_t count, cap;
};

void delivery_notes_free(struct delivery_notes *notes);

/* Properties of a source that decide how to judge messages sent there. */
struct delivery_source {
    bool takes;         /* readers remove the messages they read */
    bool may_take;      /* like `takes`, but only some readers do: a box is one permanent file */
    bool for_all;       /* mail to "all" is one message: nothing shows who has read it */
    bool by_subject;    /* an answer may refer to a message by the subject alone */
    bool short_replies; /* answers repeat only the first characters of an id */
    int64_t lasts_us;   /* age from which messages may be removed; 0: never */
};

/* The status of one message. Texts are borrowed from the model and the notes. */
struct delivery_status {
    uint32_t source;
    struct span team, box, id, from, to, subject;
    struct span group;   /* the same for all copies sent together; absent for a single message */
    struct span problem; /* or absent; for a declined order: the subject of the answer */
    int64_t sent_us;
    int64_t since_us; /* start of the state; TIME_NONE if unknown */
    enum delivery_state state;
    const struct message *message; /* NULL: in no mailbox */
    const struct message *answer;  /* or NULL */
    uint32_t thing; /* number of the mailing: one message or all copies of a broadcast */
};

/* The newest mailing first, all its copies together. Zero-initialised is empty and valid. */
struct delivery_statuses {
    struct delivery_status *items;
    size_t count, cap, thing_count;
};

/* Joins the notes with the messages from us in the mailboxes, by source, team, box and id. Skips
 * idle notices. `sources` has an entry per source of the model. If one message is for all, each
 * agent that answered it gets a status of its own after it. */
void delivery_statuses_build(struct delivery_statuses *statuses, const struct model *model,
                             const struct delivery_notes *notes,
                             const struct delivery_source *sources, int64_t now_us);
void delivery_statuses_free(struct delivery_statuses *statuses);

/* Sets *thing to the mailing that has a message with that id or start of an id; false and an error
 * if there is none or more than one. */
bool delivery_statuses_find(const struct delivery_statuses *statuses, struct span id,
                            uint32_t *thing, struct err *err);

#endif
