/* Heads as bytes, for our cache file. Only the same program on the same kind of machine can read
 * them: the file must record which program wrote it. */
#ifndef MAIL_LIVE_HEAD_H
#define MAIL_LIVE_HEAD_H

#include "mail/message/message.h"

/* Numbers of names that many messages share, from 1 up; 0: absent. */
struct head_names {
    uint32_t from, to, type;
};

/* Appends a message without its place, and without its data except the parts that heads keep. */
void head_write(struct str *out, const struct message *message, const struct head_names *names);

/* Removes a head from the front of the bytes without parsing it; absent if the bytes end before it
 * does. */
struct span head_skip(struct span *bytes);

/* Removes a head from the front of the bytes and adds its message to the batch. The place must
 * outlive the batch. Names are numbered from 1 up. False if the bytes are malformed. */
bool head_read(struct span *bytes, const struct span *names, size_t name_count,
               const struct place *place, struct batch *batch);

/* Heads: messages without their data, in as little memory as possible. Of the data they keep only
 * the time when a message in processing was read, and what a handoff says about the work.
 *
 * Many messages are kept as heads; those that are needed are unfolded into messages. */

#define HEAD_NONE UINT32_MAX

struct head {
    char *text; /* file, id, subject and so on, one after the other */
    int64_t created_us, expires_us;
    uint32_t place, from, to, type; /* numbers of shared places and names */
    uint32_t raw_at, raw_len, print, content;
    uint32_t id_len, subject_len, thread_len, reply_len;
    uint32_t next_in_file, next_same; /* lists of struct live */
    uint16_t file_len;
    uint16_t flags;
    uint16_t bits; /* enum head_bit, in head.c */
    uint8_t priority, status, kind, verdict, said;
    uint8_t answered : 2;
    bool met : 1; /* by the present scan of the tree */
    bool used : 1;
    bool read_unsaid : 1;
    bool wants_none : 1;
};

/* The heads, and the texts they share. Zero-initialised is empty and valid. */
struct head_pool {
    struct head **chunks;
    size_t chunk_count, chunk_cap;
    uint32_t count, free; /* number of slots used so far; 1 + the first free one */
    const struct place **places;
    size_t place_count, place_cap;
    struct map place_numbers;
    uint32_t last_place; /* the last place asked for */
    struct span *names;  /* from 1 up; 0 is absent */
    size_t name_count, name_cap;
    struct map name_numbers;
    uint32_t recent[64]; /* cache of names, by address: most lookups repeat */
    struct arena arena;  /* of names and places */
    bool holding;        /* old texts are kept until head_release() */
    char **held;
    size_t held_count, held_cap;
    uint64_t held_before; /* number of texts freed by head_release() */
};

void head_pool_free(struct head_pool *pool);

struct head *head_at(const struct head_pool *pool, uint32_t slot);

/* Prefetches the text of a slot that will be read soon. */
void head_expect(const struct head_pool *pool, uint32_t slot);

/* Returns the number of a place, which is copied into the pool. */
uint32_t head_place(struct head_pool *pool, const struct place *place);

/* Returns a free slot; it counts as used after head_fold() has filled it. */
uint32_t head_take(struct head_pool *pool);
/* Replaces the message in a slot, but keeps its links. */
void head_fold(struct head_pool *pool, uint32_t slot, const struct message *message);
void head_drop(struct head_pool *pool, uint32_t slot);

/* Returns the number of texts held so far, including freed ones. head_release() frees them up to
 * that number. */
uint64_t head_held(const struct head_pool *pool);
void head_release(struct head_pool *pool, uint64_t until);

/* Fills a message from a slot. It borrows from the pool until the slot changes or, with `holding`,
 * until head_release(). Its notice and work are in the arena; without an arena they are left out.
 */
void head_unfold(const struct head_pool *pool, uint32_t slot, struct message *message,
                 struct arena *arena);

struct span head_id(const struct head *head);
struct span head_file(const struct head *head);

#endif
