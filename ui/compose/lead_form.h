/* Orders, what only a lead sends: their forms. They go out through the ledger. */
#ifndef UI_COMPOSE_LEAD_FORM_H
#define UI_COMPOSE_LEAD_FORM_H

#include "ui/compose/form.h"

extern const struct form_spec shutdown_spec, mode_spec, assign_spec, rules_spec, escalate_spec;

/* Opens the form of SHUTDOWN, MODE, ASSIGN, RULES or ESCALATE, for the agent or team of the
 * argument or, without one, for the agent that is selected or wrote what is; false when the action
 * is none of these. */
bool lead_form_act(struct ui *ui, enum action action, struct span argument);

#endif
