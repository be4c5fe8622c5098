/* Records of changes: what a message was before we changed it and what we wrote, so that the change
 * can be taken back. */
#ifndef STORE_CHANGE_UNDO_H
#define STORE_CHANGE_UNDO_H

#include "mail/message/message.h"
#include "store/change/change.h"
#include "store/change/edit_file.h"
#include "store/state/state.h"

#include <sys/types.h>

struct changed;

/* What was done to a message. */
enum deed {
    CHANGE_KIND_NOTED,  /* a mark of our own, here only */
    CHANGE_KIND_EDITED, /* its file says another state */
    CHANGE_KIND_MARKED, /* its entry in a shared file says that it is read, for good */
    CHANGE_KIND_COPIED, /* a changed copy is in the archive, the inbox file is gone */
    CHANGE_KIND_MOVED,  /* its file is in the archive as it was */
    CHANGE_KIND_TAKEN,  /* its file is gone; copies of all that was in it are kept here */
    CHANGE_KIND_HIDDEN, /* it lies where it was; hidden here, with a copy */
};

struct change_record {
    struct message message; /* its head before the change: as good for another one, once this was
                               taken back; lives as long as the records and the store */
    enum status status;     /* what it became */
    enum deed deed;
    struct span before, after; /* of its file; absent where the deed needs none */
    struct span
        archived_as; /* CHANGE_KIND_COPIED, CHANGE_KIND_MOVED: the name there; empty: another's */
    mode_t mode;     /* of its file */
    struct span viewer; /* whose marks and copies */
    struct mark mark_before, mark_after;
    bool by_others;      /* somebody else put it away at the same moment */
    const char *remains; /* what cannot be taken back, as a sentence; or NULL */
};

/* Those changes of one call that were made. Zero-initialised is empty and valid. */
struct change_records {
    struct arena arena;
    struct change_record *items;
    size_t count, cap;
};

void change_records_free(struct change_records *records);

/* Adds an empty one, of that message. */
struct change_record *change_records_add(struct change_records *records,
                                         const struct message *message);

/* Recording: what changing messages leaves for taking it back, when somebody asked for that. */

/* The records of one change of several messages while it is made. */
struct recording {
    const struct changing *how;
    struct change_record *items; /* one for each message; NULL: nobody asked */
    struct marks marks;          /* as they were before */
};

/* Notes how things are before. */
struct recording undo_recorder_begin(const struct changing *how, size_t count);
/* The same work on one message, to be recorded as that one. */
struct changing undo_recorder_of(const struct recording *recording, size_t index);
/* Hands those over that were made, and frees the rest. */
void undo_recorder_end(struct recording *recording, struct message *const *messages, size_t count,
                       enum status status, const struct changed *outcomes);

/* Notes in the record of the message at work, if there is one, what is done to it. */
void undo_recorder_deed(const struct changing *how, enum deed deed);
/* The same for a file of its own, with what it was and is. */
void undo_recorder_file(const struct changing *how, enum deed deed, const struct target *t);

/* Restoring: taking changes back, and bringing messages back out of the archive. */

/* Takes changes of one source back, those of `records` that `which` gives, each to the bytes, the
 * name and the marks that it had. Only what is still as we left it: a later change by someone else,
 * or another message in its place, is refused with a sentence and stays; and so does what an entry
 * of an array says (STORAGE_ARRAY), which never goes back. What comes back is on disk before its
 * copy goes. */
void restore_records(const struct changing *how, const struct change_record *const *which,
                     size_t count, struct changed *outcomes);

/* Fills the record of a message in the archive, as if we had just put it there from the state that
 * its copy still tells. Refused for what is not in the archive, and for mail of others that others
 * may have put there. */
bool restore_find(const struct changing *how, const struct message *message,
                  struct change_records *records, struct err *err);

#endif
