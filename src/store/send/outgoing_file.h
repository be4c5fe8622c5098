/* A parcel: a message in the bytes of its layout, with the place it goes to. */
#ifndef STORE_SEND_OUTGOING_FILE_H
#define STORE_SEND_OUTGOING_FILE_H

#include "base/file/file.h"
#include "base/log.h"
#include "store/send/send_hooks.h"
#include "store/source/address.h"
#include "store/state/state.h"

/* Zero-initialise, with dir = -1, before use. */
struct parcel {
    const struct source *source;
    struct str team, box;
    struct str path; /* of the directory, beneath the root */
    int dir;
    struct str name, bytes; /* of the file; in an array, of the entry */
    struct str uuid;        /* for entries that carry one */
    struct str id;
    struct staged_file staged;
    bool is_staged;
    struct box_before before;       /* STORAGE_ARRAY: what was there when it was written, and ... */
    char newer[BOX_BEFORE_SUM + 1]; /* ... what the last look found in its place, if suspect */
    bool
        lock_lost; /* STORAGE_ARRAY: while it was written; whoever took the lock may overwrite it */
    int64_t number;  /* in the outbox; 0: in none */
    int64_t wait_ms; /* how long to wait for others who write; 0: as long as a person would */
    const struct send_hooks *hooks; /* or NULL */
};

void outgoing_file_free(struct parcel *parcel);

/* Gives the draft bytes, a name and an id; its time and id are filled in where they are absent. */
bool outgoing_file_pack(struct parcel *parcel, const struct source *source,
                        const struct address *to, const struct draft *draft, struct err *err);
/* The same from what the outbox has kept. */
void outgoing_file_restore(struct parcel *parcel, const struct source *source,
                           const struct outbox_entry *entry);
/* Opens the directory it goes into, made when there is none. */
bool outgoing_file_open(struct parcel *parcel, struct err *err);

/* How a written parcel is doing. */
enum outgoing_file_seen {
    OUTGOING_FILE_THERE,
    OUTGOING_FILE_TAKEN,       /* its reader took it; only told by outbox_look() */
    OUTGOING_FILE_MISSING,     /* its file is there without it */
    OUTGOING_FILE_SUSPECT,     /* the same, and it looks overwritten: a second look is needed */
    OUTGOING_FILE_OVERWRITTEN, /* another writer has overwritten it; only told by outbox_look() */
    OUTGOING_FILE_GONE,        /* its file is gone, or damaged for good */
    OUTGOING_FILE_UNSURE,      /* nothing can be told just now */
};
/* `other`, unless NULL, gets the id of what is in the place of a slot's message. */
enum outgoing_file_seen outgoing_file_look(struct parcel *parcel, struct str *other);

/* Whether another message is where it goes to; only asked of layouts with one file a recipient. */
bool outgoing_file_slot_is_taken(const struct parcel *parcel);

/* Writes it into an array, or into a slot: FILE_EXISTS while that is taken. */
enum file_result outgoing_file_write(struct parcel *parcel, struct log *log, struct err *err);

#endif
