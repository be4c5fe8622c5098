/* The overlay: our own marks and kept copies, laid over what the mailboxes say. */
#ifndef STORE_SCAN_LOCAL_MARKS_H
#define STORE_SCAN_LOCAL_MARKS_H

#include "store/source/source.h"
#include "store/state/state.h"

/* Zero-initialised lays nothing over anything. */
struct overlay {
    const struct source *source;
    struct state *state;
    struct span viewer;
    struct marks marks;
};

/* Reads the marks that the viewer has made in the source. `state` may be NULL. */
bool local_marks_open(struct overlay *overlay, const struct source *source, struct state *state,
                      struct span viewer, struct err *err);
void local_marks_free(struct overlay *overlay);

/* Gives each message from `first` on the state it has in the viewer's eyes, and takes those away
 * that were put away here: their copies are the archive. */
void local_marks_apply(const struct overlay *overlay, struct batch *batch, size_t first);

/* Appends the viewer's copies as messages of the archive: all, of one team and box, or only the one
 * with that id. Absent spans: any. */
bool local_marks_copies(const struct overlay *overlay, struct span team, struct span box,
                        struct span id, unsigned want, struct batch *batch, struct err *err);

/* Whether the viewer sees that copy; and one copy as a message of the archive, whoever sees it. */
bool local_marks_shows(const struct overlay *overlay, const struct copy *copy);
bool local_marks_copy(const struct overlay *overlay, const struct copy *copy, unsigned want,
                      struct batch *batch, struct err *err);
/* Where a copy stands, in the arena. */
struct place *local_marks_copy_place(const struct source *source, const struct copy *copy,
                                     struct arena *arena);

/* Replaces `bytes` by those of a message that is only a copy. */
bool local_marks_raw(const struct overlay *overlay, const struct message *message,
                     struct str *bytes, struct err *err);

/* Tells whether marks or copies have changed: the same as long as they have not. */
uint64_t local_marks_print(const struct overlay *overlay);

/* How the state calls the message. */
struct state_key local_marks_key(const struct source *source, const struct message *message);
/* What was noted on the message, NULL for nothing; borrowed from the marks. Marks that were made
 * when only ids were known count for whatever has the id. */
const struct mark *local_marks_mark(const struct marks *marks, const struct message *message);

/* Whether these are the bytes of a copy of that message, and not of another one of its id. */
bool local_marks_is_copy_of(const struct source *source, const struct copy *copy, struct span bytes,
                            const struct message *message);

#endif
