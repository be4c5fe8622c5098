/* Rendering handoffs: a list for people and lines for programs. */
#ifndef MAIL_RENDER_RENDER_HANDOFF_H
#define MAIL_RENDER_RENDER_HANDOFF_H

#include "mail/handoff/handoff_status.h"
#include "mail/render/render.h"

struct render_handoffs {
    const struct handoff_list *handoffs;
    const struct handoff_status *const *handoff_list;
    size_t count;
    size_t columns; /* of the screen, to which lines are cut; 0: none */
};

/* Writes one line each: the age of the offer, its state, giver and taker, the subject, the evidence
 * with the earlier holders of the work, and the id. */
void render_handoffs(struct str *out, const struct render_handoffs *list,
                     const struct render_options *style);

/* Writes one line of JSON. */
void render_handoff_status_json(struct str *out, const struct handoff_list *handoffs,
                                const struct handoff_status *handoff_status, const char *format,
                                struct span source, int64_t now_us);

#endif
