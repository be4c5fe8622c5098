/* A segment of the search index on disk.
 *
 * A header, then sections of plain records, in the byte order of the machine that wrote them. Every
 * byte is covered by a sum: the header by its own, sections by the header's, postings by that of
 * their term. A segment of another version, or another byte order, is not used. */
#ifndef STORE_SEARCH_SEGMENT_FORMAT_H
#define STORE_SEARCH_SEGMENT_FORMAT_H

#include <stdint.h>

#define SEGMENT_MAGIC "swarmutt search"
#define SEGMENT_SEED UINT64_C(0x5eed0f5ea6c11e57)

enum {
    SEGMENT_VERSION = 1,
    SEGMENT_ENDIAN = 0x01020304,
    SEGMENT_BLOCK = 1 << 16, /* bytes of a section that are summed together */
};

enum segment_section {
    SECTION_FILES,    /* struct segment_file */
    SECTION_DOCS,     /* struct segment_doc, in the order in which they were read */
    SECTION_NEWEST,   /* uint32_t: indexes of the docs, the newest first */
    SECTION_KEYS,     /* struct segment_key, sorted by hash */
    SECTION_NAMES,    /* texts of files and docs */
    SECTION_TERMS,    /* struct segment_term, sorted by text */
    SECTION_TEXTS,    /* of the terms */
    SECTION_POSTINGS, /* no sum of its own: each term has one */
    SECTION_COUNT
};

struct segment_span {
    uint64_t at, len, sum;
};

struct segment_header {
    char magic[16];
    uint32_t version, endian;
    uint64_t source; /* a hash of the source's layout and path */
    int64_t made_us;
    uint32_t files, docs, terms, unused;
    struct segment_span sections[SECTION_COUNT];
    uint64_t sum; /* of everything above */
};

/* A file of mail, or a copy in our state, as it was when it was read. */
struct segment_file {
    int64_t size, mtime_ns, ctime_ns;
    uint64_t ino;
    int64_t read_ns;            /* wall clock time, before it was read */
    uint32_t name_at, name_len; /* path below the source's root; of a copy "/NUMBER" */
    uint32_t docs;              /* number of messages in it */
    uint32_t unused;
};

struct segment_doc {
    int64_t created_us;
    uint32_t file;
    uint32_t raw_at, raw_len; /* its part of a file with several messages; 0: all of it */
    uint32_t id_at, id_len;
    uint32_t words; /* number of words */
};

/* Finds the copies of one message: a hash of team, box and id. */
struct segment_key {
    uint64_t hash;
    uint32_t doc, unused;
};

struct segment_term {
    uint64_t at; /* offset in the postings */
    uint32_t len;
    uint32_t sum;
    uint32_t text_at, text_len;
};

/* Postings of a term are varints. For each doc: its number minus the previous one (the first: minus
 * -1); then for each place in it POSTING_PLACE - 1 plus its distance from the previous place (the
 * first: from -1); then a number less than POSTING_PLACE: the bits of the parts that have the term.
 * Places count words through all parts, and skip one between two parts. */
enum { POSTING_PLACE = 16 };

#endif
