/* The outbox, inside: an entry that is being worked on. */
#ifndef STORE_SEND_OUTBOX_PRIVATE_H
#define STORE_SEND_OUTBOX_PRIVATE_H

#include "store/decide/decided.h"
#include "store/send/outbox.h"

/* When what is in the outbox is looked at next: what was just written, and what could not be. */
#define OUTBOX_SOON_US INT64_C(300000)
#define OUTBOX_LATER_US INT64_C(10000000)

/* One entry that is being worked on. */
struct errand {
    struct state *state;
    struct log *log;
    struct outbox_entry *entry;
    struct parcel parcel;
    struct ledger ledger; /* read when something has gone wrong */
};

/* Opens the source that an entry is for. */
bool errand_open_source(const struct outbox_entry *entry, struct source *source, struct err *err);

/* Whether it is what was decided about a request. That is never written by somebody who has not
 * looked at the request: it may have changed, or been answered. */
const struct decision_record *errand_decision(struct errand *errand);

/* Where it is, with the sentence when that is not to be known. What is there is on disk. */
enum parcel_seen errand_look(struct errand *errand, struct err *err);
/* Into a shared file or a slot; why that could not be stays with the entry, for the next try and
 * for the person. */
bool errand_write_again(struct errand *errand, struct err *err);

/* Says how far it has come; and that it is done, which takes it off the outbox. */
void errand_settle(struct errand *errand, enum outbox_state state, int64_t due_us,
                   const char *problem);
bool errand_done(struct errand *errand, enum sent_fate fate, struct err *err);

#endif
