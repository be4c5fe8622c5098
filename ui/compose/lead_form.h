/* The forms of lead commands. These are sent with a record in the ledger. */
#ifndef UI_COMPOSE_LEAD_FORM_H
#define UI_COMPOSE_LEAD_FORM_H

#include "ui/compose/form.h"

extern const struct form_spec shutdown_spec, mode_spec, assign_spec, rules_spec, escalate_spec;

/* Opens the form of SHUTDOWN, MODE, ASSIGN, RULES or ESCALATE, for the agent or team in the
 * argument or, without one, for the selected agent or the author of the selected message; false if
 * the action is none of these. */
bool lead_form_act(struct ui *ui, enum action action, struct span argument);

#endif
