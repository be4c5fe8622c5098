/* The form for writing to all agents of a team. */
#ifndef UI_COMPOSE_BROADCAST_FORM_H
#define UI_COMPOSE_BROADCAST_FORM_H

#include "ui/compose/form.h"

extern const struct form_spec broadcast_spec;

/* Opens the form for that team or, if it is absent, for the team of the selected message or agent,
 * or for the only team. */
void broadcast_open(struct ui *ui, struct span team);

#endif
