/* Changes of messages: their status and the archive, with undo. */
#ifndef UI_CHANGE_STATUS_H
#define UI_CHANGE_STATUS_H

#include "ui/ui.h"

/* Begins to give the messages this status; `keys` are keys of the picture. Shows the outcome, which
 * can be undone. `left` is the number of messages left out because they were written to others; the
 * outcome mentions them. */
void change_begin(struct ui *ui, const struct span_list *keys, enum status status, size_t left);
/* Like change_begin(), but restores the messages from the archive. */
void change_restore(struct ui *ui, const struct span_list *keys);

#endif
