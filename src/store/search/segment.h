/* A segment of the search index: files of one source as they were at some moment, their messages,
 * and the words of these. A segment never changes; newer segments replace older ones.
 *
 * It is read with plain reads, never mapped: if another program truncates the file, we get an error
 * rather than a signal. Bytes that do not match their sum are damage, which is reported, not worked
 * around. */
#ifndef STORE_SEARCH_SEGMENT_H
#define STORE_SEARCH_SEGMENT_H

#include "base/err.h"
#include "base/map.h"
#include "base/text/words.h"
#include "mail/message/message.h"
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

/* Writing a segment of the search index: collects docs in memory, then writes them as one file. */

struct segment_writer;

/* Makes a writer. `source` is the hash of the source for the header. */
struct segment_writer *segment_writer_new(uint64_t source);
void segment_writer_free(struct segment_writer *writer);

/* Adds a file; docs that are added afterwards belong to it. */
void segment_writer_file(struct segment_writer *writer, struct span name,
                         const struct stamp *stamp);
/* Adds a message with all of its parts. */
void segment_writer_doc(struct segment_writer *writer, const struct message *message);

/* Return what was added so far: the number of files, and about how many bytes of memory they
 * need. */
size_t segment_writer_files(const struct segment_writer *writer);
size_t segment_writer_bytes(const struct segment_writer *writer);

/* Writes everything to an open, empty file. Call it once; nothing can be added afterwards. */
bool segment_writer_put(struct segment_writer *writer, int fd, int64_t now_us, struct err *err);

/* Returns the key that copies of one message share. */
uint64_t segment_key_of(struct span team, struct span box, struct span id);

/* Private: what is collected before it is written. */

#define NO_DOC UINT32_MAX

enum { SLOTS_FIRST = 1 << 16 };

enum { TERM_START = 16, NUMBER_BYTES = 5 };

/* A term. All that a repeated word needs is in one line of the processor's cache; most words are
 * short enough to be compared there. */
struct term {
    unsigned char *postings;
    uint32_t len, cap;
    uint32_t doc, place; /* the last that were added */
    uint32_t text_len;
    uint8_t parts;          /* parts of the current doc that have it so far */
    char start[TERM_START]; /* start of the text, padded with zeros */
    const char *text;       /* in the arena */
};

/* A slot of the hash table of terms; hash 0: free. */
struct slot {
    uint32_t hash, term;
};

/* A word of a doc. The memory that each word needs is anywhere: it is prefetched some steps ahead,
 * to avoid waiting for it word by word. */
struct met {
    uint32_t hash, at, len, place, term;
    uint8_t part;
};

struct segment_writer {
    uint64_t source;
    struct arena arena;
    struct slot *slots; /* at most half of them are used */
    size_t slot_count;  /* a power of two */
    uint64_t seed;
    struct term *terms;
    size_t term_count, term_cap;
    uint32_t *touched; /* terms of the current doc */
    size_t touched_count, touched_cap;
    struct met *met;
    size_t met_count, met_cap;
    struct str met_texts;
    struct segment_file *files;
    size_t file_count, file_cap;
    struct segment_doc *docs;
    size_t doc_count, doc_cap;
    struct segment_key *keys;
    size_t key_cap;
    struct str names;
    size_t bytes;
};

#endif
