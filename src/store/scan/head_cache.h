/* The cache as it lies on disk: a header, then sections of plain records, in the byte order of the
 * machine that wrote them. A sum covers all that is behind it. */
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
 * One file a source beneath the cache directory. It is disposable: whatever is wrong with it, it is
 * not there, and the next look through all mail makes a new one. Whether a file is still what it
 * was is told by stamps; see stamp.h. */

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
                 const struct source *source, struct entry_cache *known);

#define CACHE_KIND "heads"
#define CACHE_MAGIC "swarmutt heads"
#define CACHE_SEED UINT64_C(0x2545f4914f6cdd1d)

enum { CACHE_VERSION = 4 };

struct cache_header {
    char magic[16];
    uint32_t version;
    uint32_t sum;  /* of all that follows, to the end of the file */
    uint64_t size; /* of the whole file */
    uint64_t seed; /* of the prints */
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

/* Behind the header come folders, files, names, texts and heads. The first text says what the cache
 * is of: another one is of no use. */

struct cache {
    char *bytes;
    const struct cache_header *header;
    const struct cache_folder *folders;
    const struct cache_file *files;
    const struct cache_text *name_texts;
    const char *texts;
    const char *heads;
    struct span *names; /* from 1 up */
    struct map dirs;
    uint32_t next;       /* the file that is looked for next, most likely */
    struct map others;   /* names of the directory where it was another one */
    uint32_t others_dir; /* CACHE_NONE: none yet */
};

/* What the sum of a file, which is no shorter than its header, has to be. */
uint32_t cache_sum(struct span file);

/* The cache: writing a new one while a source is read.
 *
 * A crew notes what it read, file by file, before anything is laid over it; in the end it is told
 * what the directories looked like when they were listed. */

struct cache_writer;

/* What one of the crew has noted: of the files of the list from `first` on. Zero-initialised is
 * empty and valid. */
struct cache_part {
    size_t first;
    struct cache_noted {
        const struct cache_file *old; /* known, and still the same; else ... */
        struct stamp stamp;           /* ... as it was when it was read */
        uint32_t heads_len, head_count;
        uint32_t new_count; /* of messages in a shared file that nobody knew */
        bool there;
    } * files;
    size_t count, cap;
    struct str heads; /* of those that were read */
};

/* A file that was read. */
struct cache_read {
    struct stamp stamp;
    const struct batch *batch;
    size_t first;      /* of its messages in the batch, to the end of that */
    struct span bytes; /* absent when they could not be had */
    size_t known;      /* about so many of its messages were known before */
};

/* NULL when nothing is to be written. `old` may be NULL, and must last as long. */
struct cache_writer *cache_write_begin(const struct source *source, const struct cache *old);

/* Notes the next file of the part: one that need not be kept, one that is as it was, or one that
 * was read. On any thread. */
void cache_note_nothing(struct cache_part *part);
void cache_note_old(struct cache_part *part, const struct cache_file *old);
void cache_note_read(struct cache_writer *writer, struct cache_part *part,
                     const struct cache_read *read);
/* Takes the part over. On any thread. */
void cache_add_part(struct cache_writer *writer, struct cache_part *part);

/* A directory as it was right before it was listed. */
struct cache_listed {
    struct span dir;
    struct stamp stamp; /* never trusted without the time at which it was read */
};

/* Writes what was noted of these files, when it is worth it, and frees the writer. What fails is
 * only logged. */
void cache_write_end(struct cache_writer *writer, const struct reader_pool_file *files,
                     const struct cache_listed *dirs, size_t dir_count, struct log *log);

#endif
