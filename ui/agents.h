/* The agents: who is stuck, who waits, and why. */
#ifndef UI_AGENTS_H
#define UI_AGENTS_H

#include "ui/ui.h"

struct screen *agents_view_new(struct ui *ui);

#endif
