/* Delivery: new messages into mailboxes, on disk before they are acknowledged. */
#ifndef STORE_DELIVER_H
#define STORE_DELIVER_H

#include "base/log.h"
#include "store/source.h"

/* One message of a delivery; ends with letter_free(). */
struct letter {
    struct draft draft; /* id and creation time are filled in when absent */
    struct str id;      /* the id it was given */
    bool delivered;     /* it has its name; only a return of true means that it is on disk too */
    struct str warning; /* what the sender should know, or empty */
};

void letter_free(struct letter *letter);

/* Writes all letters or, when one cannot be prepared, none. Should publishing fail half way, the
 * error is ERR_UNCONFIRMED and `delivered` tells which are there. With `verify` each is read back
 * and compared. */
bool deliver(const struct source *source, struct letter *letters, size_t count, bool verify,
             struct log *log, struct err *err);

#endif
