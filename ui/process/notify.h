/* The ways by which the person is called: the bell, the terminal, and tmux. */
#ifndef UI_PROCESS_NOTIFY_H
#define UI_PROCESS_NOTIFY_H

#include "mail/query/query.h"
#include "store/config/config.h"
#include "ui/ui.h"

void notify_ring(struct ui *ui, enum config_channel channel, struct span text);

/* The words that ask tmux which terminal is behind it, and those before a text that it shows; NULL
 * ends them. What such a text starts with. */
extern const char *const notify_tmux_ask[], *const notify_tmux_tell[];
extern const char notify_tmux_start[];

/* Notifications: how the person is called, and when. Pure: who calls it rings. No curses.
 *
 * What happens is piled up for each way that wants it, and a way is used once for all that lies on
 * its pile; then it rests for a while, so that a storm of mail is no storm of bells. */

/* For so long. */
#define NOTIFY_REST_US INT64_C(2000000)

enum notify_event {
    NOTIFY_NEW,     /* a message came */
    NOTIFY_WAITING, /* a request has come to wait for the person */
    NOTIFY_STUCK,   /* an agent may have become stuck */
    NOTIFY_EVENTS,
};

struct notify_tiding {
    enum notify_event event;
    const struct message *message; /* NULL with NOTIFY_STUCK */
    struct query_context context;  /* of the message */
    struct span who, what;         /* for who reads it; text of others */
};

/* Behind the channels of the config: a line of text, for who has no screen. */
enum { NOTIFY_LINE = CONFIG_CHANNEL_COUNT, NOTIFY_WAYS };

struct notify_pile {
    size_t counts[NOTIFY_EVENTS];
    struct str first; /* who and what, of the first */
    int64_t rest_until_us;
};

/* Zero-initialised is empty and valid. */
struct notify {
    bool line; /* only the line is used */
    struct notify_pile piles[NOTIFY_WAYS];
};

void notify_free(struct notify *notify);

/* Puts it on the piles of all ways that want it. */
void notify_add(struct notify *notify, const struct config *config,
                const struct notify_tiding *tiding);

/* In how many microseconds some channel is to be used, by the steady clock; TIME_NONE: none. The
 * line is never due by itself. */
int64_t notify_due_us(const struct notify *notify, int64_t now_us);
/* Whether the way is to be used now: appends what is to be said, cleaned and short, and clears its
 * pile. */
bool notify_take(struct notify *notify, unsigned way, int64_t now_us, unsigned clean,
                 struct str *text);

/* --- how terminals are told --- */

enum notify_sequence { NOTIFY_SEQUENCE_NONE, NOTIFY_OSC_9, NOTIFY_OSC_777 };

/* Which one a terminal is known for, by $TERM and $TERM_PROGRAM, each may be NULL. */
enum notify_sequence notify_sequence_of(const char *term, const char *program);
/* Appends the sequence for a cleaned text; inside tmux in an envelope, which it hands through. */
void notify_add_sequence(struct str *out, enum notify_sequence sequence, struct span text,
                         bool in_tmux);
/* Appends the text so that nothing in it means something to tmux. */
void notify_add_tmux(struct str *out, struct span text);

#endif
