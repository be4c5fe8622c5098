/* A segment of the search index: files of one source as they were at some moment, the messages in
 * them, and which words these have. It never changes; newer segments take the place of older ones.
 *
 * It is read with plain reads, never mapped: whoever cuts the file short gets an error from us, not
 * a signal for us. What does not match its sum is damage, and damage is told, not worked around. */
#ifndef STORE_SEARCH_SEGMENT_H
#define STORE_SEARCH_SEGMENT_H

#include "base/err.h"
#include "base/text/words.h"
#include "store/scan/file_list.h"
#include "store/search/segment_format.h"

struct segment {
    int fd;
    uint64_t number; /* of two segments with the same file the higher one knows better */
    uint64_t bytes;  /* on disk */
    struct segment_header header;
    struct segment_file *files;
    struct segment_doc *docs;
    uint32_t *newest;
    char *names;
};

/* Opens a file in the directory and checks all but the postings. False when it is no segment of
 * that source, of this version, and whole. */
bool segment_open(struct segment *segment, int dir, const char *name, uint64_t source,
                  struct err *err);
void segment_close(struct segment *segment);

struct span segment_file_name(const struct segment *segment, uint32_t file);
struct span segment_doc_id(const struct segment *segment, uint32_t doc);
struct stamp segment_file_stamp(const struct segment *segment, uint32_t file);

/* What is known of a phrase in each doc of a segment. */
struct segment_hits {
    uint32_t *times; /* how often it stands there */
    uint8_t *parts;  /* bits of the parts that have all of its words; enum query_part */
};

void segment_hits_free(struct segment_hits *hits);

/* Finds a phrase in all docs. False when the segment is damaged. The caller frees the hits in any
 * case. */
bool segment_find(const struct segment *segment, const struct phrase *phrase,
                  struct segment_hits *hits, struct err *err);

/* Reads all postings. False when some are damaged. */
bool segment_check(const struct segment *segment, struct err *err);

/* Docs with that key, see segment_key_of(): calls `found` for each. False when it is damaged. */
bool segment_find_key(const struct segment *segment, uint64_t key,
                      void (*found)(void *context, uint32_t doc), void *context, struct err *err);

#endif
