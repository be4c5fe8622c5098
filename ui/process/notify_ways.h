/* The ways by which the person is called: the bell, the terminal, and tmux. */
#ifndef UI_PROCESS_NOTIFY_WAYS_H
#define UI_PROCESS_NOTIFY_WAYS_H

#include "ui/ui.h"

void notify_ring(struct ui *ui, enum config_channel channel, struct span text);

/* The words that ask tmux which terminal is behind it, and those before a text that it shows; NULL
 * ends them. What such a text starts with. */
extern const char *const notify_tmux_ask[], *const notify_tmux_tell[];
extern const char notify_tmux_start[];

#endif
