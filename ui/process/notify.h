/* The ways to call the person: the bell, the terminal, and tmux. */
#ifndef UI_PROCESS_NOTIFY_H
#define UI_PROCESS_NOTIFY_H

#include "mail/query/query.h"
#include "store/config/config.h"
#include "ui/ui.h"

void notify_ring(struct ui *ui, enum config_channel channel, struct span text);

/* The words that ask tmux for its terminal, the words before a text that tmux shows (NULL ends
 * both), and the start of each such text. */
extern const char *const notify_tmux_ask[], *const notify_tmux_tell[];
extern const char notify_tmux_start[];

/* Notifications: when and with which text to call the person. Pure: the caller rings. No curses.
 *
 * Events are collected for each way that wants them. One call reports all that were collected; then
 * the way rests for a while, so that a storm of mail is no storm of bells. */

/* Time for which a way rests. */
#define NOTIFY_REST_US INT64_C(2000000)

enum notify_event {
    NOTIFY_NEW,     /* a message arrived */
    NOTIFY_WAITING, /* a request has begun to wait for the person */
    NOTIFY_STUCK,   /* an agent may have become stuck */
    NOTIFY_EVENTS,
};

struct notify_event_info {
    enum notify_event event;
    const struct message *message; /* NULL with NOTIFY_STUCK */
    struct query_context context;  /* for the query, of the message */
    struct span who, what;         /* words for the person; untrusted */
};

/* One more way after the channels of the config: a line of text, if there is no screen. */
enum { NOTIFY_LINE = CONFIG_CHANNEL_COUNT, NOTIFY_WAYS };

struct notify_pile {
    size_t counts[NOTIFY_EVENTS];
    struct str first; /* who and what of the first event */
    int64_t rest_until_us;
};

/* Zero-initialised is empty and valid. */
struct notify {
    bool line; /* use only NOTIFY_LINE */
    struct notify_pile piles[NOTIFY_WAYS];
};

void notify_free(struct notify *notify);

/* Adds the event to the piles of all ways that want it. */
void notify_add(struct notify *notify, const struct config *config,
                const struct notify_event_info *tiding);

/* Returns in how many microseconds a channel is to be used, by the steady clock; TIME_NONE: none.
 * NOTIFY_LINE is never due by itself. */
int64_t notify_due_us(const struct notify *notify, int64_t now_us);
/* Reports whether the way is to be used now: then appends the text, cleaned and short, and clears
 * its pile. */
bool notify_take(struct notify *notify, unsigned way, int64_t now_us, unsigned clean,
                 struct str *text);

/* --- sequences of terminals --- */

enum notify_sequence { NOTIFY_SEQUENCE_NONE, NOTIFY_OSC_9, NOTIFY_OSC_777 };

/* Returns the sequence that the terminal supports, by $TERM and $TERM_PROGRAM, each of which may be
 * NULL. */
enum notify_sequence notify_sequence_of(const char *term, const char *program);
/* Appends the sequence for a cleaned text; inside tmux in an envelope, which tmux passes
 * through. */
void notify_add_sequence(struct str *out, enum notify_sequence sequence, struct span text,
                         bool in_tmux);
/* Appends the text so that nothing in it is special to tmux. */
void notify_add_tmux(struct str *out, struct span text);

#endif
