/* Writing a segment, inside: what is gathered before it is written. */
#ifndef STORE_SEARCH_SEGMENT_WRITE_PRIVATE_H
#define STORE_SEARCH_SEGMENT_WRITE_PRIVATE_H

#include "store/search/segment_write.h"

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

/* Adds all words of the doc that comes next, and returns how many it has. */
uint32_t segment_add_words(struct segment_writer *writer, const struct message *message);

#endif
