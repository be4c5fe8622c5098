/* Writing a segment of the search index: collects docs in memory, then writes them as one file. */
#ifndef STORE_SEARCH_SEGMENT_WRITE_H
#define STORE_SEARCH_SEGMENT_WRITE_H

#include "base/err.h"
#include "base/map.h"
#include "mail/message/message.h"
#include "store/scan/file_list.h"
#include "store/search/segment_format.h"

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
