/* Recording: what changing messages leaves for taking it back, when somebody asked for that. */
#ifndef STORE_CHANGE_RECORDING_H
#define STORE_CHANGE_RECORDING_H

#include "store/change/change.h"
#include "store/change/target.h"

/* The records of one change of several messages while it is made. */
struct recording {
    const struct changing *how;
    struct change_record *items; /* one for each message; NULL: nobody asked */
    struct marks marks;          /* as they were before */
};

/* Notes how things are before. */
struct recording recording_begin(const struct changing *how, size_t count);
/* The same work on one message, to be recorded as that one. */
struct changing recording_of(const struct recording *recording, size_t index);
/* Hands those over that were made, and frees the rest. */
void recording_end(struct recording *recording, struct message *const *messages, size_t count,
                   enum status status, const struct changed *outcomes);

/* Notes in the record of the message at work, if there is one, what is done to it. */
void recording_deed(const struct changing *how, enum deed deed);
/* The same for a file of its own, with what it was and is. */
void recording_file(const struct changing *how, enum deed deed, const struct target *t);

#endif
