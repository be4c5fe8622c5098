/* Handing work over: the form, and the values that it starts with. */
#ifndef UI_COMPOSE_HANDOFF_FORM_H
#define UI_COMPOSE_HANDOFF_FORM_H

#include "ui/compose/form.h"

extern const struct form_spec handoff_spec;

/* Opens the form for the work of that agent. If `agent` is absent, it is the selected agent, or the
 * last author in the selected conversation. */
void handoff_open(struct ui *ui, struct span agent);

/* Number of messages that it quotes. */
enum { HANDOFF_QUOTED = 3 };

#endif
