/* A segment of the search index: files of one source as they were at some moment, their messages,
 * and the words of these. A segment never changes; newer segments replace older ones.
 *
 * It is read with plain reads, never mapped: if another program truncates the file, we get an error
 * rather than a signal. Bytes that do not match their sum are damage, which is reported, not worked
 * around. */
#ifndef STORE_SEARCH_SEGMENT_H
#define STORE_SEARCH_SEGMENT_H

#include "base/err.h"
#include "base/text/words.h"
#include "store/scan/file_list.h"
#include "store/search/segment_format.h"

struct segment {
    int fd;
    uint64_t number; /* of two segments with the same file the higher one counts */
    uint64_t bytes;  /* on disk */
    struct segment_header header;
    struct segment_file *files;
    struct segment_doc *docs;
    uint32_t *newest;
    char *names;
};

/* Opens a file in the directory and checks everything but the postings. False if it is not an
 * intact segment of that source and of this version. */
bool segment_open(struct segment *segment, int dir, const char *name, uint64_t source,
                  struct err *err);
void segment_close(struct segment *segment);

struct span segment_file_name(const struct segment *segment, uint32_t file);
struct span segment_doc_id(const struct segment *segment, uint32_t doc);
struct stamp segment_file_stamp(const struct segment *segment, uint32_t file);

/* The hits of a phrase in each doc of a segment. */
struct segment_hits {
    uint32_t *times; /* number of occurrences */
    uint8_t *parts;  /* bits of the parts that have all of its words; enum query_part */
};

void segment_hits_free(struct segment_hits *hits);

/* Finds a phrase in all docs. False if the segment is damaged. The caller frees the hits in any
 * case. */
bool segment_find(const struct segment *segment, const struct phrase *phrase,
                  struct segment_hits *hits, struct err *err);

/* Reads all postings. False if some are damaged. */
bool segment_check(const struct segment *segment, struct err *err);

/* Calls `found` for each doc with that key, see segment_key_of(). False if the segment is
 * damaged. */
bool segment_find_key(const struct segment *segment, uint64_t key,
                      void (*found)(void *context, uint32_t doc), void *context, struct err *err);

#endif
