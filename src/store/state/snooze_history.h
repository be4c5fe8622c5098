/* Small parts of the local state: snoozed messages, saved lines, and counts of changes. */
#ifndef STORE_STATE_SNOOZE_HISTORY_H
#define STORE_STATE_SNOOZE_HISTORY_H

#include "store/state/state.h"

/* A message that one viewer does not want to see before a time. Borrowed. */
struct snooze {
    struct state_key key;
    struct span viewer;
    int64_t until_us; /* TIME_NONE: end the snooze */
};

/* Sets all of them, in one transaction, and removes the snoozes of all viewers that are past. */
bool state_snooze(struct state *state, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err);

/* The snoozes of all sources and viewers that end in the future. Zero-initialised is empty and
 * valid. */
struct snoozes {
    struct arena arena;
    struct map map;
    int64_t *until_us;
    size_t count, cap;
};

/* Reads the snoozes. Replaces `out`; the caller frees it, also after a failure. */
bool state_snoozes(struct state *state, int64_t now_us, struct snoozes *out, struct err *err);
/* Returns the time until which the message is snoozed; TIME_NONE if it is not. The time may have
 * passed since. */
int64_t snoozes_find(const struct snoozes *snoozes, const struct state_key *key,
                     struct span viewer);
/* Returns the time at which the first of them ends; TIME_NONE if there are none. */
int64_t snoozes_next_us(const struct snoozes *snoozes);
void snoozes_free(struct snoozes *snoozes);

/* Saves a text under a name, replacing the old one. */
bool state_keep(struct state *state, struct span name, struct span text, struct err *err);
/* Replaces `text` with the text saved under that name; empty if there is none. */
bool state_kept(struct state *state, struct span name, struct str *text, struct err *err);

/* Areas of the state whose changes are counted separately. */
enum state_counter {
    TALLY_MAIL,   /* marks and copies */
    TALLY_OUTBOX, /* the outbox */
    TALLY_KEPT,   /* drafts and snoozes */
    TALLY_COUNT,
};

/* Reads how often each area has been changed, by any process. */
bool state_tally(struct state *state, int64_t tally[TALLY_COUNT], struct err *err);

#endif
