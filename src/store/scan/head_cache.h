/* The cache of heads: its use, and its format on disk. */
#ifndef STORE_SCAN_HEAD_CACHE_H
#define STORE_SCAN_HEAD_CACHE_H

#include "base/log.h"
#include "base/map.h"
#include "mail/message/entry_cache.h"
#include "store/scan/file_list.h"
#include "store/scan/reader_pool.h"
#include "store/source/source.h"

/* The cache: the heads of a source's messages as they were when their files were read, so that
 * files that have not changed since need not be read again.
 *
 * There is one cache file per source below the cache directory. It is disposable: a file with any
 * problem is treated as missing, and the next load of all mail makes a new one. Stamps show whether
 * a mail file is unchanged; see file_list.h. */

struct cache;

struct cache_file {
    struct stamp stamp;
    uint64_t heads_at;
    uint32_t heads_len, head_count;
    uint32_t name_at, name_len;
};

/* Reads the cache of a source, and sets the source's seed, so that its hashes are comparable with
 * those in the cache; NULL if there is no usable cache. The caller frees it. */
struct cache *cache_open(struct source *source, struct log *log);
void cache_free(struct cache *cache);

/* Returns the number of a cached directory, or CACHE_NONE. */
#define CACHE_NONE UINT32_MAX
uint32_t cache_dir(const struct cache *cache, struct span dir);
/* True if the names in the directory are unchanged, by its present stamp; the contents of its files
 * may still have changed. */
bool cache_dir_holds(const struct cache *cache, uint32_t dir, const struct stamp *now);
/* Returns the files of a directory, in the order in which it was listed. */
const struct cache_file *cache_files(const struct cache *cache, uint32_t dir, size_t *count);
/* Returns the file's name. Terminated, and borrowed from the cache. */
struct span cache_name(const struct cache *cache, const struct cache_file *file);
/* Appends the names of the cached directories right below a directory, borrowed from the cache. */
void cache_dirs_beneath(const struct cache *cache, struct span dir, struct span_list *names);
/* Returns the file with that name; NULL if the cache does not have it. Fast if names come in the
 * order of the listing. */
const struct cache_file *cache_find(struct cache *cache, uint32_t dir, struct span name);

/* Adds the cached messages of a file to the batch, as a reader would. False, with nothing added, if
 * they are invalid. Callable on any thread. */
bool cache_take(const struct cache *cache, const struct cache_file *file,
                const struct source *source, const struct place *place, struct batch *batch);

/* Fills `known` with the cached entries of a file that has changed since. Borrows from the
 * cache. */
void cache_known(const struct cache *cache, const struct cache_file *file,
                 const struct source *source, struct entry_cache *known);

/* The format of the cache on disk: a header, then sections of plain records, in the byte order of
 * the machine that wrote them. The checksum covers everything after it. The first text names what
 * heads depend on besides the files: program, layout, path, settings and zone; with another one the
 * cache is not used. What is applied to heads (marks, who we are) is not in it. */

#define CACHE_KIND "heads"
#define CACHE_MAGIC "swarmutt heads"
#define CACHE_SEED UINT64_C(0x2545f4914f6cdd1d)

enum { CACHE_VERSION = 4 };

struct cache_header {
    char magic[16];
    uint32_t version;
    uint32_t sum;  /* of everything that follows, to the end of the file */
    uint64_t size; /* of the whole file */
    uint64_t seed; /* for the hashes of messages */
    uint64_t texts_len, heads_len;
    uint32_t dirs, files, names, head_size;
};

/* A text in the section of texts. */
struct cache_text {
    uint32_t at, len;
};

struct cache_folder {
    struct stamp stamp;
    struct cache_text dir;
    uint32_t first_file, file_count;
};

/* After the header come folders, files, names, texts and heads. The first text names the subject of
 * the cache: a cache of another one is unusable. */

struct cache {
    char *bytes;
    const struct cache_header *header;
    const struct cache_folder *folders;
    const struct cache_file *files;
    const struct cache_text *name_texts;
    const char *texts;
    const char *heads;
    struct span *names; /* numbered from 1 */
    struct map dirs;
    uint32_t next;       /* the number of the file that is probably looked up next */
    struct map others;   /* names of directory others_dir, filled after a lookup out of order */
    uint32_t others_dir; /* CACHE_NONE: none yet */
};

/* Returns the checksum that a file, which is no shorter than its header, must have. */
uint32_t cache_sum(struct span file);

/* The cache: writing a new one while a source is read.
 *
 * The readers note what they read, file by file, before local marks are applied to it; at the end
 * the caller passes the stamps that the directories had when they were listed. */

struct cache_writer;

/* The notes of one reader: on the files of the list from `first` on. Zero-initialised is empty and
 * valid. */
struct cache_part {
    size_t first;
    struct cache_noted {
        const struct cache_file *old; /* cached, and still unchanged; else ... */
        struct stamp stamp;           /* ... the stamp at the time of reading */
        uint32_t heads_len, head_count;
        uint32_t new_count; /* messages in a shared file that were not cached */
        bool there;
    } * files;
    size_t count, cap;
    struct str heads; /* of the files that were read */
};

/* A file that was read. */
struct cache_read {
    struct stamp stamp;
    const struct batch *batch;
    size_t first;      /* index of its messages in the batch, to the end of that */
    struct span bytes; /* absent if they could not be read */
    size_t known;      /* approximately the number of its messages that were cached */
};

/* Returns a writer; `old` may be NULL, and must outlive the writer. */
struct cache_writer *cache_write_begin(const struct source *source, const struct cache *old);

/* Note the next file of the part: one that need not be kept, one that is unchanged, or one that was
 * read. Callable on any thread. */
void cache_note_nothing(struct cache_part *part);
void cache_note_old(struct cache_part *part, const struct cache_file *old);
void cache_note_read(struct cache_writer *writer, struct cache_part *part,
                     const struct cache_read *read);
/* Takes ownership of the part's contents. Callable on any thread. */
void cache_add_part(struct cache_writer *writer, struct cache_part *part);

/* A directory with its stamp from right before it was listed. */
struct cache_listed {
    struct span dir;
    struct stamp stamp; /* never trusted if it has no time of reading */
};

/* Writes the noted files, if it is worth it, and frees the writer; NULL is fine. A failure is only
 * logged. */
void cache_write_end(struct cache_writer *writer, const struct reader_pool_file *files,
                     const struct cache_listed *dirs, size_t dir_count, struct log *log);

#endif
