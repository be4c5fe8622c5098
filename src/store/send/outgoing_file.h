/* An outgoing file: a message in the bytes of its layout, with the place where it goes. */
#ifndef STORE_SEND_OUTGOING_FILE_H
#define STORE_SEND_OUTGOING_FILE_H

#include "base/file/file.h"
#include "base/log.h"
#include "store/send/send_hooks.h"
#include "store/source/address.h"
#include "store/state/state.h"

/* A message on its way. Zero-initialise, with dir = -1; free with outgoing_file_free(). */
struct parcel {
    const struct source *source;
    struct str team, box;
    struct str path; /* of the directory, below the root */
    int dir;
    struct str name, bytes; /* of the file; in an array, of the entry */
    struct str uuid;        /* for entries that carry one */
    struct str id;
    struct staged_file staged;
    bool is_staged;
    struct box_before before;       /* STORAGE_ARRAY: the array before the write, and ... */
    char newer[BOX_BEFORE_SUM + 1]; /* ... what the last check found in its place, if suspect */
    bool lock_lost;  /* STORAGE_ARRAY: during the write; the new holder may overwrite it */
    int64_t number;  /* in the outbox; 0: in none */
    int64_t wait_ms; /* how long to wait for others who write; 0: the default of lock_take() */
    const struct send_hooks *hooks; /* or NULL */
};

void outgoing_file_free(struct parcel *parcel);

/* Gives the draft bytes, a name and an id; fills in its time and id where they are absent. */
bool outgoing_file_pack(struct parcel *parcel, const struct source *source,
                        const struct address *to, const struct draft *draft, struct err *err);
/* Like outgoing_file_pack(), but from an entry of the outbox. */
void outgoing_file_restore(struct parcel *parcel, const struct source *source,
                           const struct outbox_entry *entry);
/* Opens the directory that it goes into; creates the directory when there is none. */
bool outgoing_file_open(struct parcel *parcel, struct err *err);

/* The state of a message that was written. */
enum outgoing_file_seen {
    OUTGOING_FILE_THERE,
    OUTGOING_FILE_TAKEN,       /* its reader took it; only returned by outbox_look() */
    OUTGOING_FILE_MISSING,     /* its file is there without it */
    OUTGOING_FILE_SUSPECT,     /* missing, and it looks overwritten: a second check is needed */
    OUTGOING_FILE_OVERWRITTEN, /* another writer has overwritten it; only returned by outbox_look()
                                */
    OUTGOING_FILE_GONE,        /* its file is gone, or damaged for good */
    OUTGOING_FILE_UNSURE,      /* unknown just now */
};
/* Checks the file. For a slot, `other` (unless NULL) gets the id of the message in its place. */
enum outgoing_file_seen outgoing_file_look(struct parcel *parcel, struct str *other);

/* True if another message is in its place. Only for layouts with one file per recipient. */
bool outgoing_file_slot_is_taken(const struct parcel *parcel);

/* True if the opened directory has that name; a link counts too. False if `dir` is -1. */
bool outgoing_file_name_is_taken(int dir, const char *name);

/* Writes the message into an array, or into a slot. Returns FILE_EXISTS while the slot is taken. */
enum file_result outgoing_file_write(struct parcel *parcel, struct log *log, struct err *err);

#endif
