/* Approving: from a key on a request to a decision in the undo window.
 *
 * A request can only be approved if it was drawn to its last line, can be trusted, and is still
 * what was drawn. A permission that goes beyond this one use has to be typed. */
#ifndef UI_DECIDE_APPROVE_H
#define UI_DECIDE_APPROVE_H

#include "mail/protocol/decision.h"
#include "ui/decide/request_view.h"

/* Performs APPROVE, AMEND, REJECT, GRANT, GRANT_SESSION, GRANT_PATTERN, DENY, SUGGESTION and
 * PLAN_FILE for the request that the screen shows; false if the action is none of these. */
bool approve_act(struct screen *screen, struct request_page *shown, const struct message *request,
                 enum action action, struct span argument);

/* Reports why an action is refused. A person who expects a prompt for a reason types one: those
 * keys are ignored for a second. */
void approve_refuse(struct ui *ui, enum action action, const char *why);

/* Finds the decision that an action means for a request of that kind; false, with a sentence, if
 * there is none. `err` may be NULL. */
bool approve_decision_of(enum action action, enum kind kind, enum decision *decision,
                         struct err *err);

/* True if such an action applies to the request; NULL: none is selected. */
bool approve_offers(const struct message *request, enum action action);

/* True unless the decision is a yes and nobody is at the terminal: input from a pipe cannot
 * approve. */
bool approve_is_persons(const struct ui *ui, enum decision decision, struct err *err);

#endif
