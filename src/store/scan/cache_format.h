/* The cache as it lies on disk: a header, then sections of plain records, in the byte order of the
 * machine that wrote them. A sum covers all that is behind it. */
#ifndef STORE_SCAN_CACHE_FORMAT_H
#define STORE_SCAN_CACHE_FORMAT_H

#include "base/map.h"
#include "store/scan/cache.h"

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

/* Appends all that the heads of a source depend on beside the files. */
void cache_add_subject(struct str *out, const struct source *source);
/* What the sum of a file, which is no shorter than its header, has to be. */
uint32_t cache_sum(struct span file);

#endif
