/* Heads, inside: one message as a head with its text. */
#ifndef MAIL_LIVE_HEAD_PRIVATE_H
#define MAIL_LIVE_HEAD_PRIVATE_H

#include "mail/live/head.h"

enum head_bit {
    BIT_ID_IN_FILE = 1 << 0, /* the id is the start of the file's name */
    BIT_SUBJECT = 1 << 1,    /* there, if perhaps empty */
    BIT_THREAD = 1 << 2,
    BIT_REPLY_TO = 1 << 3,
    BIT_DAMAGED = 1 << 4,
    BIT_NOTICE = 1 << 5,
    BIT_REQUIRES_RESPONSE = 1 << 6,
    BIT_UNREAD_BYTES = 1 << 7,
    BIT_SEEN = 1 << 8,
    BIT_READ_HERE = 1 << 9,
    BIT_MINE = 1 << 10,
    BIT_BY_US = 1 << 11,
    BIT_WHOLE_FOLDER = 1 << 12,
    BIT_READ_AT = 1 << 13, /* since when it is worked on is known */
    BIT_WORK = 1 << 14,
    BIT_REFUSED = 1 << 15,
};

/* Everything but its text, its place and its names. */
struct head head_of(const struct message *message);
/* The text that belongs to it. */
size_t head_text_size(const struct message *message);
void head_put_text(char *to, const struct message *message);

/* Fills a message from a head that has its text; see head_unfold(). Names are from 1 up. */
void head_open(const struct head *head, const struct span *names, const struct place *place,
               struct message *message, struct arena *arena);

/* Whether these bytes are a text that head_open() can take apart. */
bool head_text_fits(const struct head *head, struct span text);

#endif
