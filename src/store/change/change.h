/* Changing the state of messages: in their files where the layout can, and in our state where it
 * cannot. */
#ifndef STORE_CHANGE_CHANGE_H
#define STORE_CHANGE_CHANGE_H

#include "base/log.h"
#include "store/change/undo.h"
#include "store/source/source.h"
#include "store/state/state.h"

struct changing {
    const struct source *source;
    struct state *state;      /* for marks and copies; NULL when it cannot be opened ... */
    struct err state_problem; /* ... for this reason */
    struct log *log;
    bool completes;   /* archiving also marks as completed */
    struct span note; /* a text of what was done, for layouts that log it; or absent */
    struct change_records *records; /* gets what is needed to undo the change; or NULL */
    struct change_record *record;   /* of the current message, or NULL */
};

/* False, with the reason, when our state cannot be written. */
bool changing_has_state(const struct changing *how, struct err *err);

/* The result for one message. */
struct changed {
    bool ok;
    bool local;          /* only marked in our state: the layout has no such state */
    const char *remains; /* what an undo leaves, as a sentence; or NULL */
    struct err err;      /* when not ok */
};

/* True if the source's layout keeps a note with an archived message; else false, with the
 * reason. */
bool change_keeps_note(const struct source *source, struct err *err);

/* Brings messages of one source into that status; archiving follows the layout's way. Decides on
 * the file as it is now, not as it was when it was listed; never overwrites a change that someone
 * else made in between. Only our own mail is marked. Messages in one file are changed in one go. */
void change_messages(const struct changing *how, struct message *const *messages, size_t count,
                     enum status status, struct changed *outcomes);

#endif
