/* A segment: finding words, phrases and copies in it. */
#include "store/search/segment.h"

#include "base/file/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opening a segment, and its files and docs. */

/* Reports that the segment is damaged. Always returns false. */
static bool segment_damaged(struct err *err, const char *what)
{
    return err_set(err, ERR_SOURCE, "a part of the search index is damaged: %s", what);
}

/* Reads exactly `len` bytes at that offset. */
static bool segment_read(const struct segment *segment, uint64_t at, void *out, size_t len,
                         struct err *err)
{
    return file_read_at(segment->fd, out, len, (int64_t)at) == len ||
           segment_damaged(err, errno ? strerror(errno) : "it ends too early");
}

void segment_close(struct segment *segment)
{
    close(segment->fd);
    free(segment->files);
    free(segment->docs);
    free(segment->newest);
    free(segment->names);
    *segment = (struct segment){.fd = -1};
}

static bool read_header(struct segment *segment, uint64_t source, struct err *err)
{
    struct segment_header *header = &segment->header;
    struct stat st;

    if (fstat(segment->fd, &st) < 0 || st.st_size < (off_t)sizeof *header)
        return segment_damaged(err, "it has no header");
    segment->bytes = (uint64_t)st.st_size;
    if (!segment_read(segment, 0, header, sizeof *header, err))
        return false;
    if (memcmp(header->magic, SEGMENT_MAGIC, sizeof header->magic) != 0)
        return segment_damaged(err, "it is no part of an index");
    if (header->endian != SEGMENT_ENDIAN || header->version != SEGMENT_VERSION)
        return err_set(err, ERR_SOURCE, "a part of the search index is of another version");
    struct span covered = {(const char *)header, offsetof(struct segment_header, sum)};
    if (header->sum != map_hash(covered, SEGMENT_SEED))
        return segment_damaged(err, "its header is not what was written");
    if (header->source != source)
        return segment_damaged(err, "it is of another mailbox");
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct segment_span *section = &header->sections[i];
        if (section->at > segment->bytes || section->len > segment->bytes - section->at)
            return segment_damaged(err, "it ends too early");
    }
    return true;
}

/* Checks the sum of a section. If `kept_at` is not NULL, stores its bytes there, for
 * segment_close() to free. */
static bool read_section(struct segment *segment, enum segment_section which, size_t expected,
                         void *kept_at, struct err *err)
{
    const struct segment_span *section = &segment->header.sections[which];
    void **kept = kept_at;
    uint64_t sum = SEGMENT_SEED;
    char *block = NULL;
    bool ok = true;

    if (expected != SIZE_MAX && section->len != expected)
        return segment_damaged(err, "its parts do not fit together");
    block = mem_alloc(kept ? section->len + 1 : SEGMENT_BLOCK);
    for (uint64_t at = 0; ok && at < section->len; at += SEGMENT_BLOCK) {
        uint64_t left = section->len - at;
        size_t len = left < SEGMENT_BLOCK ? (size_t)left : SEGMENT_BLOCK;
        char *to = kept ? block + at : block;
        ok = segment_read(segment, section->at + at, to, len, err);
        if (ok)
            sum = sum * 31 + map_hash((struct span){to, len}, sum);
    }
    if (ok && sum != section->sum)
        ok = segment_damaged(err, "it is not what was written");
    if (kept)
        *kept = block;
    else
        free(block);
    return ok;
}

/* True if all numbers refer to something that exists. The sums make sure of that unless the file
 * was forged. */
static bool is_consistent(const struct segment *segment)
{
    const struct segment_header *header = &segment->header;
    uint64_t names = header->sections[SECTION_NAMES].len;
    bool fits = true;

    for (uint32_t i = 0; fits && i < header->files; i++)
        fits = (uint64_t)segment->files[i].name_at + segment->files[i].name_len <= names;
    for (uint32_t i = 0; fits && i < header->docs; i++)
        fits = segment->docs[i].file < header->files && segment->newest[i] < header->docs &&
               (uint64_t)segment->docs[i].id_at + segment->docs[i].id_len <= names;
    return fits;
}

