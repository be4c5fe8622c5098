/* Verdicts: from two keys on a request to a decision that is held.
 *
 * A yes is only said to what was drawn to its last line, can be trusted, and is still what was
 * drawn. What widens a permission beyond this once is typed, not pressed. */
#ifndef UI_DECIDE_APPROVE_H
#define UI_DECIDE_APPROVE_H

#include "mail/protocol/decision.h"
#include "ui/decide/request_view.h"

/* APPROVE, AMEND, REJECT, GRANT, GRANT_SESSION, GRANT_PATTERN, DENY, SUGGESTION and PLAN_FILE for
 * the request that the screen shows; false when the action is none of these. */
bool verdict_act(struct screen *screen, struct request_page *shown, const struct message *request,
                 enum action action, struct span argument);

/* The decision that an action stands for with a request of that kind; false, with a sentence, when
 * it stands for none. */
bool approve_decision_of(enum action action, enum kind kind, enum decision *decision,
                         struct err *err);

/* Whether such an action means something for a request; NULL: none is selected. */
bool approve_offers(const struct message *request, enum action action);

/* Whether somebody is there to say yes: not in what is read from a pipe. */
bool approve_is_persons(const struct ui *ui, enum decision decision, struct err *err);

#endif
