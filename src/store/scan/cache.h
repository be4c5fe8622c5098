/* The cache: the heads of a source's messages as they were when their files were read, so that
 * files that have not changed since need not be read again.
 *
 * One file a source beneath the cache directory. It is disposable: whatever is wrong with it, it is
 * not there, and the next look through all mail makes a new one. Whether a file is still what it
 * was is told by stamps; see stamp.h. */
#ifndef STORE_SCAN_CACHE_H
#define STORE_SCAN_CACHE_H

#include "base/log.h"
#include "mail/message/known.h"
#include "store/scan/stamp.h"
#include "store/source/source.h"

struct cache;

struct cache_file {
    struct stamp stamp;
    uint64_t heads_at;
    uint32_t heads_len, head_count;
    uint32_t name_at, name_len;
};

/* Reads the cache of a source, whose prints it makes comparable; NULL when there is none that is of
 * use. The caller frees it. */
struct cache *cache_open(struct source *source, struct log *log);
void cache_free(struct cache *cache);

/* The number of a directory that it knows, or CACHE_NONE. */
#define CACHE_NONE UINT32_MAX
uint32_t cache_dir(const struct cache *cache, struct span dir);
/* Whether its names are still the same, by what it looks like now: what is in the files may not be.
 */
bool cache_dir_holds(const struct cache *cache, uint32_t dir, const struct stamp *now);
/* The files of a directory, in the order in which it was listed. */
const struct cache_file *cache_files(const struct cache *cache, uint32_t dir, size_t *count);
/* Terminated, and borrowed from the cache. */
struct span cache_name(const struct cache *cache, const struct cache_file *file);
/* The directories right beneath that it knows; appends their names, borrowed from the cache. */
void cache_dirs_beneath(const struct cache *cache, struct span dir, struct span_list *names);
/* The file with that name; NULL when it does not know it. Quick when names come as they were
 * listed. */
const struct cache_file *cache_find(struct cache *cache, uint32_t dir, struct span name);

/* Adds the messages of a file to the batch, as a reader would. False when they make no sense. On
 * any thread. */
bool cache_take(const struct cache *cache, const struct cache_file *file,
                const struct source *source, const struct place *place, struct batch *batch);

/* What it knows of a file that has changed since. Borrows from the cache. */
void cache_known(const struct cache *cache, const struct cache_file *file,
                 const struct source *source, struct known *known);

#endif
