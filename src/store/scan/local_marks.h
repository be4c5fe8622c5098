/* The overlay: our own marks and kept copies, applied to what the mailboxes say. */
#ifndef STORE_SCAN_LOCAL_MARKS_H
#define STORE_SCAN_LOCAL_MARKS_H

#include "store/source/source.h"
#include "store/state/state.h"

/* Zero-initialised, it changes nothing. */
struct local_marks {
    const struct source *source;
    struct state *state;
    struct span viewer;
    struct marks marks;
};

/* Reads the marks that the viewer has made in the source. `state` may be NULL. */
bool local_marks_open(struct local_marks *overlay, const struct source *source, struct state *state,
                      struct span viewer, struct err *err);
void local_marks_free(struct local_marks *overlay);

/* Gives each message from `first` on the state that the viewer has marked, and drops those that
 * were archived locally: their copies are the archive. */
void local_marks_apply(const struct local_marks *overlay, struct batch *batch, size_t first);

/* Appends the viewer's copies as messages of the archive: all, those of one team and box, or only
 * the one with that id. Absent spans match any. */
bool local_marks_copies(const struct local_marks *overlay, struct span team, struct span box,
                        struct span id, unsigned want, struct batch *batch, struct err *err);

/* local_marks_shows() is true if the viewer sees that copy; local_marks_copy() appends one copy as
 * a message of the archive, whoever sees it. */
bool local_marks_shows(const struct local_marks *overlay, const struct copy *copy);
bool local_marks_copy(const struct local_marks *overlay, const struct copy *copy, unsigned want,
                      struct batch *batch, struct err *err);
/* Returns the place of a copy, allocated in the arena. */
struct place *local_marks_copy_place(const struct source *source, const struct copy *copy,
                                     struct arena *arena);

/* Replaces `bytes` with those of a message that exists only as a copy. */
bool local_marks_raw(const struct local_marks *overlay, const struct message *message,
                     struct str *bytes, struct err *err);

/* Returns a hash of marks and copies: equal as long as they have not changed. */
uint64_t local_marks_print(const struct local_marks *overlay);

/* Returns the key of the message in the state. */
struct state_key local_marks_key(const struct source *source, const struct message *message);
/* Returns the mark of the message, NULL if there is none; borrowed from the marks. Marks that were
 * made without a content apply to any message with that id. */
const struct mark *local_marks_mark(const struct marks *marks, const struct message *message);

/* True if these bytes of a copy are of that message, not of another one with its id. */
bool local_marks_is_copy_of(const struct source *source, const struct copy *copy, struct span bytes,
                            const struct message *message);

#endif
