/* Delivery: writes new messages into mailboxes, on disk before they are acknowledged. */
#ifndef STORE_SEND_DELIVER_H
#define STORE_SEND_DELIVER_H

#include "store/send/outgoing_file.h"

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
                  struct parcel *parcel, struct err *err);

/* Writes all messages or, when one cannot be prepared, none. If publishing fails half way, the
 * error is ERR_UNCONFIRMED and `delivered` says which messages are there. Every message is in the
 * outbox before its mailbox is touched. */
bool deliver(const struct delivery *how, struct outgoing_message *letters, size_t count,
             struct err *err);

#endif
