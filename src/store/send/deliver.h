/* Delivery: writes new messages into mailboxes, on disk before they are acknowledged. */
#ifndef STORE_SEND_DELIVER_H
#define STORE_SEND_DELIVER_H

#include "base/err.h"
#include "base/file/file.h"
#include "base/log.h"
#include "base/str.h"
#include "store/source/address.h"
#include "store/state/state.h"

/* Send hooks: functions that are called while a message is on its way, and may stop it.
 *
 * All are called on the thread that sends, and all may be NULL. */

struct outgoing_file;

enum send_answer {
    SEND_NO,    /* do not send it */
    SEND_YES,   /* send it */
    SEND_AGAIN, /* undecided just now: write nothing, and ask again after another inspect(), which
                   may take its time; only under a lock */
};

struct send_hooks {
    /* The message has its bytes and its place; nothing was written. If false, it is not sent. */
    bool (*packed)(void *context, const struct outgoing_file *outgoing, struct err *err);
    /* The content of the file that the message will be added to, before the lock is taken: anything
     * that takes time is done here. */
    void (*inspect)(void *context, struct span box);
    /* Called right before the write, under the lock where there is one. `box` is the content of the
     * file that the message is added to; absent where the message has a file of its own. */
    enum send_answer (*confirm)(void *context, struct span box, struct err *err);
    /* The message was written, and is not verified yet. */
    void (*written)(void *context, const struct outgoing_file *outgoing);
    void *context;
};

/* Calls inspect(), if there is one. */
void send_hooks_inspect(const struct send_hooks *hooks, struct span box);
/* Calls confirm(); SEND_YES without one. */
enum send_answer send_hooks_confirm(const struct send_hooks *hooks, struct span box,
                                    struct err *err);

/* An outgoing file: a message in the bytes of its layout, with the place where it goes. */

/* A message on its way. Zero-initialise, with dir = -1; free with outgoing_file_free(). */
struct outgoing_file {
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

void outgoing_file_free(struct outgoing_file *outgoing);

/* Like outgoing_file_pack(), but from an entry of the outbox. */
void outgoing_file_restore(struct outgoing_file *outgoing, const struct source *source,
                           const struct outbox_entry *entry);
/* Opens the directory that it goes into; creates the directory when there is none. */
bool outgoing_file_open(struct outgoing_file *outgoing, struct err *err);

/* The state of a message that was written. */
enum outgoing_file_seen {
    OUTGOING_FILE_THERE,
    OUTGOING_FILE_TAKEN,       /* its reader took it; only returned by outbox_check() */
    OUTGOING_FILE_MISSING,     /* its file is there without it */
    OUTGOING_FILE_SUSPECT,     /* missing, and it looks overwritten: a second check is needed */
    OUTGOING_FILE_OVERWRITTEN, /* another writer has overwritten it; only returned by outbox_check()
                                */
    OUTGOING_FILE_GONE,        /* its file is gone, or damaged for good */
    OUTGOING_FILE_UNSURE,      /* unknown just now */
};
/* Checks the file. For a slot, `other` (unless NULL) gets the id of the message in its place. */
enum outgoing_file_seen outgoing_file_check(struct outgoing_file *outgoing, struct str *other);

/* True if another message is in its place. Only for layouts with one file per recipient. */
bool outgoing_file_slot_is_taken(const struct outgoing_file *outgoing);

/* True if the opened directory has that name; a link counts too. False if `dir` is -1. */
bool outgoing_file_name_is_taken(int dir, const char *name);

/* Writes the message into an array, or into a slot. Returns FILE_EXISTS while the slot is taken. */
enum file_result outgoing_file_write(struct outgoing_file *outgoing, struct log *log,
                                     struct err *err);

/* One message of a delivery; free with outgoing_message_free(). */
struct outgoing_message {
    struct draft draft; /* id and creation time are filled in when absent */
    struct address to;  /* filled in by the code that found the recipient */
    uint32_t source;    /* number of the recipient's source; filled in likewise */
    struct str id;      /* the id that the message got */
    struct str uuid;    /* for entries that carry one; a new one is made when it is empty */
    bool delivered;     /* it has its name; it is on disk only if deliver() returned true */
    bool unsure;        /* delivered, but perhaps not on disk, or not recorded as it should be */
    bool seen;          /* checked afterwards: it was there or had been taken */
    bool taken;         /* by then its reader had taken it out of a file that many messages share */
    bool gone;          /* by then that file was gone or damaged: unknown if it was read */
    bool queued; /* its slot is taken: the outbox keeps it and sends it as soon as possible */
    struct str warning; /* for the sender, or empty */
};

void outgoing_message_free(struct outgoing_message *letter);
/* Adds a sentence to the warning for the sender; NULL adds nothing. */
void outgoing_message_warn(struct outgoing_message *letter, const char *sentence);
/* Adds the warnings of the layout about this draft. */
void outgoing_message_warn_of_layout(struct outgoing_message *letter, const struct format *format);

/* How often deliver() checks that no other program overwrote the message. */
enum verify {
    VERIFY_FIRST, /* one check after 0.3 s; a process that runs after 2 s does the second one */
    VERIFY_BOTH,  /* both checks */
    VERIFY_NONE,
};

struct delivery {
    const struct source *source;
    struct state *state; /* holds the outbox */
    enum verify verify;
    struct span mailing; /* an id that messages of one broadcast share, or absent */
    struct log *log;
    const struct send_hooks *hooks; /* or NULL */
};

/* Makes the bytes of the message and finds its place, without writing anything. Advances the time
 * of the draft while an identical message is already there. */
bool deliver_pack(const struct delivery *how, struct outgoing_message *letter,
                  struct outgoing_file *outgoing, struct err *err);

/* Writes all messages or, when one cannot be prepared, none. If publishing fails half way, the
 * error is ERR_UNCONFIRMED and `delivered` says which messages are there. Every message is in the
 * outbox before its mailbox is touched. */
bool deliver(const struct delivery *how, struct outgoing_message *letters, size_t count,
             struct err *err);

#endif
