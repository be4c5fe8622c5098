/* Rendering what became of messages that we sent. */
#ifndef MAIL_RENDER_RENDER_SENT_H
#define MAIL_RENDER_RENDER_SENT_H

#include "mail/render/render.h"
#include "mail/sent/delivery_status.h"

/* One line for each of the first things. With `columns` lines are cut to that width; 0 cuts
 * nothing. */
void render_delivery_statuses(struct str *out, const struct delivery_statuses *statuses,
                              size_t things, size_t columns, const struct render_options *style);
/* Appends what became of the thing that starts there: a word, or how many have come how far. */
void render_delivery_state(struct str *out, const struct delivery_statuses *statuses, size_t first);
/* One thing with a line for each recipient. */
void render_delivery(struct str *out, const struct delivery_statuses *statuses, uint32_t thing,
                     const struct render_options *style);
/* One line of JSON. */
void render_delivery_json(struct str *out, const struct delivery_status *delivery,
                          const char *format, struct span source);

#endif
