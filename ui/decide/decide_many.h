/* Deciding several requests at once, after the list of exactly what is decided was read. */
#ifndef UI_DECIDE_DECIDE_MANY_H
#define UI_DECIDE_DECIDE_MANY_H

#include "ui/ui.h"

/* Opens that list for what the action stands for; keys of the picture. The same keys, pressed there
 * after its last line was on the screen, decide. */
void decide_many_open(struct ui *ui, enum action action, const struct span_list *keys);

#endif
