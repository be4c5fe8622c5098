/* Rendering conversations and requests: lists for people and lines for programs. */
#ifndef MAIL_RENDER_RENDER_LIST_H
#define MAIL_RENDER_RENDER_LIST_H

#include "mail/render/render.h"
#include "mail/thread/inbox_order.h"

struct render_conversations {
    const struct conversations *conversations;
    const struct attention *order;
    size_t most;    /* maximum number of lines, not counting headings */
    size_t columns; /* of the screen, to which lines are cut; 0: none */
    bool headings;  /* a line before each group */
};

/* Writes one line for each conversation: a mark (! for one that needs the person, N for mail to
 * read), how long it waits or the age of its last message, the participants, the kind, the subject,
 * the number of messages, and in words what it waits for. */
void render_conversations(struct str *out, const struct render_conversations *list,
                          const struct render_options *style);

/* The parts of one such line, all sanitized. Zero-initialised is empty and valid; may be filled
 * again as often as needed. */
struct conversation_line {
    enum inbox_order_group group;
    char mark;
    const char *word; /* the kind, or "damaged" or "STUCK?" */
    struct str age, who, subject, tail;
};
void conversation_line_fill(struct conversation_line *line, const struct render_conversations *list,
                            const struct conversation *conversation,
                            const struct render_options *style);
void conversation_line_free(struct conversation_line *line);
/* Returns the width of the column of names for the first `most` conversations of the list. */
size_t conversation_who_width(const struct render_conversations *list,
                              const struct render_options *style);

/* The titles of the groups. */
extern const char *const inbox_order_titles[INBOX_ORDER_GROUPS];

/* Writes one line of JSON; see swarmutt-json(5). */
void render_conversation_json(struct str *out, const struct conversations *conversations,
                              const struct conversation *conversation, int64_t now_us);

/* Requests, one line each: how long it waits, the sender (with show_to also the recipient), the
 * kind, the request, and the id, which is cut last. */
struct render_requests {
    struct message *const *messages; /* with data if there is any */
    size_t count;
    const struct span *notes; /* for each of them a short warning; or NULL */
    size_t columns;
    bool show_to;
};
void render_requests(struct str *out, const struct render_requests *list,
                     const struct render_options *style);

/* The facts about a request that are needed to decide it. */
struct request_facts {
    const struct span_list *flags;
    struct span refusal; /* why it must not be approved; absent: it may be */
    struct span sha256;  /* of its bytes; absent if they cannot be read */
    bool alarm; /* a lead command that is not ours, or a request answered in our name by others */
    const struct message *answer; /* found and not sent from here; or NULL */
    struct span answer_path;
};

/* Writes one line of JSON: that of render_json() with the keys kind, agent, asked, waiting_s,
 * flags, refusal and sha256; `alarm` if it is one, `answered_elsewhere` and `answer` if there is an
 * answer. */
void render_request_json(struct str *out, const struct message *message,
                         const struct request_facts *facts, const char *format, struct span source,
                         struct span path, int64_t now_us);

#endif
