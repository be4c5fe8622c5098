/* Rendering talks and asks: lists for people and lines for programs. */
#ifndef MAIL_RENDER_TALK_H
#define MAIL_RENDER_TALK_H

#include "mail/attention.h"
#include "mail/render.h"

struct render_talks {
    const struct talks *talks;
    const struct attention *order;
    size_t most;    /* no more lines than this, headings aside */
    size_t columns; /* of the screen, which lines are cut to; 0: none */
    bool headings;  /* a line before each group */
};

/* One line a talk: a mark (! for what needs the person, N for mail to read), how long it waits or
 * since when nothing was said, with whom, the kind, the subject, the number of messages, and in
 * words what it waits for. */
void render_talks(struct str *out, const struct render_talks *list,
                  const struct render_style *style);

/* One line of JSON; see swarmutt(1). */
void render_talk_json(struct str *out, const struct talks *talks, const struct talk *talk,
                      int64_t now_us);

/* Requests, one line each: how long it waits, who asks (and with show_to who is asked), the kind,
 * what is asked, and the id, which is cut last. */
struct render_asks {
    struct message *const *messages; /* with data where there is any */
    size_t count;
    size_t columns;
    bool show_to;
};
void render_asks(struct str *out, const struct render_asks *list, const struct render_style *style);

/* One line of JSON: that of render_json() with the keys kind, agent, asked and waiting_s. */
void render_ask_json(struct str *out, const struct message *message, const char *format,
                     struct span source, struct span path, int64_t now_us);

#endif
