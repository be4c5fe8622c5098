/* Heads as bytes, for keeping them in a file of our own. They are of use to the same program on the
 * same kind of machine only: whoever keeps them has to say what wrote them. */
#ifndef MAIL_LIVE_HEAD_H
#define MAIL_LIVE_HEAD_H

#include "mail/message/message.h"

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

/* Heads: messages without their data, kept as small as they can be. Of the data only the time at
 * which a message was read is kept, while it is worked on, and what a handoff tells of the work.
 *
 * A picture of many messages is kept as heads, and those that are looked at are unfolded into
 * messages. */

#define HEAD_NONE UINT32_MAX

struct head {
    char *text; /* file, id, subject and the like, one after the other */
    int64_t created_us, expires_us;
    uint32_t place, from, to, type; /* numbers of what many share */
    uint32_t raw_at, raw_len, print, content;
    uint32_t id_len, subject_len, thread_len, reply_len;
    uint32_t next_in_file, next_same; /* for the keeper's own lists */
    uint16_t file_len;
    uint16_t flags;
    uint16_t bits; /* enum head_bit, in head.c */
    uint8_t priority, status, kind, verdict, said;
    uint8_t answered : 2;
    bool met : 1; /* by the look through the tree that is going on */
    bool used : 1;
    bool read_unsaid : 1;
    bool wants_none : 1;
};

/* What is shared. Zero-initialised is empty and valid. */
struct head_pool {
    struct head **chunks;
    size_t chunk_count, chunk_cap;
    uint32_t count, free; /* slots that were ever used; the first free one + 1 */
    const struct place **places;
    size_t place_count, place_cap;
    struct map place_numbers;
    uint32_t last_place; /* that was asked for */
    struct span *names;  /* from 1 up; 0 is absent */
    size_t name_count, name_cap;
    struct map name_numbers;
    uint32_t
        recent[64]; /* names that were asked for, by where they lay: most likely the same again */
    struct arena arena; /* of names and places */
    bool holding;       /* texts that are not needed any more stay until they are let go */
    char **held;
    size_t held_count, held_cap;
    uint64_t held_before; /* that were let go */
};

void head_pool_free(struct head_pool *pool);

struct head *head_at(const struct head_pool *pool, uint32_t slot);

/* Says that this one's text will be read soon, so that memory is not waited for then. */
void head_expect(const struct head_pool *pool, uint32_t slot);

/* A copy of a place that lasts as long as the pool, by its number. */
uint32_t head_place(struct head_pool *pool, const struct place *place);

/* A free slot; it is used once head_fold() has filled it. */
uint32_t head_take(struct head_pool *pool);
/* Puts a message into a slot and forgets what was there; links stay. */
void head_fold(struct head_pool *pool, uint32_t slot, const struct message *message);
void head_drop(struct head_pool *pool, uint32_t slot);

/* How many texts were ever held; frees the first so many of them. */
uint64_t head_held(const struct head_pool *pool);
void head_let_go(struct head_pool *pool, uint64_t until);

/* Fills a message from a slot; it borrows from the pool until the slot changes, and where texts are
 * held until they are let go. A notice and what is told of work live in the
 * arena; without one they are left out. */
void head_unfold(const struct head_pool *pool, uint32_t slot, struct message *message,
                 struct arena *arena);

struct span head_id(const struct head *head);
struct span head_file(const struct head *head);

#endif
