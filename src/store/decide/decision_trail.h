/* The trail of a decision: its lines in the ledger, while it is sent and afterwards. */
#ifndef STORE_DECIDE_DECISION_TRAIL_H
#define STORE_DECIDE_DECISION_TRAIL_H

#include "mail/message/model.h"
#include "store/decide/ledger.h"
#include "store/decide/request_snapshot.h"
#include "store/send/deliver.h"

struct deciding;

/* The note of a decision whose answer has left its inbox. */
#define DECIDED_TAKEN "the agent's program has taken it out of its inbox"

/* One decision while it is made. */
struct decided_trail {
    struct ledger_entry entry; /* the members that all of its lines share */
    char decision[LEDGER_DECISION + 1];
    struct str asked, terms, text, file;
    struct arena arena;
    bool intended; /* the first line is written */
};

void decision_trail_open(struct decided_trail *trail, const struct source *source,
                         const struct request_snapshot *request, const struct deciding *deciding);
/* Like decision_trail_open(), but for a lead command, which answers nothing. */
struct order_note;
void decision_trail_open_lead(struct decided_trail *trail, const struct source *source,
                              const struct order_note *note, struct span text);
void decision_trail_close(struct decided_trail *trail);

/* Writes the first line, with the answer as it will be sent. If it fails the answer must not be
 * sent. */
bool decision_trail_intend(struct decided_trail *trail, const struct outgoing_file *outgoing,
                           struct err *err);
/* Writes the line after sending has ended, with the result. A failure is not noted without a first
 * line. */
struct outgoing_message;
void decision_trail_sent(struct decided_trail *trail, const struct outgoing_message *letter,
                         bool ok, const struct err *err);
/* Writes any later line. Ignores errors: the next process that checks the decision finds out.
 * `outgoing` and `note` may be NULL. */
void decision_trail_note(struct decided_trail *trail, enum ledger_event event,
                         const struct outgoing_file *outgoing, const char *note);

/* Returns the decision whose answer is this entry of the outbox, or NULL. */
const struct decision_record *decision_trail_find(const struct ledger *ledger,
                                                  const struct outbox_entry *entry);
/* Adds a line to the decision of another process that could not write it. */
void decision_trail_add(const struct decision_record *record, enum ledger_event event,
                        const char *note, struct span seen_in);

#endif
