/* A crew: several threads that read files of one source at the same time.
 *
 * While one waits for the disk another one parses, so there are more of them than processors. A few
 * files are read by the calling thread alone. */
#ifndef STORE_SCAN_READER_POOL_H
#define STORE_SCAN_READER_POOL_H

#include "mail/message/message.h"
#include "store/scan/local_marks.h"

struct cache;
struct cache_file;
struct cache_writer;

/* Borrowed while the crew is at work. */
struct reader_pool_file {
    const struct place *place;
    struct span name; /* terminated */
    bool listed;      /* its directory just said that it is a regular file */
    /* What the cache knows of it, or NULL; and whether that is taken without a look at the file. */
    const struct cache_file *cached;
    bool trusted;
};

struct crew {
    const struct source *source;
    const struct overlay *overlay; /* laid over what is read; NULL: nothing is */
    unsigned want;                 /* enum message_want */
    unsigned want_shared;          /* besides, of files that hold many */
    const struct cache *cache;     /* what is known from before; NULL: nothing is */
    struct cache_writer *writer;   /* notes what was read; or NULL */
    struct log *log;
    /* Told of the files from `first` on, in their order: UPDATE_KEPT is one that may be half
     * written. Takes the update over. On any of the threads, but one call at a time. */
    void (*done)(void *context, struct update *update, size_t first);
    void *context;
};

/* Returns when all of them were told. */
void reader_pool_read(const struct crew *crew, const struct reader_pool_file *files, size_t count);

/* Looks at the files that were trusted: puts the numbers of those that are not what the cache knows
 * into `changed`, which has room for all, and returns how many. */
size_t reader_pool_check(const struct source *source, const struct reader_pool_file *files,
                         size_t count, size_t *changed);

#endif
