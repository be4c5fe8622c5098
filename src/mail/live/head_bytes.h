/* Heads as bytes, for keeping them in a file of our own. They are of use to the same program on the
 * same kind of machine only: whoever keeps them has to say what wrote them. */
#ifndef MAIL_LIVE_HEAD_BYTES_H
#define MAIL_LIVE_HEAD_BYTES_H

#include "mail/message/batch.h"

/* The numbers of names that many messages share, from 1 up; 0 for what is absent. */
struct head_names {
    uint32_t from, to, type;
};

/* Appends a message; its data, but for what heads keep of it, and its place are left out. */
void head_write(struct str *out, const struct message *message, const struct head_names *names);

/* Takes one off the front without a look into it; absent when the bytes end before. */
struct span head_skip(struct span *bytes);

/* Takes a message off the front of the bytes and adds it to the batch; the place must last as long
 * as that. Names are from 1 up. False when the bytes make no sense. */
bool head_read(struct span *bytes, const struct span *names, size_t name_count,
               const struct place *place, struct batch *batch);

#endif
