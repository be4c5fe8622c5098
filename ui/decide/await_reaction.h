/* Reactions: evidence that an agent has noticed a decision. */
#ifndef UI_DECIDE_AWAIT_REACTION_H
#define UI_DECIDE_AWAIT_REACTION_H

#include "store/decide/decide.h"
#include "ui/ui.h"

/* Waits for the agent to react to a decision that was sent. `label` is the name of the decision for
 * the person. */
void reaction_await(struct ui *ui, const struct deciding *it, struct span label);
/* Must be called with each new message. If it is a reaction, reports it to the person and notes it
 * in the ledger. */
void reaction_seen(struct ui *ui, const struct message *message);
/* Stops waiting for all reactions. */
void reactions_free(struct ui *ui);

#endif
