/* Writing to all of a team: the form. */
#ifndef UI_COMPOSE_BROADCAST_FORM_H
#define UI_COMPOSE_BROADCAST_FORM_H

#include "ui/compose/form.h"

extern const struct form_spec broadcast_spec;

/* Opens it for that team or, when that is absent, for the team of what is selected, or the only one
 * that there is. */
void broadcast_open(struct ui *ui, struct span team);

#endif
