/* Rendering the delivery status of messages that we sent. */
#ifndef MAIL_RENDER_RENDER_SENT_H
#define MAIL_RENDER_RENDER_SENT_H

#include "mail/render/render.h"
#include "mail/sent/delivery_status.h"

/* Writes one line for each of the first `things` things. Lines are cut to `columns`; 0 cuts
 * nothing. */
void render_delivery_statuses(struct str *out, const struct delivery_statuses *statuses,
                              size_t things, size_t columns, const struct render_options *style);
/* Appends the state of the thing that starts at `first`: a word, or how many recipients are in each
 * state. */
void render_delivery_state(struct str *out, const struct delivery_statuses *statuses, size_t first);
/* Writes one thing with a line for each recipient. */
void render_delivery(struct str *out, const struct delivery_statuses *statuses, uint32_t thing,
                     const struct render_options *style);
/* Writes one line of JSON. */
void render_delivery_json(struct str *out, const struct delivery_status *delivery,
                          const char *format, struct span source);

#endif