static bool read_all(struct segment *segment, uint64_t source, struct err *err)
{
    const struct segment_header *header = &segment->header;

    return read_header(segment, source, err) &&
           read_section(segment, SECTION_FILES, header->files * sizeof *segment->files,
                        &segment->files, err) &&
           read_section(segment, SECTION_DOCS, header->docs * sizeof *segment->docs, &segment->docs,
                        err) &&
           read_section(segment, SECTION_NEWEST, header->docs * sizeof *segment->newest,
                        &segment->newest, err) &&
           read_section(segment, SECTION_NAMES, SIZE_MAX, &segment->names, err) &&
           read_section(segment, SECTION_KEYS, header->docs * sizeof(struct segment_key), NULL,
                        err) &&
           read_section(segment, SECTION_TERMS, header->terms * sizeof(struct segment_term), NULL,
                        err) &&
           read_section(segment, SECTION_TEXTS, SIZE_MAX, NULL, err) &&
           (is_consistent(segment) || segment_damaged(err, "its parts do not fit together"));
}

bool segment_open(struct segment *segment, int dir, const char *name, uint64_t source,
                  struct err *err)
{
    *segment = (struct segment){.fd = file_open_beneath(dir, name, O_RDONLY)};
    if (segment->fd < 0)
        return err_set(err, errno == ENOENT ? ERR_ABSENT : ERR_SOURCE,
                       "a part of the search index cannot be opened: %s", strerror(errno));
    if (read_all(segment, source, err))
        return true;
    segment_close(segment);
    return false;
}

struct span segment_file_name(const struct segment *segment, uint32_t file)
{
    return (struct span){segment->names + segment->files[file].name_at,
                         segment->files[file].name_len};
}

struct span segment_doc_id(const struct segment *segment, uint32_t doc)
{
    return (struct span){segment->names + segment->docs[doc].id_at, segment->docs[doc].id_len};
}

struct stamp segment_file_stamp(const struct segment *segment, uint32_t file)
{
    const struct segment_file *record = &segment->files[file];

    return (struct stamp){.size = record->size,
                          .mtime_ns = record->mtime_ns,
                          .ctime_ns = record->ctime_ns,
                          .ino = record->ino,
                          .read_ns = record->read_ns};
}

enum { TERMS_AT_ONCE = 128 };

void segment_hits_free(struct segment_hits *hits)
{
    free(hits->times);
    free(hits->parts);
    *hits = (struct segment_hits){0};
}

/* The dictionary. */

static bool read_terms(const struct segment *segment, uint32_t first, uint32_t count,
                       struct segment_term *terms, struct err *err)
{
    const struct segment_span *section = &segment->header.sections[SECTION_TERMS];

    return segment_read(segment, section->at + (uint64_t)first * sizeof *terms, terms,
                        count * sizeof *terms, err);
}

/* Reads the text of a term into a buffer of WORD_BYTES. */
static bool read_text(const struct segment *segment, const struct segment_term *term, char *buffer,
                      struct span *text, struct err *err)
{
    const struct segment_span *section = &segment->header.sections[SECTION_TEXTS];

    if (term->text_len > WORD_BYTES || (uint64_t)term->text_at + term->text_len > section->len)
        return segment_damaged(err, "its words lead nowhere");
    *text = (struct span){buffer, term->text_len};
    return segment_read(segment, section->at + term->text_at, buffer, term->text_len, err);
}

