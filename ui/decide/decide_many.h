/* Deciding several requests at once, after the person has read all of them in full. */
#ifndef UI_DECIDE_DECIDE_MANY_H
#define UI_DECIDE_DECIDE_MANY_H

#include "ui/ui.h"

/* Opens a screen with these requests (keys of the snapshot). The same action, after its last line
 * was on the screen, decides them. */
void decide_many_open(struct ui *ui, enum action action, const struct span_list *keys);

#endif
