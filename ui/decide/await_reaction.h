/* Reactions: what shows that an agent has heard of a decision. */
#ifndef UI_DECIDE_AWAIT_REACTION_H
#define UI_DECIDE_AWAIT_REACTION_H

#include "store/decide/decide.h"
#include "ui/ui.h"

/* Waits for the agent to react to a decision that was sent; the label is what the person knows it
 * by. */
void reaction_await(struct ui *ui, const struct deciding *it, struct span label);
/* To be called with each message that comes: if it is a reaction the ledger is told, and the
 * person.
 */
void reaction_seen(struct ui *ui, const struct message *message);
/* Waits no longer. */
void reactions_free(struct ui *ui);

#endif
