/* Previews: a message as it would be sent, to the byte, before anything is written. */
#ifndef STORE_SEND_PREVIEW_H
#define STORE_SEND_PREVIEW_H

#include "store/send/deliver.h"

/* The preview of one message. Zero-initialise; free with preview_free(). */
struct preview {
    uint32_t source;
    struct str from, to; /* as resolved; AGENT@TEAM where there are teams */
    struct str path;     /* absolute, of the file that it goes to */
    struct str bytes;    /* of that file or, where many messages share it, of its entry */
    struct str id;
    struct str warning; /* for the sender, or empty */
    bool is_entry;      /* the bytes are an entry of a shared file */
    bool makes_box;     /* there is no such mailbox yet: it would be made */
    bool queued;        /* the place is taken: it would wait in the outbox */
};

void preview_free(struct preview *preview);

/* Does everything that deliver() does up to the bytes, without writing; `how->state` may be NULL.
 * Fills in id and time of `letter`, which borrows the id from `preview`: sent afterwards, it has
 * these very bytes, unless another program takes its name or writes the same text first. */
bool preview_letter(const struct delivery *how, struct outgoing_message *letter,
                    struct preview *preview, struct err *err);

#endif
