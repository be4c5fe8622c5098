/* A pool of threads that read files of one source at the same time.
 *
 * While one waits for the disk another one parses, so there are more threads than processors. A few
 * files are read by the calling thread alone. */
#ifndef STORE_SCAN_READER_POOL_H
#define STORE_SCAN_READER_POOL_H

#include "mail/message/message.h"
#include "store/scan/local_marks.h"

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

struct crew {
    const struct source *source;
    const struct overlay *overlay; /* applied to the messages; NULL: none */
    unsigned want;                 /* enum message_want */
    unsigned want_shared;          /* added to it for files that hold many messages */
    const struct cache *cache;     /* heads of earlier loads; NULL: none */
    struct cache_writer *writer;   /* records what was read; or NULL */
    struct log *log;
    /* Called with the results of the files from `first` on, in their order; UPDATE_KEPT means that
     * a file may be half written. Takes ownership of the update's contents. Runs on any of the
     * threads, but only one call at a time. */
    void (*done)(void *context, struct update *update, size_t first);
    void *context;
};

/* Reads the files; returns when all results were passed to done(). */
void reader_pool_read(const struct crew *crew, const struct reader_pool_file *files, size_t count);

/* Checks the trusted files: stores the indexes of those that differ from the cache in `changed`,
 * which has room for all, and returns their number. */
size_t reader_pool_check(const struct source *source, const struct reader_pool_file *files,
                         size_t count, size_t *changed);

#endif
