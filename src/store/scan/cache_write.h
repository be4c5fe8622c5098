/* The cache: writing a new one while a source is read.
 *
 * A crew notes what it read, file by file, before anything is laid over it; in the end it is told
 * what the directories looked like when they were listed. */
#ifndef STORE_SCAN_CACHE_WRITE_H
#define STORE_SCAN_CACHE_WRITE_H

#include "store/scan/cache.h"
#include "store/scan/crew.h"

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
void cache_write_end(struct cache_writer *writer, const struct crew_file *files,
                     const struct cache_listed *dirs, size_t dir_count, struct log *log);

#endif
