/* Decide: the queue of what waits for the person, each request in full. */
#ifndef UI_DECIDE_H
#define UI_DECIDE_H

#include "ui/ui.h"

struct screen *decide_new(struct ui *ui);

#endif
