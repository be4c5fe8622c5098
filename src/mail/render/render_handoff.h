/* Rendering handoffs: a list for people and lines for programs. */
#ifndef MAIL_RENDER_RENDER_HANDOFF_H
#define MAIL_RENDER_RENDER_HANDOFF_H

#include "mail/handoff/handoff_status.h"
#include "mail/render/render.h"

struct render_handoffs {
    const struct handoff_list *handoffs;
    const struct handoff_status *const *handoff_list;
    size_t count;
    size_t columns; /* of the screen, which lines are cut to; 0: none */
};

/* One line each: how long ago it was offered, its state, from whom to whom, the subject, the
 * evidence with who had the work before, and the id. */
void render_handoffs(struct str *out, const struct render_handoffs *list,
                     const struct render_options *style);

/* One line of JSON. */
void render_handoff_status_json(struct str *out, const struct handoff_list *handoffs,
                                const struct handoff_status *handoff_status, const char *format,
                                struct span source, int64_t now_us);

#endif
