/* A reader: turns one mail file after the other into messages of a batch. */
#ifndef STORE_SCAN_READER_H
#define STORE_SCAN_READER_H

#include "base/file/file.h"
#include "base/log.h"
#include "store/source/source.h"

/* Zero-initialise, then set the first members. */
struct reader {
    const struct source *source;
    struct batch *batch;  /* where the messages go; reader_new_batch() when it is emptied */
    unsigned want;        /* enum message_want */
    unsigned want_shared; /* besides, of files that hold many */
    struct log *log;
    struct entry_cache *known; /* of the file that is read next; NULL: nothing */

    struct str bytes;          /* of the file at hand */
    struct file_id id;         /* and which it is; both when there are some */
    bool has_bytes;            /* there are some */
    const struct place *place; /* the one that was kept last, in the batch's memory */
};

void reader_free(struct reader *reader);

/* What is wanted beyond the head of messages of that source. */
unsigned reader_wants(const struct source *source, unsigned want, unsigned want_shared);

/* The place as the batch keeps it. */
const struct place *reader_place(struct reader *reader, const struct place *place);
/* To be called when the batch was handed over. */
void reader_new_batch(struct reader *reader);

/* Reads and parses a file of that place. `listed` says that its directory just listed it as a
 * regular file. FILE_CHANGED: not parseable, but so young that it may be half written, unless it is
 * the last look. FILE_FAILED: it never will be, and err says why. */
enum file_result reader_read(struct reader *reader, const struct place *place, int dir,
                             struct span name, bool listed, bool last_look, struct err *err);

/* What no layout needs to do by itself for the messages of a file, from `first` on. */
void reader_finish(const struct source *source, struct batch *batch, size_t first,
                   struct span bytes);

/* Adds a message that stands for what cannot be read. */
struct message *reader_add_damaged(struct reader *reader, const struct place *place,
                                   struct span name, const char *reason);

#endif
