/* Records of changes: what a message was before we changed it and what we wrote, so that the change
 * can be taken back. */
#ifndef STORE_CHANGE_RECORD_H
#define STORE_CHANGE_RECORD_H

#include "mail/message/message.h"
#include "store/state/state.h"

#include <sys/types.h>

/* What was done to a message. */
enum deed {
    DEED_NOTED,  /* a mark of our own, here only */
    DEED_EDITED, /* its file says another state */
    DEED_MARKED, /* its entry in a shared file says that it is read, for good */
    DEED_COPIED, /* a changed copy is in the archive, the inbox file is gone */
    DEED_MOVED,  /* its file is in the archive as it was */
    DEED_TAKEN,  /* its file is gone; copies of all that was in it are kept here */
    DEED_HIDDEN, /* it lies where it was; hidden here, with a copy */
};

struct change_record {
    struct message message; /* its head before the change: as good for another one, once this was
                               taken back; lives as long as the records and the store */
    enum status status;     /* what it became */
    enum deed deed;
    struct span before, after; /* of its file; absent where the deed needs none */
    struct span archived_as;   /* DEED_COPIED, DEED_MOVED: the name there; empty: another's */
    mode_t mode;               /* of its file */
    struct span viewer;        /* whose marks and copies */
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

#endif
