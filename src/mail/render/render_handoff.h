/* Rendering handoffs: a list for people and lines for programs. */
#ifndef MAIL_RENDER_RENDER_HANDOFF_H
#define MAIL_RENDER_RENDER_HANDOFF_H

#include "mail/handoff/handoff_status.h"
#include "mail/render/render.h"

struct render_courses {
    const struct courses *handoffs;
    const struct course *const *courses;
    size_t count;
    size_t columns; /* of the screen, which lines are cut to; 0: none */
};

/* One line each: how long ago it was offered, its state, from whom to whom, the subject, the
 * evidence with who had the work before, and the id. */
void render_courses(struct str *out, const struct render_courses *list,
                    const struct render_style *style);

/* One line of JSON. */
void render_course_json(struct str *out, const struct courses *handoffs,
                        const struct course *course, const char *format, struct span source,
                        int64_t now_us);

#endif
