/* Fates: what became of each message that we sent, recipient by recipient. */
#ifndef MAIL_SENT_DELIVERY_STATUS_H
#define MAIL_SENT_DELIVERY_STATUS_H

#include "base/err.h"
#include "mail/message/model.h"

enum delivery_state {
    DELIVERY_QUEUED,     /* on its way */
    DELIVERY_FAILED,     /* it could not be sent, or its recipient says that it failed */
    DELIVERY_DELIVERED,  /* there, and nobody has touched it */
    DELIVERY_READ,       /* at least noticed by the recipient's program */
    DELIVERY_PROCESSING, /* worked on */
    DELIVERY_COMPLETED,
    DELIVERY_ANSWERED,
    DELIVERY_ARCHIVED, /* put away by its recipient */
    DELIVERY_EXPIRED,  /* its time has passed before anybody read it, or it was cleared away by then
                        */
    DELIVERY_TAKEN,    /* gone, as it is usual where who reads a message removes it */
    DELIVERY_VANISHED, /* it was there, and is not any more */
    DELIVERY_UNCONFIRMED, /* it was there, and the file that it was in is gone or damaged */
    DELIVERY_COUNT,
};

const char *delivery_state_name(enum delivery_state state);

/* What was noted here when a message was sent: for those that no mailbox has any more, or yet. */
struct delivery_note {
    uint32_t source;
    struct span team, box, id, from, to, subject;
    struct span mailing; /* the same for all that were sent together; empty for one alone */
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

/* How a source treats what is sent there. */
struct delivery_source {
    bool takes;         /* who reads a message removes it */
    bool may_take;      /* the same, but not all readers do: a box is one file that stays */
    bool for_all;       /* what is sent to "all" is one message, whose readers cannot be told */
    bool by_subject;    /* an answer may be known by its subject alone */
    bool short_replies; /* answers repeat only the first characters of an id */
    int64_t lasts_us;   /* what is older may have been cleared away; 0: never */
};

/* Texts are borrowed from the model and the notes. */
struct delivery_status {
    uint32_t source;
    struct span team, box, id, from, to, subject;
    struct span group;   /* what belongs together has the same, one alone none */
    struct span problem; /* or absent; of an order that was turned down: what is said to it */
    int64_t sent_us;
    int64_t since_us; /* when it came to this; TIME_NONE where nobody says so */
    enum delivery_state state;
    const struct message *message; /* NULL: in no mailbox */
    const struct message *answer;  /* NULL without one */
    uint32_t thing;                /* the number of what was sent: one message or a broadcast */
};

/* The newest thing first; the fates of one thing stand together. Zero-initialised is empty. */
struct delivery_statuses {
    struct delivery_status *items;
    size_t count, cap, thing_count;
};

/* Joins what was noted with what is in the mailboxes from us, by source, team, box and id. Idle
 * notices are left out. `sources` has an entry for each source of the model. Where one message is
 * for all, each who answered it gets a fate of its own behind it. */
void delivery_statuses_build(struct delivery_statuses *statuses, const struct model *model,
                             const struct delivery_notes *notes,
                             const struct delivery_source *sources, int64_t now_us);
void delivery_statuses_free(struct delivery_statuses *statuses);

/* The thing that a message of that id, or with that start of it, belongs to; false, with the
 * reason, when there is none or several. */
bool delivery_statuses_find(const struct delivery_statuses *statuses, struct span id,
                            uint32_t *thing, struct err *err);

#endif
