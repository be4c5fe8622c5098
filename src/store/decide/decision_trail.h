/* What was decided: its trail in the ledger, while it is on its way and afterwards. */
#ifndef STORE_DECIDE_DECISION_TRAIL_H
#define STORE_DECIDE_DECISION_TRAIL_H

#include "mail/message/model.h"
#include "store/decide/ledger.h"
#include "store/decide/request_snapshot.h"
#include "store/send/outgoing_file.h"

struct deciding;

/* The note on a decision whose answer has left its inbox. */
#define DECIDED_TAKEN "the agent's program has taken it out of its inbox"

/* One decision while it is made. */
struct decided_trail {
    struct ledger_entry entry; /* what all of its lines say */
    char decision[LEDGER_DECISION + 1];
    struct str asked, terms, text, file;
    struct arena arena;
    bool intended; /* the first line is there */
};

void decision_trail_open(struct decided_trail *trail, const struct source *source,
                         const struct request *request, const struct deciding *deciding);
/* The same for an order, which answers nothing. */
struct order_note;
void decision_trail_open_lead(struct decided_trail *trail, const struct source *source,
                              const struct order_note *note, struct span text);
void decision_trail_close(struct decided_trail *trail);

/* The first line, with the answer as it will be written. False: it must not be. */
bool decision_trail_intend(struct decided_trail *trail, const struct parcel *parcel,
                           struct err *err);
/* The line after sending has ended, with how it ended; none where the first one is missing. */
struct outgoing_message;
void decision_trail_sent(struct decided_trail *trail, const struct outgoing_message *letter,
                         bool ok, const struct err *err);
/* Any later line; what cannot be written is found out by whoever looks next. `parcel` and `note`
 * may be NULL. */
void decision_trail_note(struct decided_trail *trail, enum ledger_event event,
                         const struct parcel *parcel, const char *note);

/* The decision that an entry of the outbox is the answer of; NULL when it is none. */
const struct decision_record *decision_trail_find(const struct ledger *ledger,
                                                  const struct outbox_entry *entry);
/* A line about a decision of somebody who could not write it. */
void decision_trail_add(const struct decision_record *record, enum ledger_event event,
                        const char *note, struct span seen_in);

#endif
