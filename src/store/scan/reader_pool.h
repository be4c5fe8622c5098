/* A pool of threads that read files of one source at the same time.
 *
 * While one waits for the disk another one parses, so there are more threads than processors. A few
 * files are read by the calling thread alone. */
#ifndef STORE_SCAN_READER_POOL_H
#define STORE_SCAN_READER_POOL_H

#include "base/file/file.h"
#include "base/log.h"
#include "mail/message/message.h"
#include "store/scan/local_marks.h"
#include "store/source/source.h"

/* A reader: parses mail files one by one into messages of a batch. */

/* Zero-initialise, then set the first members. */
struct reader {
    const struct source *source;
    struct batch *batch;  /* receives the messages; call reader_new_batch() after emptying it */
    unsigned want;        /* enum message_want */
    unsigned want_shared; /* added to it for files that hold many messages */
    struct log *log;
    struct entry_cache *known; /* of the file that is read next; NULL: none */

    struct str bytes;          /* of the present file */
    struct file_id id;         /* its identity; both valid if has_bytes */
    bool has_bytes;            /* the present file was read */
    const struct place *place; /* the place that was copied last, in the batch's memory */
};

void reader_free(struct reader *reader);

/* Returns the parts wanted besides the head for messages of that source. */
unsigned reader_wants(const struct source *source, unsigned want, unsigned want_shared);

/* Returns the place, copied into the batch. */
const struct place *reader_place(struct reader *reader, const struct place *place);
/* To be called after the batch was passed on. */
void reader_new_batch(struct reader *reader);

/* Reads and parses a file of that place. `listed` says that its directory just listed it as a
 * regular file. FILE_CHANGED: not parseable, but so young that it may be half written; never
 * returned with `last_look`. FILE_FAILED: permanently, and err says why. */
enum file_result reader_read(struct reader *reader, const struct place *place, int dir,
                             struct span name, bool listed, bool last_look, struct err *err);

/* Completes the messages of a file, from `first` on, with everything that does not depend on the
 * layout. */
void reader_finish(const struct source *source, struct batch *batch, size_t first,
                   struct span bytes);

/* Adds a damaged message that represents an unreadable file. */
struct message *reader_add_damaged(struct reader *reader, const struct place *place,
                                   struct span name, const char *reason);

struct cache;
struct cache_file;
struct cache_writer;

/* A file to read. Borrowed while the pool works. */
struct reader_pool_file {
    const struct place *place;
    struct span name; /* terminated */
    bool listed;      /* its directory just listed it as a regular file */
    /* Its cached heads, or NULL; `trusted`: use them without a stat of the file. */
    const struct cache_file *cached;
    bool trusted;
};

struct reader_pool {
    const struct source *source;
    const struct local_marks *overlay; /* applied to the messages; NULL: none */
    unsigned want;                     /* enum message_want */
    unsigned want_shared;              /* added to it for files that hold many messages */
    const struct cache *cache;         /* heads of earlier loads; NULL: none */
    struct cache_writer *writer;       /* records what was read; or NULL */
    struct log *log;
    /* Called with the results of the files from `first` on, in their order; UPDATE_KEPT means that
     * a file may be half written. Takes ownership of the update's contents. Runs on any of the
     * threads, but only one call at a time. */
    void (*done)(void *context, struct update *update, size_t first);
    void *context;
};

/* Reads the files; returns when all results were passed to done(). */
void reader_pool_read(const struct reader_pool *crew, const struct reader_pool_file *files,
                      size_t count);

/* Checks the trusted files: stores the indexes of those that differ from the cache in `changed`,
 * which has room for all, and returns their number. */
size_t reader_pool_check(const struct source *source, const struct reader_pool_file *files,
                         size_t count, size_t *changed);

#endif
