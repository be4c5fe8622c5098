/* Small things in the local state: messages that are put aside until later, lines to remember, and
 * how often what has changed. */
#ifndef STORE_STATE_SNOOZE_HISTORY_H
#define STORE_STATE_SNOOZE_HISTORY_H

#include "store/state/state.h"

/* A message that one viewer does not want to see before a moment. Borrowed. */
struct snooze {
    struct state_key key;
    struct span viewer;
    int64_t until_us; /* TIME_NONE: to be seen again */
};

/* Sets all of them, in one transaction, and forgets those of anybody that are past. */
bool state_snooze(struct state *state, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err);

/* All that lie ahead, of all sources and viewers. Zero-initialised is empty and valid. */
struct snoozes {
    struct arena arena;
    struct map map;
    int64_t *until_us;
    size_t count, cap;
};

/* Replaces `out`; the caller frees it, also after a failure. */
bool state_snoozes(struct state *state, int64_t now_us, struct snoozes *out, struct err *err);
/* Until when the message is put aside; TIME_NONE when it is not. It may be past by now. */
int64_t snoozes_find(const struct snoozes *snoozes, const struct state_key *key,
                     struct span viewer);
/* The first moment at which one of them ends; TIME_NONE without any. */
int64_t snoozes_next_us(const struct snoozes *snoozes);
void snoozes_free(struct snoozes *snoozes);

/* Keeps a text under a name; the last one wins. */
bool state_keep(struct state *state, struct span name, struct span text, struct err *err);
/* Replaces `text` by what is kept under that name; nothing is kept as nothing. */
bool state_kept(struct state *state, struct span name, struct str *text, struct err *err);

/* Parts of the state that are of interest for different reasons. */
enum tally {
    TALLY_MAIL,   /* marks and copies */
    TALLY_OUTBOX, /* what is on its way */
    TALLY_KEPT,   /* drafts and snoozes */
    TALLY_COUNT,
};

/* How often each has been changed, by anybody. */
bool state_tally(struct state *state, int64_t tally[TALLY_COUNT], struct err *err);

#endif
