/* Changing the state of messages: in their files where the layout has a way, and here where it has
 * none. */
#ifndef STORE_CHANGE_CHANGE_H
#define STORE_CHANGE_CHANGE_H

#include "base/log.h"
#include "store/change/undo.h"
#include "store/source/source.h"
#include "store/state/state.h"

struct changing {
    const struct source *source;
    struct state *state;      /* for what is kept here; NULL where it cannot be had ... */
    struct err state_problem; /* ... for this reason */
    struct log *log;
    bool completes;                 /* what is archived is marked as completed, too */
    struct span note;               /* what was done, for layouts that log it; or absent */
    struct change_records *records; /* gets what is needed to take it back; or NULL */
    struct change_record *record;   /* of the message at work, or NULL */
};

/* False, with the reason, when nothing can be kept here. */
bool changing_has_state(const struct changing *how, struct err *err);

/* What became of one message. */
struct changed {
    bool ok;
    bool local;          /* only kept here: the layout has no such state */
    const char *remains; /* of a change that was taken back: what stays, as a sentence; or NULL */
    struct err err;      /* when not ok */
};

/* Whether the source's layout keeps a note with what is archived; else false, with the reason. */
bool change_keeps_note(const struct source *source, struct err *err);

/* Brings messages of one source into that status. Archived means put away as the layout does it.
 * The decision is made on the file as it is now, not as it was when it was listed; a change by
 * someone else in between is never overwritten. Only the mail of who we are is marked. Messages in
 * one file are changed in one go. */
void change_messages(const struct changing *how, struct message *const *messages, size_t count,
                     enum status status, struct changed *outcomes);

#endif
