/* Delivery: new messages into mailboxes, on disk before they are acknowledged. */
#ifndef STORE_SEND_DELIVER_H
#define STORE_SEND_DELIVER_H

#include "store/send/outgoing_file.h"

/* One message of a delivery; ends with outgoing_message_free(). */
struct outgoing_message {
    struct draft draft; /* id and creation time are filled in when absent */
    struct address to;  /* filled in by whoever found the recipient */
    uint32_t source;    /* the number of the source it goes to; filled in likewise */
    struct str id;      /* the id it was given */
    struct str uuid;    /* for entries that carry one; made anew while it is empty */
    bool delivered;     /* it has its name; only a return of true means that it is on disk too */
    bool unsure;        /* delivered, but perhaps not on disk, or not noted as it should be */
    bool seen;          /* it was looked for afterwards, and was there or had been taken */
    bool taken;         /* by then its reader had taken it out of a file that many share */
    bool gone;          /* by then that file was gone or damaged: nobody can tell */
    bool queued;        /* its slot is taken: it is kept here and goes out as soon as it can */
    struct str warning; /* what the sender should know, or empty */
};

void outgoing_message_free(struct outgoing_message *letter);
/* Adds a sentence to what the sender should know; NULL adds nothing. */
void outgoing_message_warn(struct outgoing_message *letter, const char *sentence);
/* Adds what the layout says to the sender of this draft. */
void outgoing_message_warn_of_layout(struct outgoing_message *letter, const struct format *format);

/* How sure one wants to be that others did not overwrite it. */
enum verify {
    VERIFY_FIRST, /* one look after 0.3 seconds; whoever runs after 2 seconds has the second */
    VERIFY_BOTH,  /* both looks */
    VERIFY_NONE,
};

struct delivery {
    const struct source *source;
    struct state *state; /* where the outbox is */
    enum verify verify;
    struct span mailing; /* a name that letters which belong together share, or absent */
    struct log *log;
    const struct send_hooks *hooks; /* or NULL */
};

/* Gives the letter its bytes and its place: the part of delivering that writes nothing. The time of
 * the draft moves on while the very same message is there already. */
bool deliver_pack(const struct delivery *how, struct outgoing_message *letter,
                  struct parcel *parcel, struct err *err);

/* Writes all letters or, when one cannot be prepared, none. Should publishing fail half way, the
 * error is ERR_UNCONFIRMED and `delivered` tells which are there. Every letter is in the outbox
 * before its mailbox is touched. */
bool deliver(const struct delivery *how, struct outgoing_message *letters, size_t count,
             struct err *err);

#endif
