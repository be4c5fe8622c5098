/* Handing work over: the form, and what it starts with. */
#ifndef UI_COMPOSE_HANDOFF_FORM_H
#define UI_COMPOSE_HANDOFF_FORM_H

#include "ui/compose/form.h"

extern const struct form_spec handoff_spec;

/* Opens the form for the work of that agent or, when it is absent, of the one that is selected, or
 * who wrote the selected conversation last. */
void handoff_open(struct ui *ui, struct span agent);

/* --- between the two files of it --- */

enum { HANDOFF_QUOTED = 3 };

/* Whose work it is and what it is about, in the present picture. */
struct handing {
    const struct agent *agent;   /* NULL: nobody who is known */
    const struct message *about; /* NULL: the agent's work at large */
};

#endif
