/* Changing messages: their status and the archive, with a way back. */
#ifndef UI_CHANGE_STATUS_H
#define UI_CHANGE_STATUS_H

#include "ui/ui.h"

/* Begins to bring these messages, keys of the picture, into that status. What comes of it is said,
 * and can be taken back; so is how many were meant too and are `left` because they were written to
 * others. */
void change_begin(struct ui *ui, const struct span_list *keys, enum status status, size_t left);
/* The same for bringing them back out of the archive. */
void change_restore(struct ui *ui, const struct span_list *keys);

#endif
