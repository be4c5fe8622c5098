/* The undo window: decisions that were made and not sent yet, so that they can be undone. */
#ifndef UI_DECIDE_UNDO_WINDOW_H
#define UI_DECIDE_UNDO_WINDOW_H

#include "mail/protocol/decision.h"
#include "store/decide/decide.h"
#include "ui/ui.h"

/* Reactions: evidence that an agent has noticed a decision. */

/* Must be called with each new message. If it is a reaction, reports it to the person and notes it
 * in the ledger. */
void reaction_seen(struct ui *ui, const struct message *message);
/* Stops waiting for all reactions. */
void reactions_free(struct ui *ui);

/* Keys are ignored for so long after a decision: those typed ahead were not meant for the next
 * request. */
#define UNDO_WINDOW_DEAF_US INT64_C(300000)

struct delayed_decision;

/* A decision. Borrowed. */
struct undo_window_entry {
    const struct message *request;
    const char *sha256; /* of the request as it was drawn */
    enum decision decision;
    struct decision_terms terms;
    struct span asked; /* the request in one line, for the person */
};

/* Delays a decision for the time that the config sets, and then sends it. */
void undo_window_add(struct ui *ui, const struct undo_window_entry *verdict);

/* Undoes the last decision that is not being sent yet; false if there is none. */
bool undo_window_undo(struct ui *ui);
size_t undo_window_count(const struct ui *ui);
/* True if the request with that key in the snapshot was decided, and the decision is delayed or
 * being sent. */
bool undo_window_has(const struct ui *ui, struct span key);
/* Returns the seconds until the next decision is sent, rounded up, or -1 if there is none. Appends
 * its label. */
int64_t undo_window_next(const struct ui *ui, struct str *label);

/* For the event loop: the time until the next call of undo_window_work() is needed, and sending the
 * decisions that are due. */
int64_t undo_window_due_us(const struct ui *ui);
void undo_window_work(struct ui *ui);
/* Sends all decisions now, because the person is leaving. */
void undo_window_send_all(struct ui *ui);
/* Drops the decisions that are not being sent, at the end. Those that are being sent are tasks,
 * which are waited for elsewhere. */
void undo_window_free(struct ui *ui);

#endif
