/* The flow: who talks to whom, how much of late, and who waits for whom. */
#ifndef UI_FLOW_H
#define UI_FLOW_H

#include "ui/ui.h"

struct screen *flow_view_new(struct ui *ui);

#endif
