/* Rendering events: one line each, for people who follow the mail. */
#ifndef MAIL_RENDER_RENDER_EVENT_H
#define MAIL_RENDER_RENDER_EVENT_H

#include "mail/agent/agent.h"
#include "mail/render/render.h"

struct render_watch {
    const char *event;
    const struct message *message;
    struct span asked; /* the request on one line; absent: taken from the message */
    bool state;        /* show the current status */
    size_t columns;    /* of the screen, to which the line is cut; 0: none */
};

/* Writes the time, the event, sender and recipient, the kind, the subject, the status, and the id,
 * which is cut last. The person is "you". */
void render_watch(struct str *out, const struct render_watch *what,
                  const struct render_options *style);

/* Writes a line about an agent that may be stuck, with the evidence. */
void render_watch_stuck(struct str *out, struct span agent, struct span why, size_t columns,
                        const struct render_options *style);

/* Writes an object made by render_json() or render_agent_json(), with its newline, and inserts the
 * event after the version. */
void render_watch_json(struct str *out, const char *event, const struct str *object);
/* Writes an agent as a line of JSON. `source` is absolute. */
void render_agent_json(struct str *out, const struct agents *agents, const struct agent *agent,
                       const struct model *model, const char *format, struct span source,
                       int64_t now_us);

#endif
