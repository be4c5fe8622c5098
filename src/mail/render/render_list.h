/* Rendering talks and asks: lists for people and lines for programs. */
#ifndef MAIL_RENDER_RENDER_LIST_H
#define MAIL_RENDER_RENDER_LIST_H

#include "mail/render/render.h"
#include "mail/thread/inbox_order.h"

struct render_conversations {
    const struct conversations *conversations;
    const struct attention *order;
    size_t most;    /* no more lines than this, headings aside */
    size_t columns; /* of the screen, which lines are cut to; 0: none */
    bool headings;  /* a line before each group */
};

/* One line a talk: a mark (! for what needs the person, N for mail to read), how long it waits or
 * since when nothing was said, with whom, the kind, the subject, the number of messages, and in
 * words what it waits for. */
void render_conversations(struct str *out, const struct render_conversations *list,
                          const struct render_options *style);

/* One line of it in parts, all cleaned, for whoever draws it. Zero-initialised is empty and valid;
 * to be filled again as often as needed. */
struct conversation_line {
    enum inbox_order_group group;
    char mark;
    const char *word; /* the kind, or what is wrong */
    struct str age, who, subject, tail;
};
void conversation_line_fill(struct conversation_line *line, const struct render_conversations *list,
                            const struct conversation *conversation,
                            const struct render_options *style);
void conversation_line_free(struct conversation_line *line);
/* How wide the column of names is to be for the first `most` of the list. */
size_t conversation_who_width(const struct render_conversations *list,
                              const struct render_options *style);

/* What a group is called. */
extern const char *const inbox_order_titles[INBOX_ORDER_GROUPS];

/* One line of JSON; see swarmutt-json(5). */
void render_conversation_json(struct str *out, const struct conversations *conversations,
                              const struct conversation *conversation, int64_t now_us);

/* Requests, one line each: how long it waits, who asks (and with show_to who is asked), the kind,
 * what is asked, and the id, which is cut last. */
struct render_asks {
    struct message *const *messages; /* with data where there is any */
    size_t count;
    const struct span *notes; /* for each of them a few words on what to look out for; or NULL */
    size_t columns;
    bool show_to;
};
void render_asks(struct str *out, const struct render_asks *list,
                 const struct render_options *style);

/* What is to be known of a request before it is decided. */
struct ask_facts {
    const struct span_list *flags;
    struct span refusal; /* why it must not be said yes to; absent: nothing hinders */
    struct span sha256;  /* of its bytes; absent when they cannot be had */
    bool alarm;          /* it is an order, or was answered in our name, and that is not ours */
    const struct message *answer; /* that was found and not sent from here; or NULL */
    struct span answer_path;
};

/* One line of JSON: that of render_json() with the keys kind, agent, asked, waiting_s, flags,
 * refusal and sha256; alarm where it is one, answered_elsewhere and answer where there is one. */
void render_ask_json(struct str *out, const struct message *message, const struct ask_facts *facts,
                     const char *format, struct span source, struct span path, int64_t now_us);

#endif
