/* Writing a segment of the search index: docs are gathered in memory, then written as one file. */
#ifndef STORE_SEARCH_SEGMENT_WRITE_H
#define STORE_SEARCH_SEGMENT_WRITE_H

#include "base/err.h"
#include "base/map.h"
#include "mail/message/message.h"
#include "store/scan/file_list.h"
#include "store/search/segment_format.h"

struct segment_writer;

/* `source` is what segments of the same source have in their header. */
struct segment_writer *segment_writer_new(uint64_t source);
void segment_writer_free(struct segment_writer *writer);

/* Adds a file; docs that are added afterwards lie in it. */
void segment_writer_file(struct segment_writer *writer, struct span name,
                         const struct stamp *stamp);
/* Adds a message, whole. */
void segment_writer_doc(struct segment_writer *writer, const struct message *message);

/* What was added so far: files, and about how many bytes of memory they need. */
size_t segment_writer_files(const struct segment_writer *writer);
size_t segment_writer_bytes(const struct segment_writer *writer);

/* Writes everything to an open, empty file. Once; nothing can be added afterwards. */
bool segment_writer_put(struct segment_writer *writer, int fd, int64_t now_us, struct err *err);

/* What finds the copies of one message. */
uint64_t segment_key_of(struct span team, struct span box, struct span id);

/* Writing a segment, inside: what is gathered before it is written. */

#define NO_DOC UINT32_MAX

enum { SLOTS_FIRST = 1 << 16 };

enum { TERM_START = 16, NUMBER_BYTES = 5 };

/* Everything that a word which was met before needs lies in one line of the processor's cache; most
 * words are short enough to be compared there. */
struct term {
    unsigned char *postings;
    uint32_t len, cap;
    uint32_t doc, place; /* the last that was added */
    uint32_t text_len;
    uint8_t parts;          /* of the doc at hand, where it stands so far */
    char start[TERM_START]; /* of its text, zeroes behind it */
    const char *text;       /* in the arena */
};

/* Where a term stands; hash 0: free. */
struct slot {
    uint32_t hash, term;
};

/* The words of a doc. The memory that each of them needs lies anywhere: it is asked for some steps
 * ahead, so that nobody waits for it word by word. */
struct met {
    uint32_t hash, at, len, place, term;
    uint8_t part;
};

struct segment_writer {
    uint64_t source;
    struct arena arena;
    struct slot *slots; /* at most half of them are taken */
    size_t slot_count;  /* a power of two */
    uint64_t seed;
    struct term *terms;
    size_t term_count, term_cap;
    uint32_t *touched; /* terms of the doc at hand */
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
