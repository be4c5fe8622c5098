/* Held decisions: made and not sent yet, so that a slip can be taken back. */
#ifndef UI_DECIDE_UNDO_WINDOW_H
#define UI_DECIDE_UNDO_WINDOW_H

#include "mail/protocol/decision.h"
#include "ui/ui.h"

/* Keys are not heard for so long after a decision: what was typed ahead was not meant for what
 * comes next. */
#define UNDO_WINDOW_DEAF_US INT64_C(300000)

struct held;

/* What is decided. Borrowed. */
struct held_decision {
    const struct message *request;
    const char *sha256; /* of the request as it was drawn */
    enum decision decision;
    struct decision_terms terms;
    struct span asked; /* one line, for the person */
};

/* Holds a decision for as long as the config says, and then sends it. */
void undo_window_add(struct ui *ui, const struct held_decision *verdict);

/* Takes the last one back that is still held; false when there is none. */
bool undo_window_undo(struct ui *ui);
size_t undo_window_count(const struct ui *ui);
/* Whether the request with that key of the picture was decided, and is held or on its way. */
bool undo_window_has(const struct ui *ui, struct span key);
/* In how many seconds the next one is sent, rounded up; appends what it is. */
int64_t undo_window_next(const struct ui *ui, struct str *label);

/* For the loops: when the next one is due, and sending what is. */
int64_t undo_window_due_us(const struct ui *ui);
void undo_window_work(struct ui *ui);
/* Sends all of them now: the person is leaving. */
void undo_window_send_all(struct ui *ui);
/* What is still there when everything ends; those that are being sent are waited for elsewhere. */
void undo_window_free(struct ui *ui);

#endif
