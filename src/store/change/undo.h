/* Records of changes: what a message was before we changed it and what we wrote, so that the change
 * can be undone.
 *
 * Undo restores only what is still exactly what we wrote: a later change by others stays. A file
 * comes back under its old name, and only into a free place. It is on disk before its copy is
 * removed, so a kill leaves it in one place or in both, and the next try finishes. A read flag is
 * never reset, because the agents that share the file may have seen it. */
#ifndef STORE_CHANGE_UNDO_H
#define STORE_CHANGE_UNDO_H

#include "mail/message/message.h"
#include "store/change/change.h"
#include "store/change/edit_file.h"
#include "store/state/state.h"

#include <sys/types.h>

struct changed;

/* The kind of a change. */
enum change_kind {
    CHANGE_KIND_NOTED,  /* a mark in our state only */
    CHANGE_KIND_EDITED, /* its file has another state */
    CHANGE_KIND_MARKED, /* its entry in a shared file is marked as read; cannot be undone */
    CHANGE_KIND_COPIED, /* a changed copy is in the archive, the inbox file is removed */
    CHANGE_KIND_MOVED,  /* its file is in the archive, unchanged */
    CHANGE_KIND_TAKEN,  /* its file is removed; copies of all its messages are in our state */
    CHANGE_KIND_HIDDEN, /* its file is unchanged; hidden here, with a copy */
};

struct change_record {
    struct message message; /* its head before the change, which another change can use after the
                               undo; lives as long as the records and the store */
    enum status status;     /* the status after the change */
    enum change_kind deed;
    struct span before, after; /* of its file; absent when the kind needs none */
    struct span archived_as;   /* CHANGE_KIND_COPIED, _MOVED: name there; empty: not our copy */
    mode_t mode;               /* of its file */
    struct span viewer;        /* whose marks and copies these are */
    struct mark mark_before, mark_after;
    bool by_others;      /* somebody else archived it at the same moment */
    const char *remains; /* what cannot be undone, as a sentence; or NULL */
};

/* The changes of one call that were made. Zero-initialised is empty and valid. */
struct change_records {
    struct arena arena;
    struct change_record *items;
    size_t count, cap;
};

void change_records_free(struct change_records *records);

/* Recording: keeps what is needed to undo a change, if `records` of the change is not NULL. */

/* The records of one change of several messages while it is made. */
struct recording {
    const struct changing *how;
    struct change_record *items; /* one for each message; NULL: not recorded */
    struct marks marks;          /* as they were before the change */
};

/* Notes the marks before the change. */
struct recording undo_recorder_begin(const struct changing *how, size_t count);
/* Returns the change with the record of message `index` as its current record. */
struct changing undo_recorder_of(const struct recording *recording, size_t index);
/* Adds the records of successful changes to those of the caller, and frees the rest. */
void undo_recorder_end(struct recording *recording, struct message *const *messages, size_t count,
                       enum status status, const struct changed *outcomes);

/* Notes the kind of the change in the current record, if there is one. */
void undo_recorder_kind(const struct changing *how, enum change_kind deed);
/* Like undo_recorder_kind(), but for a change of a file: also notes its bytes before and after. */
void undo_recorder_file(const struct changing *how, enum change_kind deed, const struct target *t);

/* Undoing changes, and restoring messages from the archive. */

/* Undoes changes of one source, those of `records` that `which` lists: restores the bytes, names
 * and marks of each message. Only what is still as we left it: a later change by someone else, or
 * another message in its place, is refused with a sentence and stays. An entry of an array
 * (STORAGE_ARRAY) that is marked as read is never reset. A restored file is on disk before its copy
 * is removed. */
void restore_records(const struct changing *how, const struct change_record *const *which,
                     size_t count, struct changed *outcomes);

/* Fills in the record of a message in the archive, as if we had just archived it; the earlier state
 * is read from its copy. Refused for a message that is not in the archive, and for the mail of
 * others that they may have archived themselves. */
bool restore_find(const struct changing *how, const struct message *message,
                  struct change_records *records, struct err *err);

#endif
