/* Answers that were found in mailboxes and were not sent from here, in the local state: when each
 * was found first, and since when a source is used. */
#ifndef STORE_STATE_ANSWERS_H
#define STORE_STATE_ANSWERS_H

#include "store/state/state.h"

/* A source as one viewer uses it. Borrowed. */
struct state_source {
    const char *format, *root;
    struct span viewer;
};

/* Records the use of the source, unless it is recorded already. */
bool state_note_use(struct state *state, const struct state_source *source, int64_t now_us,
                    struct err *err);

/* The recorded answers of one source. Zero-initialised is empty and valid. */
struct state_answers {
    int64_t first_us; /* when it was used first; TIME_NONE if not recorded */
    bool looked;      /* its answers were searched before */
    struct arena arena;
    struct map map; /* by state_answer_key(): the number of an item */
    int64_t *found_us;
    size_t count, cap;
};

/* Appends the key of an answer to a request, from their ids in the source. */
void state_answer_key(struct str *out, struct span team, struct span request, struct span answer);

/* Reads the answers. Replaces `out`; the caller frees it, also after a failure. */
bool state_answers(struct state *state, const struct state_source *source,
                   struct state_answers *out, struct err *err);
void state_answers_free(struct state_answers *answers);
/* Returns when that answer was found first, 0 for history; TIME_NONE if it is not recorded. */
int64_t state_answers_find(const struct state_answers *answers, struct span key);

/* An answer that is found for the first time. Borrowed. */
struct state_answer {
    struct span key;
    int64_t found_us;
};

/* Records the answers, and that the source was searched, in one transaction. */
bool state_note_answers(struct state *state, const struct state_source *source,
                        const struct state_answer *items, size_t count, int64_t now_us,
                        struct err *err);

#endif
