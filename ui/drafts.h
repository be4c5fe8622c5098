/* Drafts and outbox: what was written and is not sent, what was sent and is not there, and what
 * became of the rest. */
#ifndef UI_DRAFTS_H
#define UI_DRAFTS_H

#include "ui/ui.h"

struct screen *drafts_new(struct ui *ui);

#endif
