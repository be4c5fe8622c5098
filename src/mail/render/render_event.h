/* Rendering what happens: one line an event, for people who follow it. */
#ifndef MAIL_RENDER_RENDER_EVENT_H
#define MAIL_RENDER_RENDER_EVENT_H

#include "mail/agent/agent.h"
#include "mail/render/render.h"

struct render_watch {
    const char *event;
    const struct message *message;
    struct span asked; /* what it asks for, on one line; absent: told from the message */
    bool state;        /* tell the state that it has now */
    size_t columns;    /* of the screen, which the line is cut to; 0: none */
};

/* When, what, from whom to whom, the kind, the subject, the state, and the id, which is cut last.
 * The person is "you". */
void render_watch(struct str *out, const struct render_watch *what,
                  const struct render_options *style);

/* The same for an agent that may be stuck, with the evidence. */
void render_watch_stuck(struct str *out, struct span agent, struct span why, size_t columns,
                        const struct render_options *style);

/* For programs: an object that render_json() or the next one has made, a line, with the event put
 * in behind the version. */
void render_watch_json(struct str *out, const char *event, const struct str *object);
/* An agent as a line. `source` is absolute. */
void render_agent_json(struct str *out, const struct agents *agents, const struct agent *agent,
                       const struct model *model, const char *format, struct span source,
                       int64_t now_us);

#endif