/* Finds the number of the first term that is not before the word. */
static bool find_term(const struct segment *segment, struct span word, uint32_t *number,
                      struct err *err)
{
    uint32_t low = 0, high = segment->header.terms;
    char buffer[WORD_BYTES];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct segment_term term;
        struct span text = {0};
        if (!read_terms(segment, middle, 1, &term, err) ||
            !read_text(segment, &term, buffer, &text, err))
            return false;
        if (span_cmp(text, word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *number = low;
    return true;
}

/* Postings. */

struct walk {
    const unsigned char *at, *end;
};

/* Returns the next number; 0 for one without an end. */
static uint32_t take_number(struct walk *walk)
{
    uint32_t value = 0;

    for (unsigned shift = 0; walk->at < walk->end && shift < 35; shift += 7) {
        unsigned char byte = *walk->at++;
        value |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    return 0;
}

/* Places of words: doc << 32 | place, in order. */
struct spots {
    uint64_t *items;
    size_t count, cap;
};

/* The target of postings. */
struct gathering {
    const struct segment *segment;
    struct segment_hits *hits; /* times are counted even where spots are collected */
    struct spots *spots;       /* or NULL */
    struct str bytes;
};

static bool add_postings(struct gathering *gathering, struct err *err)
{
    const unsigned char *bytes = (const unsigned char *)str_c(&gathering->bytes);
    struct walk walk = {bytes, bytes + gathering->bytes.len};
    struct spots *spots = gathering->spots;
    uint32_t doc = UINT32_MAX, number;

    while (walk.at < walk.end) {
        uint32_t place = UINT32_MAX, times = 0;
        doc += take_number(&walk);
        if (doc >= gathering->segment->header.docs)
            return segment_damaged(err, "its words lead nowhere");
        while ((number = take_number(&walk)) >= POSTING_PLACE) {
            place += number - (POSTING_PLACE - 1);
            times++;
            if (!spots)
                continue;
            *mem_push(spots->items, spots->count, spots->cap) = (uint64_t)doc << 32 | place;
        }
        gathering->hits->parts[doc] |= (uint8_t)number;
        gathering->hits->times[doc] += times;
    }
    return true;
}

/* Reads the postings of a term. */
static bool read_postings(struct gathering *gathering, const struct segment_term *term,
                          struct err *err)
{
    const struct segment_span *section = &gathering->segment->header.sections[SECTION_POSTINGS];

    if (term->at > section->len || term->len > section->len - term->at)
        return segment_damaged(err, "its words lead nowhere");
    str_clear(&gathering->bytes);
    char *room = str_room(&gathering->bytes, term->len);
    if (!segment_read(gathering->segment, section->at + term->at, room, term->len, err))
        return false;
    gathering->bytes.len = term->len;
    room[term->len] = '\0';
    if (map_hash(str_span(&gathering->bytes), SEGMENT_SEED) != term->sum)
        return segment_damaged(err, "where words stand is not what was written");
    return true;
}

bool segment_check(const struct segment *segment, struct err *err)
{
    struct gathering gathering = {.segment = segment};
    struct segment_term terms[TERMS_AT_ONCE];
    uint32_t all = segment->header.terms;
    bool ok = true;

    for (uint32_t at = 0; ok && at < all; at += TERMS_AT_ONCE) {
        uint32_t count = all - at < TERMS_AT_ONCE ? all - at : TERMS_AT_ONCE;
        ok = read_terms(segment, at, count, terms, err);
        for (uint32_t i = 0; ok && i < count; i++)
            ok = read_postings(&gathering, &terms[i], err);
    }
    str_free(&gathering.bytes);
    return ok;
}

/* Adds the postings of a word or, with `open`, of all words that start with it. */
static bool gather_postings(struct gathering *gathering, struct span word, bool open,
                            struct err *err)
{
    const struct segment *segment = gathering->segment;
    struct segment_term terms[TERMS_AT_ONCE];
    char buffer[WORD_BYTES];
    uint32_t at;

    if (!find_term(segment, word, &at, err))
        return false;
    while (at < segment->header.terms) {
        uint32_t left = segment->header.terms - at, most = open ? TERMS_AT_ONCE : 1;
        uint32_t count = left < most ? left : most;
        if (!read_terms(segment, at, count, terms, err))
            return false;
        for (uint32_t i = 0; i < count; i++) {
            struct span text = {0};
            if (!read_text(segment, &terms[i], buffer, &text, err))
                return false;
            if (open ? !span_starts(text, word) : !span_eq(text, word))
                return true;
            if (!read_postings(gathering, &terms[i], err) || !add_postings(gathering, err))
                return false;
        }
        if (!open)
            return true;
        at += count;
    }
    return true;
}

/* Phrases. */

static int cmp_spots(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/* Keeps those of `next` that directly follow one of `before`. */
static void join_spots(const struct spots *before, struct spots *next)
{
    size_t kept = 0, at = 0;

    for (size_t i = 0; i < next->count; i++) {
        while (at < before->count && before->items[at] + 1 < next->items[i])
            at++;
        if (at < before->count && before->items[at] + 1 == next->items[i])
            next->items[kept++] = next->items[i];
    }
    next->count = kept;
}

/* Finds one word after the other, and joins each to those before it. */
static bool find_row(const struct segment *segment, const struct phrase *phrase,
                     struct segment_hits *hits, struct err *err)
{
    size_t docs = segment->header.docs;
    struct segment_hits one = {mem_zero(docs + 1, sizeof *one.times),
                               mem_zero(docs + 1, sizeof *one.parts)};
    struct spots before = {0};
    bool ok = true;

    memset(hits->parts, 0xff, docs);
    for (size_t i = 0; ok && i < phrase->count; i++) {
        bool open = phrase->open && i + 1 == phrase->count;
        struct spots next = {0};
        struct gathering gathering = {.segment = segment, .hits = &one, .spots = &next};
        memset(one.parts, 0, docs);
        ok = gather_postings(&gathering, phrase->words[i], open, err);
        str_free(&gathering.bytes);
        if (open && next.count)
            qsort(next.items, next.count, sizeof *next.items, cmp_spots);
        if (i)
            join_spots(&before, &next);
        for (size_t doc = 0; doc < docs; doc++)
            hits->parts[doc] &= one.parts[doc];
        free(before.items);
        before = next;
    }
    for (size_t i = 0; i < before.count; i++)
        hits->times[before.items[i] >> 32]++;
    free(before.items);
    segment_hits_free(&one);
    return ok;
}

bool segment_find(const struct segment *segment, const struct phrase *phrase,
                  struct segment_hits *hits, struct err *err)
{
    size_t docs = segment->header.docs;

    *hits = (struct segment_hits){mem_zero(docs + 1, sizeof *hits->times),
                                  mem_zero(docs + 1, sizeof *hits->parts)};
    if (phrase->count > 1)
        return find_row(segment, phrase, hits, err);
    struct gathering gathering = {.segment = segment, .hits = hits};
    bool ok = gather_postings(&gathering, phrase->words[0], phrase->open, err);
    str_free(&gathering.bytes);
    return ok;
}

/* Copies. */

static bool read_key(const struct segment *segment, uint32_t number, struct segment_key *key,
                     struct err *err)
{
    const struct segment_span *section = &segment->header.sections[SECTION_KEYS];

    if (!segment_read(segment, section->at + (uint64_t)number * sizeof *key, key, sizeof *key, err))
        return false;
    return key->doc < segment->header.docs || segment_damaged(err, "its keys lead nowhere");
}

bool segment_find_key(const struct segment *segment, uint64_t key,
                      void (*found)(void *context, uint32_t doc), void *context, struct err *err)
{
    uint32_t low = 0, high = segment->header.docs;
    struct segment_key record;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (!read_key(segment, middle, &record, err))
            return false;
        if (record.hash < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < segment->header.docs; low++) {
        if (!read_key(segment, low, &record, err))
            return false;
        if (record.hash != key)
            break;
        found(context, record.doc);
    }
    return true;
}
